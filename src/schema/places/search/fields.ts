import { findGroup, findProject } from '../../../database/access/places.ts';
import { BadRequest } from '../../../errors.ts';
import { reads } from '../../../policy/index.ts';
import { usersMatching } from '../../accounts/users/list.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { builder } from '../../engine/builder.ts';
import { nestedList, searchText } from '../../engine/list.ts';
import { memberOrder, membersOf, relationsOf } from '../members/list.ts';
import { MemberInterface } from '../members/types.ts';
import { lookUp } from '../place/look-up.ts';
import { Project } from '../place/types.ts';
import { visibleProjects } from '../projects/list.ts';
import { projectOrders } from '../projects/orders.ts';

/** Search in the whole instance, in a group or in a project, with the viewer's rights. */

interface SearchData {
  readonly text: string;
  /** Where to search; undefined: everywhere. */
  readonly place?: { readonly scope: 'group' | 'project'; readonly id: number };
}

/** Maximum length of a search, in characters. */
const longest = 4_096;

export const Search = builder.objectRef<SearchData>('Search').implement({
  description: 'What a search finds, by kind. Each list is null where nothing of its kind can be searched.',
});

builder.queryField('search', (t) =>
  t.field({
    type: Search,
    nullable: true,
    description: 'A search in everything that you can see, or in one group or project.',
    admission: { class: 'token', scopes: reads },
    args: {
      search: t.arg.string({ required: true, description: `At most ${longest} characters.` }),
      group: t.arg.id({ description: 'Full path or id: search in this group and its subgroups.' }),
      project: t.arg.id({ description: 'Full path or id: search in this project.' }),
    },
    resolve: async (_root, { search, group, project }, context): Promise<SearchData> => {
      if (group != null && project != null) throw new BadRequest('Name a group or a project, not both.');
      const text = searchText(search, longest)!;
      if (group != null)
        return { text, place: { scope: 'group', id: (await lookUp(context, findGroup, 'Group', group)).id } };
      if (project != null)
        return { text, place: { scope: 'project', id: (await lookUp(context, findProject, 'Project', project)).id } };
      return { text };
    },
  }),
);

nestedList(Search, 'projects', {
  type: Project,
  nullable: true,
  description: 'Projects with all words in the name, the path or the description. Null in a project.',
  orders: projectOrders,
  by: 'created_desc',
  args: (t) => ({ includeArchived: t.boolean({ description: 'Whether to include archived ones.' }) }),
  rows: (context, { includeArchived }, _info, { text: search, place }) => {
    if (place?.scope === 'project') return null;
    const archived = includeArchived ? undefined : false;
    return visibleProjects(context, {
      search,
      archived,
      ...(place && { namespace: { id: place.id, descendants: true } }),
    });
  },
});

nestedList(Search, 'users', {
  type: UserCore,
  nullable: true,
  description: 'People, the latest first. Null in a group and in a project, which have `members`.',
  orders: { id: { column: 'u.id', type: 'int' } },
  by: 'id_desc',
  rows: (context, _asked, _info, { text, place }) => (place ? null : usersMatching(context, text)),
});

nestedList(Search, 'members', {
  type: MemberInterface,
  nullable: true,
  description:
    'Members of the group, also inherited ones and those of subgroups, or of the project; those by shares too. Null elsewhere.',
  orders: memberOrder,
  by: 'user_id_asc',
  rows: (context, _asked, _info, { text: search, place }) =>
    place ? membersOf(context, place, [...relationsOf(true), 'DESCENDANTS'], { search }) : null,
});
