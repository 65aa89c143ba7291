import { findGroup, findProject } from '../../../database/access/places.ts';
import { BadRequest, Forbidden } from '../../../errors.ts';
import {
  holds,
  makeProject,
  makeSubgroup,
  manageGroup,
  ownProject,
  reads,
  seePlace,
  takeProject,
  toSql,
  type Condition,
} from '../../../policy/index.ts';
import { rootList, searchText } from '../../engine/list.ts';
import { groupOrders } from '../groups/orders.ts';
import { facts, lookUp } from '../place/look-up.ts';
import { Group } from '../place/types.ts';
import { locationList } from './statements.ts';

/** Who transfers something into a group, by the level that it has for it. */
const rules: Readonly<Record<'project' | 'group', readonly (readonly [level: string, rule: Condition])[]>> = {
  project: Object.entries(makeProject).map(([level, rule]) => [level, { all: [seePlace, rule, takeProject] }]),
  group: Object.entries(makeSubgroup).map(([level, rule]) => [level, { all: [seePlace, rule] }]),
};

rootList('transferLocations', {
  type: Group,
  description: 'The groups to which you can transfer a project or a group that you own, ordered by name by default.',
  admission: { class: 'token', scopes: reads },
  orders: groupOrders,
  by: 'name_asc',
  args: (t) => ({
    project: t.id({ description: 'Full path or id of the project to transfer.' }),
    group: t.id({ description: 'Full path or id of the group to transfer. Name a project or a group.' }),
    search: t.string({ description: 'Words that must all occur in the name or the full path.' }),
  }),
  rows: async (context, { project, group, search }) => {
    if ((project == null) === (group == null)) throw new BadRequest('Name a project or a group.');
    const kind = project == null ? 'group' : 'project';
    const { viewer } = context;
    const row =
      project == null
        ? await lookUp(context, findGroup, 'Group', group!)
        : await lookUp(context, findProject, 'Project', project);
    if (!holds(kind === 'project' ? ownProject : manageGroup, viewer, facts(row))) throw new Forbidden();
    return locationList(
      viewer.person?.id ?? null,
      (columns) => rules[kind].map(([level, rule]) => [level, toSql(rule, viewer, columns)] as const),
      kind === 'project' ? { project: row.id } : { group: row.id },
      searchText(search),
    );
  },
});
