import { newToken } from '../../../src/auth/credentials/tokens.ts';
import type { PlannedJob } from '../../../src/ci/plan.ts';
import type { TestGateway } from '../../support/gateway.ts';

/** Where a job is: the project, its branch and commit. */
export interface At {
  readonly id: number;
  readonly sha: string;
  readonly ref?: string;
}

/** A job as its configuration has it, and the columns of its row. */
export interface Wanted {
  readonly name?: string;
  readonly script?: readonly string[];
  readonly tags?: readonly string[];
  readonly isProtected?: boolean;
  readonly timeout?: number;
  /** A number; the maintainer’s, unless set. */
  readonly userId?: number;
  readonly plan?: Partial<PlannedJob>;
}

const plan = ({ name = 'test', script = ['true'], tags = [], ...rest }: Wanted): PlannedJob => ({
  name,
  stage: 'test',
  stageIndex: 2,
  when: 'on_success',
  allowFailure: false,
  allowedExitCodes: [],
  needs: null,
  dependencies: null,
  variables: [],
  script,
  afterScript: [],
  image: null,
  services: [],
  cache: [],
  artifacts: null,
  environment: null,
  tags,
  retry: { max: 0, when: ['always'] },
  interruptible: false,
  ...rest.plan,
});

/** A pipeline with one job that waits for a runner, written into the tables. */
export async function pendingJob({ sql }: TestGateway, at: At, wanted: Wanted = {}) {
  const { ref = 'main', sha, id: project } = at;
  const { isProtected = false, timeout = null, userId = 2 } = wanted;
  const planned = plan(wanted);
  const [pipeline] = await sql<{ id: number }>(
    `insert into pipelines (project_id, iid, ref, sha, before_sha, status, source, user_id, protected)
     select $1, coalesce(max(iid), 0) + 1, $2, $3, repeat('0', 40), 'pending', 'push', $4, $5
       from pipelines where project_id = $1 returning id`,
    [project, ref, sha, userId, isProtected],
  );
  const [job] = await sql<{ id: number }>(
    `with made as (
       insert into ci_jobs (kind, pipeline_id, project_id, name, stage, stage_index, ref, sha, status, user_id, tags,
              protected, timeout, queued_at, when_to_run)
       values ('job', $1, $2, $3, $4, $5, $6, $7, 'pending', $8, $9, $10, $11, now(), 'on_success') returning id
     )
     insert into ci_job_plans (job_id, plan) select id, $12 from made returning job_id as id`,
    [
      pipeline!.id,
      project,
      planned.name,
      planned.stage,
      planned.stageIndex,
      ref,
      sha,
      userId,
      planned.tags,
      isProtected,
      timeout,
      JSON.stringify(planned),
    ],
  );
  return { id: job!.id, pipelineId: pipeline!.id };
}

/** The same, running with a token of its own. */
export async function runningJob(gateway: TestGateway, at: At, wanted: Wanted = {}) {
  const job = await pendingJob(gateway, at, wanted);
  const { secret, digest } = newToken('job');
  await gateway.sql(
    `update ci_jobs set status = 'running', started_at = now(), token_digest = $2, issued_digest = $2 where id = $1`,
    [job.id, digest],
  );
  await gateway.sql(`update pipelines set status = 'running', started_at = now() where id = $1`, [job.pipelineId]);
  return { ...job, token: secret };
}

/** Ends a job as the gateway does: its token has no rights any more. */
export const endJob = ({ sql }: TestGateway, job: number, status = 'success') =>
  sql(`update ci_jobs set status = $2, finished_at = now(), token_digest = null where id = $1`, [job, status]);
