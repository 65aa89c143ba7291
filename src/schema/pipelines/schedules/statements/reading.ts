import { ListQuery, parent, type Parent, type Reading } from '../../../../database/list.ts';
import { statement } from '../../../../database/index.ts';
import type { VariableType } from '../../../../values/ci/variables.ts';

/** A schedule of pipelines. */
export interface ScheduleRow {
  readonly id: number;
  readonly projectId: number;
  readonly projectPath: string;
  /** Null for a deleted person. */
  readonly ownerId: number | null;
  readonly description: string;
  /** A branch or tag, by its short or its full name. */
  readonly ref: string;
  readonly cron: string;
  readonly cronTimezone: string;
  readonly active: boolean;
  readonly nextRunAt: Date | null;
  readonly lastRunAt: Date | null;
  readonly lastPipelineId: number | null;
  readonly lastProblem: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const scheduleReading: Reading<ScheduleRow> = {
  columns: `its.id, its.project_id as "projectId", place.full_path as "projectPath", its.owner_id as "ownerId",
    its.description, its.ref, its.cron, its.cron_timezone as "cronTimezone", its.active, its.next_run_at as "nextRunAt",
    its.last_run_at as "lastRunAt", its.last_pipeline_id as "lastPipelineId", its.last_problem as "lastProblem",
    its.created_at as "createdAt", its.updated_at as "updatedAt"`,
  from: 'pipeline_schedules its join projects place on place.id = its.project_id',
  id: 'its.id',
};

export const scheduleOrders = { id: { column: 's.id', type: 'int' } } as const;

/** Filters of a list of schedules. Omitted or null filters match everything. */
export interface ScheduleFilter {
  readonly active?: boolean | null | undefined;
  readonly ids?: readonly number[] | null | undefined;
}

/** The schedules of a project. */
export function scheduleList(project: number | Parent, { active, ids }: ScheduleFilter): ListQuery<ScheduleRow> {
  const query = new ListQuery<ScheduleRow>('pipeline_schedules s', 's.id', scheduleReading);
  query.where(`s.project_id = ${project === parent ? parent : `${query.key(project)}::int`}`);
  if (active != null) query.where(active ? 's.active' : 'not s.active');
  return query.given(ids, (given) => `s.id = any(${given}::int[])`);
}

/** $1 project, $2 id. */
export const findSchedule = statement<ScheduleRow>(
  'find_pipeline_schedule',
  `select ${scheduleReading.columns} from ${scheduleReading.from} where its.project_id = $1::int and its.id = $2::int`,
);

/** The project of a schedule. $1 id. */
export const findProjectOfSchedule = statement<{ id: number }>(
  'find_project_of_pipeline_schedule',
  'select project_id as id from pipeline_schedules where id = $1::int',
);

/** A variable of the pipelines of a schedule. */
export interface ScheduleVariableRow {
  readonly id: number;
  readonly scheduleId: number;
  readonly key: string;
  readonly sealed: Buffer;
  readonly variableType: VariableType;
  readonly raw: boolean;
}

const variableReading: Reading<ScheduleVariableRow> = {
  columns: `v.id, v.schedule_id as "scheduleId", v.key, v.sealed, v.variable_type as "variableType", v.raw`,
  from: 'pipeline_schedule_variables v',
  id: 'v.id',
};

export const scheduleVariableOrders = { id: { column: 'v.id', type: 'int' } } as const;

/** The variables of a schedule. */
export function scheduleVariableList(schedule: number | Parent): ListQuery<ScheduleVariableRow> {
  const query = new ListQuery<ScheduleVariableRow>('pipeline_schedule_variables v', 'v.id', variableReading);
  return query.where(`v.schedule_id = ${schedule === parent ? parent : `${query.key(schedule)}::int`}`);
}

/** All variables of a schedule. $1 schedule. */
export const findScheduleVariables = statement<ScheduleVariableRow>(
  'find_pipeline_schedule_variables',
  `select ${variableReading.columns} from ${variableReading.from} where v.schedule_id = $1::int order by v.id`,
);
