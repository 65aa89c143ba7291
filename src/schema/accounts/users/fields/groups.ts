import { ListQuery, parent } from '../../../../database/list.ts';
import { directGroupsOf, hasGroupRole, liveGroup } from '../../../../database/access/places.ts';
import { namespaceReading } from '../../../../database/access/records.ts';
import { makesProjectsInGroup, reads, roles } from '../../../../policy/index.ts';
import { batchedRows } from '../../../engine/batched.ts';
import { builder } from '../../../engine/builder.ts';
import { listOfEach, nestedList, searchText } from '../../../engine/list.ts';
import { groupOrders } from '../../../places/groups/orders.ts';
import { Group } from '../../../places/place/types.ts';
import { isOwn } from '../seen.ts';
import { countGroups } from '../statements/groups.ts';
import { User } from '../types.ts';

/** The groups of people. A token needs the scopes that it needs for groups themselves. */
const admission = { class: 'token', scopes: reads, anonymous: true } as const;

const GroupPermission = builder.enumType('GroupPermission', {
  values: { CREATE_PROJECTS: { description: 'To create projects in a group.' } } as const,
});

interface Asked {
  readonly search: string | undefined;
  readonly permissionScope: typeof GroupPermission.$inferType | null | undefined;
}

const groupsOfEach = listOfEach((_context, { search, permissionScope }: Asked) =>
  new ListQuery('namespaces n', 'n.id', namespaceReading)
    .where(liveGroup)
    .where(
      permissionScope == null
        ? `n.id = any(${directGroupsOf(parent, roles.guest)})`
        : makesProjectsInGroup('n.project_creation_level', hasGroupRole(parent)),
    )
    .search(search, ['n.name', 'n.path', 'n.full_path']),
);

nestedList(User, 'groups', {
  type: Group,
  nullable: true,
  description:
    'The groups that the person is a direct member of, ordered by name. For the person and for administrators; null for others.',
  admission,
  args: (t) => ({
    search: t.string({ description: 'Words that must all occur in the name or the full path.' }),
    permissionScope: t.field({
      type: GroupPermission,
      description:
        'The groups in which the person has this right by a role, direct or inherited, instead of those that they are a direct member of.',
    }),
  }),
  orders: { name: groupOrders.name },
  by: 'name_asc',
  rows: (context, { search, permissionScope }, _info, { id }) =>
    // The person sees every group that they are a member of.
    isOwn(id, context) ? groupsOfEach(context, id, { search: searchText(search), permissionScope }) : null,
});

const groupCounts = batchedRows(countGroups);

builder.interfaceField(User, 'groupCount', (t) =>
  t.int({
    nullable: true,
    description:
      'The number of groups that the person is a member of: directly, or of a project in the group. For the person and for administrators; null for others.',
    admission,
    resolve: async ({ id }, _args, context) =>
      isOwn(id, context) ? ((await groupCounts(context, id))?.groups ?? null) : null,
  }),
);
