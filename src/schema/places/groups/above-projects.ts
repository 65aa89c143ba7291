import { listOfEach, nestedList } from '../../engine/list.ts';
import { AccessLevelEnum, levelOf } from '../members/access-level.ts';
import { Group, Project } from '../place/types.ts';
import { groupFilterOf, visibleGroups, type GroupListArgs } from './list.ts';
import { groupOrders } from './orders.ts';
import { aroundProject } from './statements/groups.ts';

/** The groups around a project, as a field of it. */

interface Asked extends Pick<GroupListArgs, 'search' | 'skip'> {
  /** The lowest role that an invitation gives; omitted: without invited groups. */
  readonly sharedFrom?: number | undefined;
}

const around = listOfEach(async (context, { sharedFrom, ...asked }: Asked) => {
  const filter = await groupFilterOf(context, { ...asked, allAvailable: true });
  return visibleGroups(context, filter).where(aroundProject('parent.id', sharedFrom));
});

nestedList(Project, 'ancestorGroups', {
  type: Group,
  description: 'The groups above it, and if asked those invited to it, that you can see.',
  orders: groupOrders,
  by: 'name_asc',
  args: (t) => ({
    search: t.string({ description: 'Words that must all occur in the name or the full path.' }),
    skip: t.idList({ description: 'Not these groups.' }),
    withShared: t.boolean({
      description: 'Whether to include the groups that are invited to it, or to a group above it.',
    }),
    sharedMinAccessLevel: t.field({
      type: AccessLevelEnum,
      description: 'Of `withShared`: only those whose invitation gives at least this role.',
    }),
  }),
  rows: (context, { search, skip, withShared, sharedMinAccessLevel: least }, _info, { id }) =>
    around(context, id, { search, skip, sharedFrom: withShared ? (least == null ? 0 : levelOf(least)) : undefined }),
});
