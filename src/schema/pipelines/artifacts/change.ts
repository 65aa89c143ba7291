import type { Context } from '../../../context.ts';
import { Forbidden, NotFound } from '../../../errors.ts';
import { deleteArtifacts, mayChange, runPipelines, writes, type Condition } from '../../../policy/index.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { jobOf, type FoundJob } from '../jobs/find.ts';
import { CiJob } from '../jobs/types.ts';
import type { JobRecord } from '../jobs/read.ts';
import { repositoryIn } from '../../repository/repositories/look-up.ts';
import { abandonArtifactsOfJobs, abandonArtifactsOfProject, keepArtifactsOf } from './statements.ts';

/** Keeping and deleting what jobs left. */

const input = (t: Parameters<Parameters<typeof mutation>[1]['input']>[0]) => ({
  projectPath: t.id({
    description: 'Full path, global id or number of its project. Omitted: the project that the job belongs to.',
  }),
  id: t.field({ type: 'CiBuildID', required: true }),
});

/** @throws NotFound, Forbidden */
async function found(
  context: Context,
  given: { readonly projectPath?: string | null; readonly id: string },
  rule: Condition,
): Promise<FoundJob> {
  const job = await jobOf(context, given);
  if (!mayChange(rule, context.viewer, job.repository.facts, job.repository.archived)) throw new Forbidden();
  return job;
}

mutation('jobArtifactsKeep', {
  description: 'Keeps the artifacts of a job: they don’t expire any more. From Developer up.',
  admission: { class: 'token', scopes: writes },
  input,
  payload: (t: FieldsOf<{ job: JobRecord }>) => ({ job: t.expose('job', { type: CiJob }) }),
  resolve: async (context, given) => {
    const { job } = await found(context, given, runPipelines);
    const kept = await context.database.rows(keepArtifactsOf, [job.id]);
    if (kept.length === 0) throw new NotFound('Artifacts');
    return { job };
  },
});

mutation('jobArtifactsDestroy', {
  description: 'Deletes the artifacts of a job. From Maintainer up.',
  admission: { class: 'token', scopes: writes },
  input,
  payload: (t: FieldsOf<{ job: JobRecord; count: number }>) => ({
    job: t.expose('job', { type: CiJob }),
    destroyedArtifactsCount: t.exposeInt('count'),
  }),
  resolve: async (context, given) => {
    const { job } = await found(context, given, deleteArtifacts);
    const removed = await context.database.rows(abandonArtifactsOfJobs, [[job.id]]);
    return { job, count: removed.length };
  },
});

mutation('projectArtifactsDestroy', {
  description:
    'Deletes the artifacts of all jobs of a project, except the latest ones if the project keeps them. From Maintainer up.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({ projectPath: t.id({ required: true, description: 'Full path, global id or number.' }) }),
  payload: (t: FieldsOf<{ count: number }>) => ({ destroyedArtifactsCount: t.exposeInt('count') }),
  resolve: async (context, { projectPath }) => {
    const { id, archived, facts } = await repositoryIn(context, projectPath, deleteArtifacts);
    if (!mayChange(deleteArtifacts, context.viewer, facts, archived)) throw new Forbidden();
    return { count: (await context.database.rows(abandonArtifactsOfProject, [id])).length };
  },
});
