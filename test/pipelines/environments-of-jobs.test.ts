import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase, type Sql } from '../../src/database/index.ts';
import { enqueue } from '../../src/jobs/enqueue.ts';
import { createLog } from '../../src/observability/index.ts';
import { prepareDeployment, settleDeployment } from '../../src/schema/pipelines/deployments/of-jobs.ts';
import { stopsBy, type PlayStopJob } from '../../src/schema/pipelines/environments/stop.ts';
import type { CiStatus } from '../../src/values/ci/statuses.ts';
import { afterFile } from '../support/run/after-file.ts';
import { testGateway } from '../support/gateway.ts';
import { environmentSlug } from '../../src/values/ci/environments.ts';
import { newCi } from './support/ci.ts';
import { endJob, runningJob } from './support/jobs.ts';
import { newEnvironments } from './support/environments.ts';
import { newReported } from './support/reports.ts';
import { TestRunner } from './support/runner.ts';

/** Environments that jobs make, show and stop. */

const gateway = await testGateway();
const { rest, sql, tokens } = gateway;
const token = tokens.maintainer;
const { developer } = tokens;
const { project, make, get, stop } = await newEnvironments(gateway);

/** A runner of a project. */
async function runnerOf(id: number): Promise<TestRunner> {
  const json = { runner_type: 'project_type', project_id: id };
  const { body } = await rest('POST', '/api/v4/user/runners', { token, json });
  return new TestRunner({ url: gateway.url, token: body.token });
}

