import { statement } from '../../../../database/index.ts';
import { scheduleReading, type ScheduleRow } from './reading.ts';

/** Schedules that are due, locked until the transaction ends; those that another process has are left out. $1 how many. */
export const lockDueSchedules = statement<ScheduleRow>(
  'lock_due_pipeline_schedules',
  `select ${scheduleReading.columns} from ${scheduleReading.from}
    where its.active and its.next_run_at <= now() and not place.archived and place.deleting_since is null
    order by its.next_run_at limit $1::int for update of its skip locked`,
);

/** $1 id, $2 the next run or null. */
export const setNextRun = statement<object>(
  'set_next_run_of_pipeline_schedule',
  'update pipeline_schedules set next_run_at = $2::timestamptz where id = $1::int',
);

/** A schedule that runs. $1 id. */
export const findActiveSchedule = statement<ScheduleRow>(
  'find_active_pipeline_schedule',
  `select ${scheduleReading.columns} from ${scheduleReading.from} where its.id = $1::int and its.active`,
);

/** Stops a schedule. $1 id, $2 why. */
export const stopSchedule = statement<object>(
  'stop_pipeline_schedule',
  'update pipeline_schedules set active = false, last_problem = $2::text, updated_at = now() where id = $1::int',
);

/** $1 id, $2 why there is no pipeline. */
export const noteProblem = statement<object>(
  'note_problem_of_pipeline_schedule',
  'update pipeline_schedules set last_problem = $2::text where id = $1::int',
);

/**
 * Notes the pipeline of a run. No row: there is one for this time already, or the schedule was deleted. $1 id, $2 pipeline,
 * $3 the time of the clock, or null.
 */
export const noteRun = statement<{ id: number }>(
  'note_run_of_pipeline_schedule',
  `with noted as (
     update pipeline_schedules set last_pipeline_id = $2::int, last_problem = null,
            last_run_at = coalesce($3::timestamptz, last_run_at)
      where id = $1::int and ($3::timestamptz is null or last_run_at is null or last_run_at < $3::timestamptz)
     returning id
   )
   insert into pipeline_schedule_runs (schedule_id, pipeline_id) select noted.id, $2::int from noted
   returning schedule_id as id`,
);
