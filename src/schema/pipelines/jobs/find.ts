import type { Context } from '../../../context.ts';
import { NotFound } from '../../../errors.ts';
import { readJobs } from '../../../policy/index.ts';
import { repositoryIn, type RepositoryRecord } from '../../repository/repositories/look-up.ts';
import { numberIn } from './ids.ts';
import { jobById } from './read.ts';
import type { JobRecord } from './statements.ts';

/** A job, with its project. */
export interface FoundJob {
  readonly repository: RepositoryRecord;
  readonly job: JobRecord;
}

/**
 * A job of the project that a request names; reported statuses aren’t among them.
 * @throws NotFound if the viewer doesn’t see it, Forbidden
 */
export async function jobIn(context: Context, project: string, id: string): Promise<FoundJob> {
  const repository = await repositoryIn(context, project, readJobs);
  const job = await jobById(context, numberIn(id));
  if (!job || job.projectId !== repository.id || job.kind !== 'job') throw new NotFound('Job');
  return { repository, job };
}

/**
 * The same, by the id of a job alone, or with its project.
 * @throws NotFound: a hidden project and a missing job get the same answer; Forbidden
 */
export async function jobOf(
  context: Context,
  { projectPath, id }: { readonly projectPath?: string | null; readonly id: string },
): Promise<FoundJob> {
  if (projectPath != null) return await jobIn(context, projectPath, id);
  const job = await jobById(context, numberIn(id));
  if (!job) throw new NotFound('Job');
  return await jobIn(context, String(job.projectId), id).catch((error: unknown) => {
    throw error instanceof NotFound ? new NotFound('Job') : error;
  });
}
