import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PlannedJob } from '../../src/ci/plan.ts';
import { insertJobs, insertPlanned } from '../../src/schema/pipelines/creation/statements.ts';
import { NotStartable, playJob, retryJob, retryPipeline } from '../../src/schema/pipelines/processing/again.ts';
import { cancelPipelineJobs } from '../../src/schema/pipelines/processing/cancel.ts';
import { cancelJob, finishJob } from '../../src/schema/pipelines/processing/finish.ts';
import { processPipeline } from '../../src/schema/pipelines/processing/process.ts';
import { newCode } from '../repository/support/code.ts';
import { testGateway } from '../support/gateway.ts';
import { runs } from '../support/run/runs.ts';

/**
 * Random pipelines, with random answers of runners, cancels and retries. After each step, the statuses are what the table of
 * the contract says of the jobs (written down here once more, word by word), and every job that started did so in its turn.
 */

const gateway = await testGateway();
const { database, files } = gateway.gateway.application;
const person = 2;

interface Job {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly allowed: boolean;
  readonly stage: number;
  readonly when: string;
  readonly needs: readonly string[] | null;
}

/** The table: contract, §1. */
function statusOf(jobs: readonly Job[]): string {
  const kinds = jobs.map(({ status, allowed }) => {
    if (allowed && (status === 'failed' || status === 'canceled')) return 'W';
    return allowed && status === 'manual' ? 'I' : status;
  });
  const only = (...of: string[]) => kinds.every((kind) => of.includes(kind));
  const some = (...of: string[]) => kinds.some((kind) => of.includes(kind));
  if (only('skipped', 'I')) return 'skipped';
  if (only('success', 'skipped', 'W', 'I')) return 'success';
  if (only('created', 'W', 'I')) return 'created';
  if (only('canceled', 'success', 'skipped', 'W', 'I')) return 'canceled';
  if (only('pending', 'created', 'skipped', 'W', 'I')) return 'pending';
  if (some('running', 'pending')) return 'running';
  if (some('manual')) return 'manual';
  if (some('scheduled')) return 'scheduled';
  return some('created') ? 'running' : 'failed';
}

const over = ['success', 'failed', 'canceled', 'skipped'];

/** What a job waits for. */
const before = (job: Job, all: readonly Job[]) =>
  job.needs === null
    ? all.filter(({ stage }) => stage < job.stage)
    : all.filter(({ name }) => job.needs!.includes(name));

/** What becomes of a job that was created, by the contract’s start rule; `created` while it waits. */
function turn(job: Job, all: readonly Job[]): string {
  const earlier = before(job, all);
  const status = earlier.length === 0 ? 'success' : statusOf(earlier);
  if (!over.includes(status)) return 'created';
  const isMissing = (one: Job) => one.status === 'skipped' || (one.status === 'manual' && one.allowed);
  if (job.needs !== null && earlier.some(isMissing) && job.when !== 'always') return 'skipped';
  const good = status === 'success' || status === 'skipped';
  switch (job.when) {
    case 'on_success':
      return good ? 'pending' : 'skipped';
    case 'on_failure':
      return status === 'failed' ? 'pending' : 'skipped';
    case 'always':
      return status === 'canceled' ? 'skipped' : 'pending';
    case 'manual':
      return good ? 'manual' : 'skipped';
    default:
      return good ? 'scheduled' : 'skipped';
  }
}

const whens = ['on_success', 'on_success', 'on_success', 'on_failure', 'always', 'manual', 'delayed'] as const;

const planned = fc.array(
  fc.record({
    stage: fc.nat(3),
    when: fc.constantFrom(...whens),
    allowFailure: fc.boolean(),
    retries: fc.constantFrom(0, 0, 1, 2),
    needs: fc.option(fc.array(fc.nat(7), { maxLength: 3 }), { nil: null, freq: 2 }),
  }),
  { minLength: 1, maxLength: 8 },
);

/** Jobs in the order of their stages; they need only such as come before them. */
const planOf = (given: typeof planned extends fc.Arbitrary<infer Given> ? Given : never) =>
  given
    .toSorted((one, other) => one.stage - other.stage)
    .map(({ stage, when, allowFailure, retries, needs }, index): PlannedJob => {
      const needed = needs && index > 0 ? [...new Set(needs.map((one) => one % index))] : needs && [];
      return {
        name: `job ${index}`,
        stage: `stage ${stage}`,
        stageIndex: stage,
        when,
        ...(when === 'delayed' && { startIn: 86_400 }),
        allowFailure,
        allowedExitCodes: [7],
        needs: needed && needed.map((one) => ({ job: `job ${one}`, artifacts: true, optional: false })),
        dependencies: null,
        variables: [],
        script: ['true'],
        afterScript: [],
        image: null,
        services: [],
        cache: [],
        artifacts: null,
        environment: null,
        tags: [],
        retry: { max: retries, when: ['script_failure'] },
        interruptible: false,
      };
    });

const project = await newCode(gateway);

async function started(plan: readonly PlannedJob[]): Promise<number> {
  return await database.transaction(async (sql) => {
    const of = [
      project.id,
      'main',
      false,
      'a'.repeat(40),
      'push',
      person,
      ...Array(4).fill(null),
      false,
      ...Array(3).fill(null),
      false,
      [],
    ];
    const [pipeline] = await sql.rows(insertPlanned, of);
    await sql.rows(insertJobs, [pipeline!.id, JSON.stringify(plan), person, 3600, plan.map(() => null)]);
    await processPipeline(sql, pipeline!, person);
    return pipeline!.id;
  });
}

