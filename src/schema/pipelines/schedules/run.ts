import { contextOfPerson, type Application, type Context } from '../../../context.ts';
import type { Database } from '../../../database/index.ts';
import { Forbidden, InvalidFields, NotFound } from '../../../errors.ts';
import { enqueue } from '../../../jobs/enqueue.ts';
import { runPipelines } from '../../../policy/index.ts';
import type { PayloadOf } from '../../../values/kinds/job-kinds.ts';
import { repositoryIn, type RepositoryRecord } from '../../repository/repositories/look-up.ts';
import { createPipeline } from '../creation/create.ts';
import { AlreadyMade } from '../creation/refused.ts';
import type { PipelineRecord } from '../pipelines/read.ts';
import { nextRun } from './clock.ts';
import { findScheduleVariables, type ScheduleRow } from './statements/reading.ts';
import {
  findActiveSchedule,
  lockDueSchedules,
  noteProblem,
  noteRun,
  setNextRun,
  stopSchedule,
} from './statements/running.ts';
import { requireValue } from './variables.ts';

/** Running schedules: by the clock, and because someone wants it. */

/** Schedules taken at once. */
const atOnce = 100;

/**
 * The job `find_due_schedules`: gives each schedule that is due its next time, and the queue its run. Two processes take
 * different ones. What was missed while no gateway ran is made up for once.
 */
export async function findDueSchedules(database: Database, signal: AbortSignal): Promise<void> {
  for (let taken = atOnce; taken === atOnce && !signal.aborted;) {
    taken = await database.transaction(async (sql) => {
      const now = new Date();
      const due = await sql.rows(lockDueSchedules, [atOnce]);
      for (const schedule of due) {
        const next = nextRun({ ...schedule, lastRunAt: now }, now);
        await sql.rows(setNextRun, [schedule.id, next]);
      }
      for (const { id, nextRunAt } of due)
        await enqueue(
          sql,
          'run_pipeline_schedule',
          { scheduleId: id, due: nextRunAt!.toISOString() },
          { key: String(id) },
        );
      return due.length;
    });
  }
}

/**
 * The job `run_pipeline_schedule`. May be repeated: a run that has its pipeline makes no other. A schedule whose owner may
 * not start pipelines any more stops.
 */
export async function runSchedule(
  application: Application,
  { scheduleId, due }: PayloadOf<'run_pipeline_schedule'>,
): Promise<void> {
  const { database } = application;
  const [schedule] = await database.rows(findActiveSchedule, [scheduleId]);
  if (!schedule) return;
  const context = schedule.ownerId === null ? undefined : await contextOfPerson(application, schedule.ownerId);
  const repository = context && (await repositoryOf(context, schedule));
  if (!context || !repository) {
    await database.rows(stopSchedule, [schedule.id, 'Its owner may not start pipelines here any more.']);
    return;
  }
  try {
    await makePipeline(context, repository, schedule, new Date(due));
  } catch (error) {
    if (error instanceof AlreadyMade) return;
    if (!(error instanceof InvalidFields)) throw error;
    await database.rows(noteProblem, [schedule.id, error.message.slice(0, longestProblem)]);
  }
}

const longestProblem = 1_000;

/** The repository; undefined if the owner doesn't start pipelines in it any more. */
async function repositoryOf(context: Context, { projectId }: ScheduleRow): Promise<RepositoryRecord | undefined> {
  try {
    return await repositoryIn(context, String(projectId), runPipelines);
  } catch (error) {
    if (error instanceof NotFound || error instanceof Forbidden) return undefined;
    throw error;
  }
}

/**
 * Makes a pipeline of a schedule, as the viewer.
 * @param due the time of the clock, for which there is one pipeline; null if someone wants one now
 * @throws AlreadyMade; InvalidFields if none is made, with the reason
 */
export async function makePipeline(
  context: Context,
  repository: RepositoryRecord,
  schedule: ScheduleRow,
  due: Date | null,
): Promise<PipelineRecord> {
  const { database, keys } = context;
  const variables = await database.rows(findScheduleVariables, [schedule.id]);
  return await createPipeline(context, repository, {
    ref: schedule.ref,
    source: 'schedule',
    scheduleDescription: schedule.description,
    variables: variables.map((one) => ({
      key: one.key,
      value: requireValue(keys, one),
      kind: one.variableType,
      raw: one.raw,
    })),
    also: async (sql, pipelineId) => {
      const [noted] = await sql.rows(noteRun, [schedule.id, pipelineId, due]);
      if (!noted) throw new AlreadyMade(schedule.ref);
    },
  });
}
