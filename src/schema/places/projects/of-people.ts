import { contributedBy, starredBy } from './statements/lists.ts';
import { visibleProjects } from './list.ts';
import { reads } from '../../../policy/index.ts';
import { listOfEach, nestedList, searchText } from '../../engine/list.ts';
import { noRows } from '../../engine/page.ts';
import { AccessLevelEnum, levelOf } from '../members/access-level.ts';
import { Project } from '../place/types.ts';
import { showsProfile } from '../../accounts/users/seen.ts';
import { User } from '../../accounts/users/types.ts';

/** The projects of people that aren't theirs: those that they starred, and those to which they contributed. */

interface Asked {
  readonly search: string | undefined;
  readonly minAccessLevel?: number | undefined;
}

const starredByEach = listOfEach((context, asked: Asked) =>
  visibleProjects(context, asked).where(starredBy('parent.id')),
);
const contributedByEach = listOfEach((context, asked: Asked) =>
  visibleProjects(context, asked).where(contributedBy('parent.id')),
);

const listed = {
  type: Project,
  admission: { class: 'token', scopes: reads, anonymous: true },
  orders: { id: { column: 'p.id', type: 'int' } },
  by: 'id_desc',
} as const;

const searchDescription = 'Words that must all occur in the name, the path or the description.';

nestedList(User, 'starredProjects', {
  ...listed,
  description:
    'The projects that the person starred and that you can see, the newest first. None if the profile is private, except for the person and administrators.',
  args: (t) => ({ search: t.string({ description: searchDescription }) }),
  rows: (context, { search }, _info, person) =>
    showsProfile(person, context) ? starredByEach(context, person.id, { search: searchText(search) }) : noRows,
});

nestedList(User, 'contributedProjects', {
  ...listed,
  description:
    'The projects in which the person did something in the last year and that you can see, the newest first. None if the profile is private, except for the person and administrators.',
  args: (t) => ({
    search: t.string({ description: searchDescription }),
    minAccessLevel: t.field({ type: AccessLevelEnum, description: 'Only those in which you have at least this role.' }),
  }),
  rows: (context, { search, minAccessLevel }, _info, person) =>
    showsProfile(person, context)
      ? contributedByEach(context, person.id, {
          search: searchText(search),
          minAccessLevel: minAccessLevel == null ? undefined : levelOf(minAccessLevel),
        })
      : noRows,
});
