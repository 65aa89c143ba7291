import { randomBytes } from 'node:crypto';
import { answer, answerPage, bodyOf, digest, unauthorized, type Asked } from './by-hand.ts';
import { here } from './floor-planning.ts';

/** The floor of pipelines: a page of those of a project, and a job handed out to a runner, each with one statement. */

const statements = {
  pipelines: `with ${here}
    select q.id, q.iid, q.project_id, q.sha, q.ref, q.status, q.source, q.created_at, q.updated_at, q.name, place.full_path,
           count(*) over ()::int as total
      from place join pipelines q on q.project_id = place.id order by q.id desc limit 20`,
  claim: `with me as (select id, tags from runners where token_digest = $1 and not paused), chosen as (
      select j.id from me join runner_projects rp on rp.runner_id = me.id
        join ci_jobs j on j.project_id = rp.project_id and j.status = 'pending' and j.tags <@ me.tags
       order by j.id limit 1 for update of j skip locked
    ), claimed as (
      update ci_jobs j set status = 'running', runner_id = me.id, token_digest = $2, started_at = now(), updated_at = now()
        from chosen, me where j.id = chosen.id
      returning j.id, j.name, j.stage, j.ref, j.sha, j.project_id, j.pipeline_id
    )
    select c.*, plan.plan, p.full_path, p.path, p.name as title, p.default_branch, q.iid, q.source
      from claimed c join ci_job_plans plan on plan.job_id = c.id
      join projects p on p.id = c.project_id join pipelines q on q.id = c.pipeline_id`,
};

interface PipelineRow {
  readonly id: number;
  readonly iid: number;
  readonly project_id: number;
  readonly sha: string;
  readonly ref: string;
  readonly status: string;
  readonly source: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly name: string | null;
  readonly full_path: string;
  readonly total: number;
}

interface JobRow {
  readonly id: number;
  readonly name: string;
  readonly stage: string;
  readonly ref: string;
  readonly sha: string;
  readonly project_id: number;
  readonly pipeline_id: number;
  readonly plan: { readonly script: readonly string[] };
  readonly full_path: string;
  readonly path: string;
  readonly title: string;
  readonly default_branch: string | null;
  readonly iid: number;
  readonly source: string;
}

/** What a runner needs to carry a job out. */
function payloadOf(job: JobRow, token: string, baseUrl: string): object {
  const variables = {
    CI: 'true',
    GITLAB_CI: 'true',
    CI_JOB_ID: job.id,
    CI_JOB_NAME: job.name,
    CI_JOB_STAGE: job.stage,
    CI_JOB_TOKEN: token,
    CI_PIPELINE_ID: job.pipeline_id,
    CI_PIPELINE_IID: job.iid,
    CI_PIPELINE_SOURCE: job.source,
    CI_COMMIT_SHA: job.sha,
    CI_COMMIT_REF_NAME: job.ref,
    CI_PROJECT_ID: job.project_id,
    CI_PROJECT_NAME: job.path,
    CI_PROJECT_TITLE: job.title,
    CI_PROJECT_PATH: job.full_path,
    CI_DEFAULT_BRANCH: job.default_branch ?? '',
    CI_SERVER_URL: baseUrl,
    CI_API_V4_URL: `${baseUrl}/api/v4`,
  };
  return {
    id: job.id,
    token,
    allow_git_fetch: true,
    job_info: { name: job.name, stage: job.stage, project_id: job.project_id, project_name: job.path },
    git_info: {
      repo_url: `${baseUrl}/${job.full_path}.git`,
      ref: job.ref,
      sha: job.sha,
      ref_type: 'branch',
      refspecs: [`+refs/pipelines/${job.pipeline_id}:refs/pipelines/${job.pipeline_id}`],
      depth: 20,
    },
    runner_info: { timeout: 3600, runner_session_url: null },
    variables: Object.entries(variables).map(([key, value]) => ({
      key,
      value: String(value),
      public: true,
      masked: false,
    })),
    steps: [{ name: 'script', script: job.plan.script, timeout: 3600, when: 'on_success', allow_failure: false }],
    image: null,
    services: [],
    artifacts: null,
    cache: [],
    credentials: [],
    dependencies: [],
  };
}

/** @returns whether the address is one of pipelines */
export async function pipelines({ pool, request, response, secret, path, baseUrl }: Asked): Promise<boolean> {
  if (path === '/api/v4/jobs/request') {
    const { token } = JSON.parse(await bodyOf(request)) as { token: string };
    const own = randomBytes(32).toString('base64url');
    const values = [digest(token), digest(own)];
    const { rows } = await pool.query<JobRow>({ name: 'claim', text: statements.claim, values });
    if (rows[0]) answer(response, 201, payloadOf(rows[0], own, baseUrl));
    else response.writeHead(204).end();
    return true;
  }
  const [, project] = /^\/api\/v4\/projects\/(\d+)\/pipelines$/.exec(path) ?? [];
  if (project === undefined) return false;
  const values = [secret, project];
  const { rows } = await pool.query<PipelineRow>({ name: 'pipelines', text: statements.pipelines, values });
  const [first] = rows;
  if (!first) {
    unauthorized(response);
    return true;
  }
  const records = rows.map(({ full_path, total: _total, name, ...row }) => ({
    ...row,
    web_url: `${baseUrl}/${full_path}/-/pipelines/${row.id}`,
    name,
  }));
  answerPage({ response, path, baseUrl }, records, first.total);
  return true;
}
