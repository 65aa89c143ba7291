import { ListQuery } from '../../../../database/list.ts';
import { directGroupsOf, liveGroup } from '../../../../database/access/places.ts';
import { namespaceReading } from '../../../../database/access/records.ts';
import { reads, roles } from '../../../../policy/index.ts';
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

const groupsOfEach = listOfEach((_context, { search }: { readonly search: string | undefined }) =>
  new ListQuery('namespaces n', 'n.id', namespaceReading)
    .where(liveGroup)
    .where(`n.id = any(${directGroupsOf('parent.id', roles.guest)})`)
    .search(search, ['n.name', 'n.path', 'n.full_path']),
);

nestedList(User, 'groups', {
  type: Group,
  nullable: true,
  description:
    'The groups that the person is a direct member of, ordered by name. For the person and for administrators; null for others.',
  admission,
  args: (t) => ({ search: t.string({ description: 'Words that must all occur in the name or the full path.' }) }),
  orders: { name: groupOrders.name },
  by: 'name_asc',
  rows: (context, { search }, _info, { id }) =>
    // The person sees every group that they are a member of.
    isOwn(id, context) ? groupsOfEach(context, id, { search: searchText(search) }) : null,
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
