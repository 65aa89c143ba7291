import type { Context } from '../../../context.ts';
import { Forbidden, NotFound } from '../../../errors.ts';
import { readJobs } from '../../../policy/index.ts';
import { repositoryIn, type RepositoryRecord } from '../../repository/repositories/look-up.ts';
import { findProjectOfSchedule, findSchedule, type ScheduleRow } from './statements/reading.ts';
import { may } from './rights.ts';
import { scheduleId } from './types.ts';

/** Finding schedules. */

export interface FoundSchedule {
  readonly repository: RepositoryRecord;
  readonly schedule: ScheduleRow;
}

/** A schedule of the project that a request names. @throws NotFound, Forbidden */
export async function scheduleIn(context: Context, project: string, id: string): Promise<FoundSchedule> {
  const repository = await repositoryIn(context, project, readJobs);
  const [schedule] = await context.database.rows(findSchedule, [repository.id, scheduleId(id)]);
  if (!schedule) throw new NotFound('Pipeline Schedule');
  return { repository, schedule };
}

/** How an input names a schedule: GitLab’s mutations don’t name the project. */
export interface ScheduleName {
  readonly projectPath?: string | null | undefined;
  readonly id: number | string;
}

/** @throws NotFound: a hidden project and a missing schedule get the same answer; Forbidden */
async function namedSchedule(context: Context, { projectPath, id }: ScheduleName): Promise<FoundSchedule> {
  if (projectPath != null) return await scheduleIn(context, projectPath, String(id));
  const [project] = await context.database.rows(findProjectOfSchedule, [scheduleId(String(id))]);
  if (!project) throw new NotFound('Pipeline Schedule');
  return await scheduleIn(context, String(project.id), String(id)).catch((error: unknown) => {
    throw error instanceof NotFound ? new NotFound('Pipeline Schedule') : error;
  });
}

/**
 * A schedule with which the viewer may do something. Nothing changes in an archived project.
 * @throws NotFound, Forbidden
 */
export async function scheduleFor(context: Context, name: ScheduleName, to: keyof typeof may): Promise<FoundSchedule> {
  const found = await namedSchedule(context, name);
  const { repository, schedule } = found;
  if (repository.archived || !may[to](context.viewer, repository.facts, schedule)) throw new Forbidden();
  return found;
}