const jobsOf = (pipeline: number) =>
  gateway.sql<Job>(
    `select id, name, status, allow_failure as allowed, stage_index as stage, when_to_run as "when",
            case when has_needs then needs end as needs
       from ci_jobs where pipeline_id = $1 and not retried order by stage_index, id`,
    [pipeline],
  );

/** What may be done next, by chance. */
type Act = (pipeline: number, job: Job) => Promise<unknown>;
const finish =
  (outcome: object): Act =>
  async (_pipeline, { id }) => {
    const claimed = await gateway.sql(
      "update ci_jobs set status = 'running', started_at = now(), contacted_at = now() where id = $1 and status = 'pending' returning id",
      [id],
    );
    if (claimed.length > 0) expect(await finishJob({ database, files }, id, outcome as never)).toBe('finished');
    else expect(await finishJob({ database, files }, id, outcome as never)).toBe('not running');
  };
const orNot = async (work: Promise<unknown>) => {
  await work.catch((error: unknown) => {
    if (!(error instanceof NotStartable)) throw error;
  });
};
const acts: readonly Act[] = [
  finish({ status: 'success' }),
  finish({ status: 'success' }),
  finish({ status: 'success' }),
  finish({ status: 'failed', failureReason: 'script_failure' }),
  finish({ status: 'failed', failureReason: 'runner_system_failure' }),
  finish({ status: 'failed', failureReason: 'script_failure', exitCode: 7 }),
  (_pipeline, { id }) => cancelJob({ database }, id, person),
  (_pipeline, { id }) => orNot(retryJob({ database }, id, person)),
  (_pipeline, { id }) => orNot(playJob({ database }, id, person)),
  (id) => retryPipeline({ database }, { id, projectId: project.id }, person),
  (id) => cancelPipelineJobs({ database }, project.id, id, person),
];

/** What holds after each step. @param asked the job that a person or a runner did something with */
async function check(pipeline: number, former: readonly Job[], asked: Job | undefined): Promise<readonly Job[]> {
  const jobs = await jobsOf(pipeline);
  const [row] = await gateway.sql<{ status: string; finished_at: Date | null }>(
    'select status, finished_at from pipelines where id = $1',
    [pipeline],
  );
  expect(row!.status).toBe(statusOf(jobs));
  expect(row!.finished_at !== null).toBe(over.includes(row!.status));
  for (const job of jobs) {
    // Nothing waits whose turn it is.
    if (job.status === 'created') expect(turn(job, jobs)).toBe('created');
    const was = former.find(({ name }) => name === job.name);
    const isNew = was?.id !== job.id || was.status !== job.status;
    const isAutomatic = job.name !== asked?.name;
    // What started by itself did so in its turn.
    if (isNew && isAutomatic && ['pending', 'manual', 'scheduled', 'skipped'].includes(job.status))
      expect([job.name, turn(job, jobs)]).toEqual([job.name, job.status]);
  }
  const names = jobs.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  return jobs;
}

/** The stages, as clients see them, have the statuses that the table gives to their jobs. */
async function checkStages(pipeline: number, jobs: readonly Job[]): Promise<void> {
  const query = `{ pipeline(project: "${project.fullPath}", id: "${pipeline}") { stages { nodes { name status } } } }`;
  const { data } = await gateway.graphql<{ pipeline: { stages: { nodes: object[] } } }>(query, {
    token: gateway.tokens.maintainer,
  });
  const stages = [...new Set(jobs.map(({ stage }) => stage))].toSorted((one, other) => one - other);
  expect(data!.pipeline.stages.nodes).toEqual(
    stages.map((stage) => ({
      name: `stage ${stage}`,
      status: statusOf(jobs.filter((job) => job.stage === stage)).toUpperCase(),
    })),
  );
}

test('statuses follow the table, and no job starts before its turn, whatever happens', async () => {
  const steps = fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(planned, steps, async (given, choices) => {
      const pipeline = await started(planOf(given));
      let jobs = await check(pipeline, [], undefined);
      for (const [which, what] of choices) {
        const job = jobs[which % jobs.length]!;
        await acts[what % acts.length]!(pipeline, job);
        jobs = await check(pipeline, jobs, job);
      }
      await checkStages(pipeline, jobs);
    }),
    { numRuns: 25 * runs },
  );
});

test('of several outcomes that arrive at once, one counts', async () => {
  for (let round = 0; round < 3 * runs; round++) {
    const pipeline = await started(
      planOf([{ stage: 0, when: 'on_success', allowFailure: false, retries: 0, needs: null }]),
    );
    const [{ id }] = (await jobsOf(pipeline)) as [Job];
    await gateway.sql("update ci_jobs set status = 'running', started_at = now() where id = $1", [id]);
    const answers = await Promise.all([
      finishJob({ database, files }, id, { status: 'success' }),
      finishJob({ database, files }, id, { status: 'failed', failureReason: 'script_failure' }),
      finishJob({ database, files }, id, { status: 'success' }),
      cancelJob({ database }, id, person).then((done) => (done ? 'finished' : 'not running')),
    ]);
    expect(answers.filter((one) => one === 'finished')).toHaveLength(1);
    await check(pipeline, [], undefined);
  }
});
