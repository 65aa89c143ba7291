import type { Context } from '../../../context.ts';
import { Forbidden, NotFound, PlainForbidden, BadRequest } from '../../../errors.ts';
import { writes } from '../../../policy/index.ts';
import { mutation, type FieldsOf, type InputsOf } from '../../engine/mutation.ts';
import { removeTraceAndArtifacts } from '../artifacts/read.ts';
import { checkVariables, VariableInput } from '../creation/input.ts';
import { isOutdatedDeployment } from '../deployments/of-jobs.ts';
import { NotStartable, playJob, retryJob, unscheduleJob } from '../processing/again.ts';
import { cancelJob } from '../processing/finish.ts';
import { sealForJob } from '../processing/sealing.ts';
import { requireRun } from '../pipelines/rights.ts';
import { jobOf, type FoundJob } from './find.ts';
import { jobById } from './read.ts';
import { mayErase } from './rights.ts';
import { isPlayable, isRetryable } from './states-of-one.ts';
import { eraseJob, type JobRecord } from './statements.ts';
import { CiJob } from './types.ts';

/** What people do with jobs. */

const admission = { class: 'token', scopes: writes } as const;

const payload = (t: FieldsOf<{ job: JobRecord }>) => ({ job: t.expose('job', { type: CiJob }) });

const project = (t: InputsOf) =>
  t.id({ description: 'Full path, global id or number of its project. Omitted: the project that the job belongs to.' });

/** The job after a change. @throws NotFound */
async function shown(context: Context, id: number): Promise<{ job: JobRecord }> {
  const job = await jobById(context, id);
  if (!job) throw new NotFound('Job');
  return { job };
}

const notRetryable = () => new Forbidden('Job is not retryable');
const unplayable = () => new BadRequest('Unplayable Job');

/** @throws what `refuse` makes, if someone else was faster */
async function orRefuse<T>(work: Promise<T>, refuse: () => Error): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof NotStartable ? refuse() : error;
  }
}

interface GivenVariables {
  readonly variables?: readonly { readonly key: string; readonly value: string }[] | null;
}

/** Seals the variables that someone gives a job. @throws InvalidFields */
function sealing({ keys }: Context, { variables }: GivenVariables) {
  const given = variables ?? [];
  checkVariables(given);
  return (jobId: number) => given.map(({ key, value }) => ({ key, sealed: sealForJob(keys, jobId, key, value) }));
}

mutation('jobCancel', {
  description: 'Cancels a job that hasn’t finished; one that has stays as it is. From Developer up.',
  admission,
  input: (t) => ({ projectPath: project(t), id: t.field({ type: 'CiBuildID', required: true }) }),
  payload,
  resolve: async (context, given) => {
    const found = await jobOf(context, given);
    await requireRun(context, found.repository, found.job);
    await cancelJob(context, found.job.id, context.viewer.person?.id ?? null);
    return await shown(context, found.job.id);
  },
});

mutation('jobRetry', {
  description: 'Makes a new job in place of one that has finished. From Developer up.',
  admission,
  input: (t) => ({
    projectPath: project(t),
    id: t.field({ type: 'CiProcessableID', required: true }),
    variables: t.field({ type: [VariableInput], description: 'For the new job, if a person started the former one.' }),
  }),
  payload,
  resolve: async (context, { variables, ...given }) => {
    const found = await jobOf(context, given);
    await requireRun(context, found.repository, found.job);
    return await shown(context, await retry(context, found, { variables: variables ?? null }));
  },
});

/** @returns the new job @throws Forbidden */
async function retry(context: Context, found: FoundJob, given: GivenVariables): Promise<number> {
  const { job } = found;
  const seal = sealing(context, given);
  if (!isRetryable(job)) throw notRetryable();
  await refuseOutdated(context, found, true);
  return await orRefuse(retryJob(context, job.id, starter(context), seal), notRetryable);
}

/** @param ranBefore whether the job has finished, and runs again @throws Forbidden for what is newer on its environment */
async function refuseOutdated({ database }: Context, { job }: FoundJob, ranBefore: boolean): Promise<void> {
  if (await isOutdatedDeployment(database, job.id, { ranBefore }))
    throw new Forbidden('The deployment job is older than the previously succeeded deployment job');
}

/** Who starts a job. */
function starter({ viewer }: Context): number {
  if (!viewer.person) throw new Forbidden('Only a person starts jobs.');
  return viewer.person.id;
}

mutation('jobPlay', {
  description: 'Starts a job that waits for a person, or for its time. From Developer up.',
  admission,
  input: (t) => ({
    projectPath: project(t),
    id: t.field({ type: 'CiProcessableID', required: true }),
    variables: t.field({ type: [VariableInput], description: 'They win over all others.' }),
  }),
  payload,
  resolve: async (context, { variables, ...given }) => {
    const found = await jobOf(context, given);
    await requireRun(context, found.repository, found.job);
    const { job } = found;
    if (!isPlayable(job)) throw unplayable();
    const wanted = { variables: variables ?? null };
    if (isRetryable(job)) return await shown(context, await retry(context, found, wanted));
    await refuseOutdated(context, found, false);
    const sealed = sealing(context, wanted)(job.id);
    await orRefuse(playJob(context, job.id, starter(context), sealed), unplayable);
    return await shown(context, job.id);
  },
});

mutation('jobUnschedule', {
  description: 'Has a delayed job wait for a person, so that it doesn’t start by itself. From Developer up.',
  admission,
  input: (t) => ({ projectPath: project(t), id: t.field({ type: 'CiBuildID', required: true }) }),
  payload,
  resolve: async (context, given) => {
    const found = await jobOf(context, given);
    await requireRun(context, found.repository, found.job);
    if (!(await unscheduleJob(context, found.job.id, context.viewer.person?.id ?? null)))
      throw new BadRequest('The job doesn’t wait for its time.');
    return await shown(context, found.job.id);
  },
});

mutation('jobErase', {
  description:
    'Removes the log and the artifacts of a job that has finished. For who started it, from Developer up, and for maintainers.',
  admission,
  input: (t) => ({ projectPath: project(t), id: t.field({ type: 'CiBuildID', required: true }) }),
  payload,
  resolve: async (context, given) => {
    const found = await jobOf(context, given);
    const { job, repository } = found;
    if (!(await mayErase(context, repository, job))) throw new Forbidden();
    await context.database.transaction(async (sql) => {
      const [erased] = await sql.rows(eraseJob, [job.id]);
      if (!erased) throw new PlainForbidden('403 Forbidden - Job is not erasable!');
      await removeTraceAndArtifacts(sql, [job.id]);
    });
    return await shown(context, job.id);
  },
});
