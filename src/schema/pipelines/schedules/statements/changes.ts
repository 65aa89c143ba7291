import { statement } from '../../../../database/index.ts';
import { scheduleReading, type ScheduleRow, type ScheduleVariableRow } from './reading.ts';

/**
 * Makes a schedule. No row: the project has as many as it may have. $1 project, $2 owner, $3 description, $4 ref, $5
 * expression, $6 time zone, $7 whether it is active, $8 the next run, $9 the most that a project may have.
 */
export const insertSchedule = statement<{ id: number }>(
  'insert_pipeline_schedule',
  `insert into pipeline_schedules (project_id, owner_id, description, ref, cron, cron_timezone, active, next_run_at)
   select $1::int, $2::int, $3::text, $4::text, $5::text, $6::text, $7::boolean, $8::timestamptz
    where (select count(*) from pipeline_schedules other where other.project_id = $1::int) < $9::int
   returning id`,
);

/** A schedule, locked until the transaction ends. $1 project, $2 id. */
export const lockSchedule = statement<ScheduleRow>(
  'lock_pipeline_schedule',
  `select ${scheduleReading.columns} from ${scheduleReading.from}
    where its.project_id = $1::int and its.id = $2::int for update of its`,
);

/** $1 id, $2 description, $3 ref, $4 expression, $5 time zone, $6 whether it is active, $7 the next run. */
export const updateSchedule = statement<object>(
  'update_pipeline_schedule',
  `update pipeline_schedules set description = $2::text, ref = $3::text, cron = $4::text, cron_timezone = $5::text,
          active = $6::boolean, next_run_at = $7::timestamptz, updated_at = now()
    where id = $1::int`,
);

/** $1 id, $2 the new owner. */
export const ownSchedule = statement<object>(
  'own_pipeline_schedule',
  'update pipeline_schedules set owner_id = $2::int, updated_at = now() where id = $1::int',
);

/** $1 id. */
export const deleteSchedule = statement<object>(
  'delete_pipeline_schedule',
  'delete from pipeline_schedules where id = $1::int',
);

/** $1 schedule, $2 name. */
export const findScheduleVariable = statement<ScheduleVariableRow>(
  'find_pipeline_schedule_variable',
  `select id, schedule_id as "scheduleId", key, sealed, variable_type as "variableType", raw
     from pipeline_schedule_variables where schedule_id = $1::int and key = $2::text`,
);

/**
 * Sets a variable. No row: there is one of that name, or the schedule has as many as it may have. $1 schedule, $2 name, $3
 * value, sealed, $4 type, $5 raw, $6 the most.
 */
export const insertScheduleVariable = statement<object>(
  'insert_pipeline_schedule_variable',
  `insert into pipeline_schedule_variables (schedule_id, key, sealed, variable_type, raw)
   select $1::int, $2::text, $3::bytea, $4::text, $5::boolean
    where (select count(*) from pipeline_schedule_variables other where other.schedule_id = $1::int) < $6::int
   on conflict (schedule_id, key) do nothing returning id`,
);

/** $1 id, $2 value, sealed, $3 type, $4 raw. */
export const updateScheduleVariable = statement<object>(
  'update_pipeline_schedule_variable',
  `update pipeline_schedule_variables set sealed = $2::bytea, variable_type = $3::text, raw = $4::boolean,
          updated_at = now()
    where id = $1::int`,
);

/** $1 id. */
export const deleteScheduleVariable = statement<object>(
  'delete_pipeline_schedule_variable',
  'delete from pipeline_schedule_variables where id = $1::int',
);
