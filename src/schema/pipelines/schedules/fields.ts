import { holds, readJobs, reads } from '../../../policy/index.ts';
import { parent } from '../../../database/list.ts';
import { builder } from '../../engine/builder.ts';
import { listOfEach, nestedList, refuseMany, rootList } from '../../engine/list.ts';
import { Project } from '../../places/place/types.ts';
import { factsOf } from '../../places/projects/permissions.ts';
import { prefetchRepository, repositoryIn } from '../../repository/repositories/look-up.ts';
import { pipelinesOfSchedule } from '../pipelines/of-schedules.ts';
import { Pipeline } from '../pipelines/types.ts';
import { scheduleIn } from './look-up.ts';
import { scheduleList, scheduleOrders, type ScheduleFilter } from './statements/reading.ts';
import { PipelineSchedule, scheduleId } from './types.ts';

/** The schedules of projects: everybody who reads pipelines sees them. */

const ScheduleStatus = builder.enumType('PipelineScheduleStatus', { values: ['ACTIVE', 'INACTIVE'] as const });

const list = { type: PipelineSchedule, orders: scheduleOrders, by: 'id_asc' } as const;

interface Asked {
  readonly status?: 'ACTIVE' | 'INACTIVE' | null;
  readonly ids?: readonly string[] | null;
}

function filterOf({ status, ids }: Asked): ScheduleFilter {
  refuseMany(ids?.length ?? 0, 'schedules');
  return { active: status == null ? status : status === 'ACTIVE', ids: ids?.map(scheduleId) };
}

const projectArg = { required: true, description: 'Full path, global id or number.' } as const;

rootList('pipelineSchedules', {
  ...list,
  description: 'The schedules of a project.',
  admission: { class: 'token', scopes: reads, anonymous: true },
  prefetch: prefetchRepository,
  args: (t) => ({ project: t.id(projectArg), status: t.field({ type: ScheduleStatus }) }),
  rows: async (context, { project, ...asked }) =>
    scheduleList((await repositoryIn(context, project, readJobs)).id, filterOf(asked)),
});

const ofProjects = listOfEach((_context, filter: ScheduleFilter) => scheduleList(parent, filter));

nestedList(Project, 'pipelineSchedules', {
  ...list,
  nullable: true,
  admission: { class: 'token', scopes: reads, anonymous: true },
  description: 'Its schedules; null if you don’t read its pipelines.',
  args: (t) => ({ status: t.field({ type: ScheduleStatus }), ids: t.idList({ description: 'Only these.' }) }),
  rows: async (context, asked, _info, project) =>
    holds(readJobs, context.viewer, await factsOf(context, project))
      ? ofProjects(context, project.id, filterOf(asked))
      : null,
});

builder.queryField('pipelineSchedule', (t) =>
  t.field({
    type: PipelineSchedule,
    nullable: true,
    description: 'A schedule of a project.',
    admission: { class: 'token', scopes: reads, anonymous: true },
    prefetch: prefetchRepository,
    args: { project: t.arg.id(projectArg), id: t.arg({ type: 'CiPipelineScheduleID', required: true }) },
    resolve: async (_root, { project, id }, context) => (await scheduleIn(context, project, String(id))).schedule,
  }),
);

nestedList(PipelineSchedule, 'pipelines', {
  type: Pipeline,
  orders: { id: { column: 'pl.id', type: 'int' } },
  by: 'id_desc',
  description: 'Those that it started, the newest first.',
  rows: (_context, _asked, _info, { id, projectId }) => pipelinesOfSchedule(projectId, id),
});
