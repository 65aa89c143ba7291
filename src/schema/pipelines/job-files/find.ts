import type { Context } from '../../../context.ts';
import { Forbidden, NotFound } from '../../../errors.ts';
import { holds, readPrivateJobFiles } from '../../../policy/index.ts';
import { artifactsOfJob, type ArtifactRow } from '../artifacts/read.ts';
import type { FoundJob } from '../jobs/find.ts';
import { traceOf, type Trace } from '../traces/read.ts';

/** Whether the viewer, who reads a job, reads what isn’t for everyone. */
const readsPrivate = (context: Context, { repository }: FoundJob) =>
  holds(readPrivateJobFiles, context.viewer, repository.facts);

/** The log of a job; undefined without one. @throws Forbidden */
export async function traceFor(context: Context, found: FoundJob): Promise<Trace | undefined> {
  const trace = await traceOf(context, found.job.id);
  if (trace?.debug && !readsPrivate(context, found)) throw new Forbidden();
  return trace;
}

/** The file of a kind that a job left. @throws NotFound if there is none, Forbidden if it isn’t for the viewer */
export async function artifactFor(context: Context, found: FoundJob, wanted = 'archive'): Promise<ArtifactRow> {
  const archive = (await artifactsOfJob(context, found.job.id)).find(({ kind }) => kind === wanted);
  if (!archive) throw new NotFound('Artifacts');
  if (!archive.isPublic && !readsPrivate(context, found)) throw new Forbidden();
  return archive;
}
