import type { Context } from '../../../context.ts';
import { findGroup, findProject } from '../../../database/access/places.ts';
import { parent } from '../../../database/list.ts';
import { BadRequest } from '../../../errors.ts';
import { reads } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { nestedList, rootList, sortEnum } from '../../engine/list.ts';
import { lookUp } from '../../places/place/look-up.ts';
import { Group, Project } from '../../places/place/types.ts';
import { timelogOrders, timelogsIn, type TimelogFilter } from './statements.ts';
import { Timelog, timelogsOfEach } from './timelogs.ts';

/** The times that were spent on what a person reads: in a project, in a group, and everywhere. */

const filterArgs = builder.args((t) => ({
  username: t.string({ description: 'Only those of this person.' }),
  startDate: t.field({ type: 'Time', description: 'Only those spent on this day (UTC) or later.' }),
  endDate: t.field({ type: 'Time', description: 'Only those spent on this day (UTC) or earlier.' }),
  startTime: t.field({ type: 'Time', description: 'Only those spent at this time or later.' }),
  endTime: t.field({ type: 'Time', description: 'Only those spent at this time or earlier.' }),
}));

interface Asked {
  readonly username?: string | null;
  readonly startDate?: Date | null;
  readonly endDate?: Date | null;
  readonly startTime?: Date | null;
  readonly endTime?: Date | null;
}

const dayInMilliseconds = 86_400_000;
const startOfDay = (moment: Date) => Math.floor(moment.getTime() / dayInMilliseconds) * dayInMilliseconds;

/** @throws BadRequest in GitLab’s words */
function filterOf({ username, startDate, endDate, startTime, endTime }: Asked): TimelogFilter {
  if (startDate && startTime) throw new BadRequest('Provide either a start date or time, but not both');
  if (endDate && endTime) throw new BadRequest('Provide either an end date or time, but not both');
  const from = startDate ? new Date(startOfDay(startDate)) : startTime;
  const to = endDate ? new Date(startOfDay(endDate) + dayInMilliseconds - 1) : endTime;
  if (from && to && from > to) throw new BadRequest('Start argument must be before End argument');
  return { username, from, to };
}

const sorted = {
  type: Timelog,
  orders: timelogOrders,
  by: 'spent_at_asc',
  sortType: sortEnum('TimelogSort', timelogOrders),
} as const;

rootList('timelogs', {
  ...sorted,
  description: 'Times that were spent on issues and merge requests that you can read. At least one filter is needed.',
  admission: { class: 'token', scopes: reads, anonymous: true },
  args: (t) => ({
    projectId: t.field({ type: 'ProjectID', description: 'Only those in this project.' }),
    groupId: t.field({ type: 'GroupID', description: 'Only those in this group and its subgroups.' }),
    ...filterArgs,
  }),
  rows: async (context, { projectId, groupId, ...asked }) => {
    const filter = filterOf(asked);
    if (projectId != null && groupId != null) throw new BadRequest('Name a project or a group, not both.');
    return timelogsIn(context.viewer, await placeOf(context, projectId, groupId, filter), filter);
  },
});

/** @throws NotFound for what the viewer doesn’t see, BadRequest without any filter */
async function placeOf(
  context: Context,
  project: string | null | undefined,
  group: string | null | undefined,
  { username, from, to }: TimelogFilter,
) {
  if (project != null) return { project: (await lookUp(context, findProject, 'Project', project)).id };
  if (group != null) return { group: (await lookUp(context, findGroup, 'Group', group)).id };
  if (!username && !from && !to) throw new BadRequest('Provide at least one argument');
  return 'everywhere';
}

const ofEachProject = timelogsOfEach(({ viewer }, filter: TimelogFilter) =>
  timelogsIn(viewer, { project: parent }, filter),
);
const ofEachGroup = timelogsOfEach(({ viewer }, filter: TimelogFilter) =>
  timelogsIn(viewer, { group: parent }, filter),
);

nestedList(Project, 'timelogs', {
  ...sorted,
  nullable: true,
  description: 'The times that were spent on its issues and merge requests that you can read.',
  args: () => filterArgs,
  rows: (context, asked, _info, { id }) => ofEachProject(context, id, filterOf(asked)),
});

nestedList(Group, 'timelogs', {
  ...sorted,
  description: 'The same in all of its projects and those of its subgroups.',
  args: () => filterArgs,
  rows: (context, asked, _info, { id }) => ofEachGroup(context, id, filterOf(asked)),
});