describe('a job', () => {
  const database = openDatabase({
    connection: { connectionString: gateway.databaseUrl },
    connections: 2,
    statementTimeout: 15_000,
    log: createLog('silent'),
  });
  afterFile(() => database.close());

  let pipeline = 0;
  beforeAll(async () => {
    const [made] = await sql<{ id: number }>(
      `insert into pipelines (project_id, iid, ref, sha, source) values ($1, 1, 'main', $2, 'push') returning id`,
      [project.id, project.sha],
    );
    pipeline = made!.id;
  });
  const newJob = async (name: string) => {
    const [made] = await sql<{ id: number }>(
      `insert into ci_jobs (kind, pipeline_id, project_id, name, stage, stage_index, ref, sha, user_id)
       values ('job', $1, $2, $3, 'deploy', 0, 'main', $4, 3) returning id`,
      [pipeline, project.id, name, project.sha],
    );
    const job = { projectId: project.id, ref: 'main', tag: false, sha: project.sha, userId: 3 };
    return { id: made!.id, ...job };
  };
  const within = <T>(work: (sql: Sql) => Promise<T>) => database.transaction(work);
  const settle = (id: number, status: CiStatus, url?: string) =>
    within((tx) => settleDeployment(tx, { id, status, url }));

  test('makes its environment, and its deployment follows it', async () => {
    const job = await newJob('deploy');
    const plan = { name: 'review/by-job', url: 'https://one.example.com', autoStopIn: 3600 };
    const prepared = await within((tx) => prepareDeployment(tx, job, plan));
    expect(prepared).toMatchObject({
      name: 'review/by-job',
      slug: environmentSlug('review/by-job'),
      tier: 'development',
      url: 'https://one.example.com',
      deploymentId: expect.any(Number),
    });
    const { environmentId, deploymentId } = prepared!;
    // May be repeated.
    expect(await within((tx) => prepareDeployment(tx, job, plan))).toEqual(prepared);
    const path = `${project.path}/deployments/${deploymentId}`;
    const status = async () => (await rest('GET', path, { token })).body.status;
    expect(await status()).toBe('created');
    await settle(job.id, 'pending');
    expect(await status()).toBe('created');
    await settle(job.id, 'running');
    expect(await status()).toBe('running');
    expect(await rest('PUT', path, { token, json: { status: 'failed' } })).toMatchObject({
      status: 403,
      body: { message: '403 Forbidden - Deployments created using GitLab CI can not be updated using the API' },
    });
    await settle(job.id, 'success', 'https://two.example.com');
    expect(await status()).toBe('success');
    const { body } = await get(environmentId);
    expect(body).toMatchObject({
      external_url: 'https://two.example.com',
      last_deployment: { id: deploymentId, deployable: { id: job.id, name: 'deploy' } },
    });
    expect(+new Date(body.auto_stop_at) - Date.now()).toBeGreaterThan(3_500_000);
    // Too late for anything else.
    await settle(job.id, 'running');
    expect(await status()).toBe('success');
  });

  test('without an environment, or with a name that none can have, changes nothing', async () => {
    const job = await newJob('nothing');
    await settle(job.id, 'success');
    expect(await within((tx) => prepareDeployment(tx, job, { name: 'review/$UNKNOWN/' }))).toBeUndefined();
    await settle(job.id, 'success');
    expect(await sql('select 1 from job_environments where job_id = $1', [job.id])).toEqual([]);
  });

  test('that stops an environment is played, and the environment is stopped when it succeeds', async () => {
    const start = await newJob('start');
    const name = 'by-job';
    const prepared = await within((tx) => prepareDeployment(tx, start, { name, onStop: 'tear down' }));
    await settle(start.id, 'success');
    const id = prepared!.environmentId;
    const down = await newJob('tear down');
    await within((tx) => prepareDeployment(tx, down, { name, action: 'stop' }));
    const play = vi.fn<PlayStopJob>(async () => true);
    const before = stopsBy(play);
    // Other files of this process stop by real jobs.
    onTestFinished(() => void stopsBy(before));
    expect((await stop(id)).body.state).toBe('stopping');
    expect(play).toHaveBeenCalledExactlyOnceWith(expect.anything(), expect.objectContaining({ id: down.id }), 3);
    await settle(down.id, 'failed');
    expect((await get(id)).body.state).toBe('available');
    expect((await stop(id)).body.state).toBe('stopping');
    await settle(down.id, 'success');
    expect((await get(id)).body.state).toBe('stopped');
    await settle(start.id, 'success');
    await sql(`update environments set state = 'available' where id = $1`, [id]);
    expect((await stop(id, { force: true })).body.state).toBe('stopped');
    expect(play).toHaveBeenCalledTimes(2);
  });

  test('reports with its token what it deploys, in its own project, while it runs', async () => {
    const job = await runningJob(gateway, project, { userId: 3 });
    const send = (method: 'GET' | 'POST' | 'PUT', path: string, json?: object) =>
      rest(method, path, { headers: { 'job-token': job.token }, ...(json && { json }) });
    const said = { environment: 'by-token', sha: project.sha, ref: 'main', tag: false, status: 'running' };
    const made = await send('POST', `${project.path}/deployments`, said);
    expect(made).toMatchObject({ status: 201, body: { user: { username: 'developer' }, deployable: null } });
    const { id, environment } = made.body;
    expect((await send('PUT', `${project.path}/deployments/${id}`, { status: 'success' })).status).toBe(200);
    for (const path of ['environments', `environments/${environment.id}`, 'deployments', `deployments/${id}`])
      expect([path, (await send('GET', `${project.path}/${path}`)).status]).toEqual([path, 200]);
    expect(await send('POST', `/api/v4/environments/${environment.id}/stop`)).toMatchObject({
      status: 200,
      body: { state: 'stopped' },
    });
    const other = await newReported(gateway, { visibility: 'public' });
    const theirs = (await make({ name: 'theirs' }, { on: other, as: token })).body.id;
    for (const [method, path] of [
      ['GET', `${other.path}/environments`],
      ['POST', `${other.path}/deployments`],
      ['POST', `/api/v4/environments/${theirs}/stop`],
    ] as const)
      expect([path, (await send(method, path, method === 'POST' ? said : undefined)).status]).toEqual([path, 404]);
    for (const path of ['deploy_keys', 'members']) {
      const { status } = await send('GET', `${project.path}/${path}`);
      expect([path, status < 400]).toEqual([path, false]);
    }
    await endJob(gateway, job.id);
    expect((await send('GET', `${project.path}/environments`)).status).toBe(401);
  });

  test('says where its environment is seen, also by what it left in a report', async () => {
    const ci = await newCi(
      gateway,
      `
variables: { WHERE: review/$CI_COMMIT_REF_NAME }
fixed: { script: 'true', environment: { name: $WHERE, url: 'https://$CI_ENVIRONMENT_SLUG.example.com' } }
found:
  script: echo ADDRESS=https://found.example.com > found.env
  artifacts: { reports: { dotenv: found.env } }
  environment: { name: found/$CI_JOB_NAME, url: $ADDRESS/path }
built:
  stage: build
  script: printf 'HOST=built.example.com\\nPART=build\\n' > built.env
  artifacts: { reports: { dotenv: built.env } }
from-built:
  script: echo PART=own > own.env
  artifacts: { reports: { dotenv: own.env } }
  environment: { name: needing, url: 'https://$HOST/$PART' }
look: { script: 'true', environment: { name: looked, action: verify, url: 'https://looked.example.com' } }
`,
    );
    await ci.pushed();
    const runner = await runnerOf(ci.id);
    for (let count = 0; count < 5; count++) expect(await runner.next()).toMatchObject({ outcome: 'success' });
    const { body } = await rest('GET', `${ci.path}/environments`, { token });
    const slug = environmentSlug('review/main');
    expect(body.map((one: Record<string, unknown>) => [one.name, one.external_url])).toEqual([
      ['found/found', 'https://found.example.com/path'],
      ['looked', null],
      ['needing', 'https://built.example.com/own'],
      ['review/main', `https://${slug}.example.com`],
    ]);
  });

  test('stops what shows a branch that is deleted, where a job does that', async () => {
    const ci = await newCi(
      gateway,
      `
show: { script: 'true', environment: { name: review/$CI_COMMIT_REF_NAME, on_stop: hide } }
hide: { script: 'true', when: manual, environment: { name: review/$CI_COMMIT_REF_NAME, action: stop } }
bare: { script: 'true', environment: { name: bare/$CI_COMMIT_REF_NAME } }
`,
    );
    await ci.branch('topic');
    await ci.pushed();
    const runner = await runnerOf(ci.id);
    for (let count = 0; count < 4; count++) expect(await runner.next()).toMatchObject({ outcome: 'success' });
    const states = async () => {
      const { body } = await rest('GET', `${ci.path}/environments`, { token });
      return Object.fromEntries((body as { name: string; state: string }[]).map(({ name, state }) => [name, state]));
    };
    const shown = { 'bare/main': 'available', 'review/main': 'available', 'bare/topic': 'available' };
    expect(await states()).toEqual({ ...shown, 'review/topic': 'available' });
    expect((await rest('DELETE', `${ci.path}/repository/branches/topic`, { token })).status).toBe(204);
    await ci.pushed();
    expect(await states()).toEqual({ ...shown, 'review/topic': 'stopping' });
    expect(await runner.next()).toMatchObject({ outcome: 'success' });
    expect(await states()).toEqual({ ...shown, 'review/topic': 'stopped' });
  });

  test.each([
    ['merged', 'merge', {}],
    ['closed', '', { state_event: 'close' }],
  ])('stops what shows a merge request that is %s, where a job does that', async (state, verb, json) => {
    const name = 'mr/$CI_MERGE_REQUEST_IID';
    const ci = await newCi(
      gateway,
      `
show: { script: 'true', rules: [{ if: $CI_MERGE_REQUEST_IID }], environment: { name: ${name}, on_stop: hide } }
hide:
  script: 'true'
  rules: [{ if: $CI_MERGE_REQUEST_IID, when: manual, allow_failure: true }]
  environment: { name: ${name}, action: stop }
bare: { script: 'true', rules: [{ if: $CI_MERGE_REQUEST_IID }], environment: { name: bare/$CI_MERGE_REQUEST_IID } }
`,
    );
    for (const branch of ['one', 'two']) {
      await ci.branch(branch);
      await ci.commit({ [`${branch}.txt`]: branch }, { branch });
      const merge = { source_branch: branch, target_branch: 'main', title: branch };
      expect((await rest('POST', `${ci.path}/merge_requests`, { token, json: merge })).status).toBe(201);
    }
    await ci.pushed();
    const runner = await runnerOf(ci.id);
    for (let count = 0; count < 4; count++) expect(await runner.next()).toMatchObject({ outcome: 'success' });
    const states = async () => {
      const { body } = await rest('GET', `${ci.path}/environments`, { token });
      return Object.fromEntries((body as { name: string; state: string }[]).map((one) => [one.name, one.state]));
    };
    const shown = { 'bare/1': 'available', 'bare/2': 'available', 'mr/2': 'available' };
    expect(await states()).toEqual({ ...shown, 'mr/1': 'available' });
    const ended = await rest('PUT', `${ci.path}/merge_requests/1/${verb}`.replace(/\/$/, ''), { token, json });
    expect([ended.status, ended.body.state]).toEqual([200, state]);
    await ci.pushed();
    expect(await states()).toEqual({ ...shown, 'mr/1': 'stopping' });
    expect(await runner.next()).toMatchObject({ outcome: 'success' });
    expect(await states()).toEqual({ ...shown, 'mr/1': 'stopped' });
  });

  test('stops nothing of a merge request for a person who may not', async () => {
    const name = 'mr/$CI_MERGE_REQUEST_IID';
    const rules = 'rules: [{ if: $CI_MERGE_REQUEST_IID';
    const ci = await newCi(
      gateway,
      `
show: { script: 'true', ${rules} }], environment: { name: ${name}, on_stop: hide } }
hide: { script: 'true', ${rules}, when: manual }], environment: { name: ${name}, action: stop } }
`,
    );
    await ci.branch('one');
    await ci.commit({ 'one.txt': 'one' }, { branch: 'one' });
    const json = { source_branch: 'one', target_branch: 'main', title: 'one' };
    expect((await rest('POST', `${ci.path}/merge_requests`, { token: developer, json })).status).toBe(201);
    await ci.pushed();
    expect(await (await runnerOf(ci.id)).next()).toMatchObject({ outcome: 'success' });
    // An author closes their merge request, whatever else they may by then.
    const reporter = await rest('PUT', `${ci.path}/members/3`, { token, json: { access_level: 20 } });
    expect(reporter.status).toBe(200);
    const closed = await rest('PUT', `${ci.path}/merge_requests/1`, {
      token: developer,
      json: { state_event: 'close' },
    });
    expect([closed.status, closed.body.state]).toEqual([200, 'closed']);
    await ci.pushed();
    const { body } = await rest('GET', `${ci.path}/environments`, { token });
    expect(body).toMatchObject([{ name: 'mr/1', state: 'available' }]);
  });

  test('of the queue stops environments whose time is over', async () => {
    const { id } = (await make({ name: 'due' })).body;
    const kept = (await make({ name: 'kept', auto_stop_setting: 'with_action' })).body;
    const later = (await make({ name: 'later' })).body;
    await sql(`update environments set auto_stop_at = now() - interval '1 second' where id = any($1)`, [[id, kept.id]]);
    await sql(`update environments set auto_stop_at = now() + interval '1 hour' where id = $1`, [later.id]);
    // By the gateway itself, whose jobs then begin at once.
    await enqueue(gateway.gateway.application.database, 'stop_environments', {});
    await vi.waitFor(async () => expect((await get(id)).body).toMatchObject({ state: 'stopped', auto_stop_at: null }), {
      timeout: 10_000,
    });
    await vi.waitFor(async () =>
      expect((await get(kept.id)).body).toMatchObject({ state: 'available', auto_stop_at: null }),
    );
    expect((await get(later.id)).body).toMatchObject({ state: 'available', auto_stop_at: expect.any(String) });
  });
});
