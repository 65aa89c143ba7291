import { starredBy } from './statements/lists.ts';
import { visibleProjects } from './list.ts';
import { reads } from '../../../policy/index.ts';
import { listOfEach, nestedList, searchText } from '../../engine/list.ts';
import { noRows } from '../../engine/page.ts';
import { Project } from '../place/types.ts';
import { showsStars } from '../../accounts/users/seen.ts';
import { User } from '../../accounts/users/types.ts';

/** The projects that a person starred. */
const starredByEach = listOfEach((context, { search }: { readonly search: string | undefined }) =>
  visibleProjects(context, { search }).where(starredBy('parent.id')),
);

nestedList(User, 'starredProjects', {
  type: Project,
  description:
    'The projects that the person starred and that you can see, the newest first. None if the profile is private, except for the person and administrators.',
  admission: { class: 'token', scopes: reads, anonymous: true },
  args: (t) => ({
    search: t.string({ description: 'Words that must all occur in the name, the path or the description.' }),
  }),
  orders: { id: { column: 'p.id', type: 'int' } },
  by: 'id_desc',
  rows: (context, { search }, _info, person) =>
    showsStars(person, context) ? starredByEach(context, person.id, { search: searchText(search) }) : noRows,
});
