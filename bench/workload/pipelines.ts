import { createHash } from 'node:crypto';
import type { Ask } from '../load.ts';
import type { Store } from '../store.ts';
import { asPeople, bearing, both, cpu, throughput, type MakeCalls, type Work } from './request.ts';

/** Pages of pipelines, and jobs handed out to fifty runners at once, beside the floor. */

const runners = 50;
/** Pipelines that each project gets. */
const each = 60;

const owner = ({ people }: Store) => people[0]!;
const tokenOf = (runner: number) => `glrt-bench-runner-${runner}`;

/** Finished pipelines in the projects of all people who take turns. */
async function fill({ pool, people }: Store): Promise<void> {
  const projects = [...new Set(people.map(({ project }) => project))];
  await pool.query(
    `insert into pipelines (project_id, iid, ref, sha, status, source, user_id, created_at, updated_at)
     select p.id, 1000000 + i, 'branch-' || i % 7, lpad(i::text, 40, '0'), 'success', 'push', $2,
            now() - i * interval '1 hour', now() - i * interval '1 hour'
       from unnest($1::int[]) p(id) cross join generate_series(1, ${each}) i
      where not exists (select from pipelines q where q.project_id = p.id)
      order by i desc`,
    [projects, people[0]!.id],
  );
  await pool.query('analyze pipelines');
}

/** The commit of the project whose jobs are handed out. */
const heads = new WeakMap<Store, string>();

/** A project with a commit, and runners of it. */
async function attach(store: Store, ask: Ask): Promise<void> {
  const { pool } = store;
  const { project, id } = owner(store);
  const path = `/api/v4/projects/${project}/repository`;
  const headers = { ...bearing(owner(store)), 'content-type': 'application/json' };
  if ((await ask({ path: `${path}/branches`, headers })) === '[]') {
    const actions = [{ action: 'create', file_path: 'a.txt', content: 'a' }];
    const body = JSON.stringify({ branch: 'main', commit_message: 'Begin', actions });
    await ask({ method: 'POST', path: `${path}/commits`, headers, body, status: 201 });
  }
  const main = JSON.parse(await ask({ path: `${path}/branches/main`, headers })) as { commit: { id: string } };
  heads.set(store, main.commit.id);
  const digests = Array.from({ length: runners }, (_, runner) => createHash('sha256').update(tokenOf(runner)).digest());
  await pool.query(
    `with made as (
       insert into runners (kind, creator_id, description, token_digest)
       select 'project_type', $1, 'bench', d from unnest($2::bytea[]) d on conflict do nothing returning id
     )
     insert into runner_projects (runner_id, project_id) select id, $3 from made`,
    [id, digests, project],
  );
}

const plan = {
  name: 'test',
  stage: 'test',
  stageIndex: 2,
  when: 'on_success',
  allowFailure: false,
  allowedExitCodes: [],
  needs: null,
  dependencies: null,
  variables: [],
  script: ['make test'],
  afterScript: [],
  image: null,
  services: [],
  cache: [],
  artifacts: null,
  environment: null,
  tags: [],
  retry: { max: 0, when: ['always'] },
  interruptible: false,
};

/** Jobs that wait, of running pipelines of ten jobs each; what former slices left is gone. */
const queue = async ({ pool, people }: Store, head: string, count: number): Promise<void> => {
  const { project, id } = people[0]!;
  await pool.query(`delete from pipelines where project_id = $1 and name = 'bench'`, [project]);
  await pool.query(
    `with last as (select coalesce(max(iid), 0) as iid from pipelines where project_id = $1), made as (
       insert into pipelines (project_id, iid, ref, sha, source, status, user_id, name, ref_kept, started_at)
       select $1, last.iid + i, 'main', $2, 'push', 'running', $3, 'bench', true, now()
         from last, generate_series(1, $4::int / 10 + 1) i returning id
     ), jobs as (
       insert into ci_jobs (kind, pipeline_id, project_id, name, stage, stage_index, ref, sha, status, user_id, queued_at, when_to_run)
       select 'job', made.id, $1, 'job ' || n, 'test', 2, 'main', $2, 'pending', $3, now(), 'on_success'
         from made, generate_series(1, 10) n returning id
     )
     insert into ci_job_plans (job_id, plan) select id, $5 from jobs`,
    [project, head, id, count, JSON.stringify(plan)],
  );
  await pool.query('vacuum analyze ci_jobs, pipelines, ci_job_plans');
};

const info = {
  name: 'gitlab-runner',
  version: '17.0.0',
  platform: 'linux',
  architecture: 'amd64',
  executor: 'shell',
  features: { variables: true, artifacts: true, refspecs: true, return_exit_code: true },
};

const handOut: MakeCalls = (store) => {
  const given = new Set<number>();
  return {
    async prepare(count) {
      await queue(store, heads.get(store)!, count);
      given.clear();
    },
    next: (_turn, connection) => ({
      method: 'POST',
      path: '/api/v4/jobs/request',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: tokenOf(connection), system_id: `s_${connection}`, info }),
      status: 201,
      contains: '"git_info"',
      after(body) {
        const { id } = JSON.parse(body) as { id: number };
        if (given.has(id)) throw new Error(`Job ${id} was handed out twice.`);
        given.add(id);
      },
    }),
  };
};

const page = asPeople(({ project }) => ({ path: `/api/v4/projects/${project}/pipelines`, contains: '"iid"' }));

export const pipelineWork: readonly Work[] = [
  {
    name: 'pipelines, a page of 20',
    key: true,
    contenders: both(page),
    targets: [cpu('floor', 2), throughput('floor')],
    furnish: fill,
    alike: true,
  },
  {
    name: 'pipelines, a job for a runner',
    key: true,
    contenders: both(handOut),
    connections: runners,
    targets: [throughput('floor', 0.6), cpu('floor')],
    furnish: attach,
  },
];
