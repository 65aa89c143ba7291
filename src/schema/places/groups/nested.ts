import { parent } from '../../../database/list.ts';
import { seePlace, toSql } from '../../../policy/index.ts';
import { listOfEach, nestedList } from '../../engine/list.ts';
import { Group } from '../place/types.ts';
import { groupFilterOf, type GroupListArgs } from './list.ts';
import { groupOrders } from './orders.ts';
import { groupList } from './statements/groups.ts';

/** The groups below a group, as a field of it. */

interface Asked extends Pick<GroupListArgs, 'ids' | 'search'> {
  readonly owned?: boolean | null;
  readonly includeParentDescendants?: boolean | null;
}

const below = listOfEach(async (context, { owned, includeParentDescendants, ...asked }: Asked) => {
  const { viewer } = context;
  const filter = await groupFilterOf(context, { ...asked, ownedOnly: owned, allAvailable: true });
  return groupList(viewer.person?.id ?? null, (columns) => toSql(seePlace, viewer, columns), {
    ...filter,
    parent: { id: parent, descendants: includeParentDescendants ?? true },
  });
});

nestedList(Group, 'descendantGroups', {
  type: Group,
  description: 'The groups below it that you can see.',
  orders: groupOrders,
  by: 'name_asc',
  args: (t) => ({
    ids: t.idList({ description: 'Only these groups.' }),
    search: t.string({ description: 'Words that must all occur in the name or the full path.' }),
    owned: t.boolean({ description: 'Only those that you own directly.' }),
    includeParentDescendants: t.boolean({
      defaultValue: true,
      description: 'False: only direct subgroups.',
    }),
  }),
  rows: (context, asked, _info, { id }) => below(context, id, asked),
});
