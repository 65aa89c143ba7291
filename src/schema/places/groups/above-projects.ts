import { seePlace, toSql } from '../../../policy/index.ts';
import { listOfEach, nestedList } from '../../engine/list.ts';
import { Group, Project } from '../place/types.ts';
import { groupFilterOf, type GroupListArgs } from './list.ts';
import { groupOrders } from './orders.ts';
import { aboveProject, groupList } from './statements/groups.ts';

/** The groups above a project, as a field of it. */

type Asked = Pick<GroupListArgs, 'search' | 'skip'>;

const above = listOfEach(async (context, asked: Asked) => {
  const { viewer } = context;
  const filter = await groupFilterOf(context, { ...asked, allAvailable: true });
  return groupList(viewer.person?.id ?? null, (columns) => toSql(seePlace, viewer, columns), filter).where(
    aboveProject('parent.id'),
  );
});

nestedList(Project, 'ancestorGroups', {
  type: Group,
  description: 'The groups above it that you can see.',
  orders: groupOrders,
  by: 'name_asc',
  args: (t) => ({
    search: t.string({ description: 'Words that must all occur in the name or the full path.' }),
    skip: t.idList({ description: 'Not these groups.' }),
  }),
  rows: (context, { search, skip }, _info, { id }) => above(context, id, { search, skip }),
});
