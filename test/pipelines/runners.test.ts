import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { statement } from '../../src/database/index.ts';
import { gitClient, temporaryFolder } from '../git/support/engine.ts';
import { newCode, type Code } from '../repository/support/code.ts';
import { gitUrl } from '../repository/support/clone.ts';
import { refsIn } from '../repository/support/journal.ts';
import { whileHeld } from '../support/databases/held.ts';
import { afterFile } from '../support/run/after-file.ts';
import { testGateway } from '../support/gateway.ts';
import { secretKey } from '../support/run/global-setup.ts';
import { killProcesses, startProcess } from '../support/run/process.ts';
import { rawClient } from '../support/requests/raw-client.ts';
import { runs } from '../support/run/runs.ts';
import { pendingJob, type Wanted } from './support/jobs.ts';
import { TestRunner, type RunnerOptions } from './support/runner.ts';

const gateway = await testGateway();
const { rest, sql, tokens } = gateway;
const token = tokens.maintainer;

let code: Code;
let sha: string;

beforeAll(async () => {
  code = await newCode(gateway);
  sha = await code.commit({ 'a.txt': 'a\n' });
});

const pending = (wanted: Wanted = {}) => pendingJob(gateway, { ...code, sha }, wanted);

/** A runner of the project, made with the token of a person. */
async function newRunner(attributes: Record<string, unknown> = {}, options: Partial<RunnerOptions> = {}) {
  const json = { runner_type: 'project_type', project_id: code.id, ...attributes };
  const { status, body, text } = await rest('POST', '/api/v4/user/runners', { token, json });
  if (status !== 201) throw new Error(text);
  const made = body as { id: number; token: string };
  return Object.assign(new TestRunner({ url: gateway.url, token: made.token, ...options }), { made });
}

const jobRow = async (id: number) =>
  (
    await sql<{ status: string; failure_reason: string | null; token_digest: unknown; runner_id: number | null }>(
      'select status, failure_reason, token_digest, runner_id from ci_jobs where id = $1',
      [id],
    )
  )[0]!;
/** Waits for something in the log of a job. */
const logOf = (id: number, wanted: string) =>
  expect
    .poll(async () => (await rest('GET', `${code.path}/jobs/${id}/trace`, { token })).text, { timeout: 20_000 })
    .toContain(wanted);
const pipelineStatus = async (id: number) =>
  (await sql<{ status: string }>('select status from pipelines where id = $1', [id]))[0]!.status;
const put = (job: number, json: Record<string, unknown>) => rest('PUT', `/api/v4/jobs/${job}`, { json });

/** What a client of git sees. */
const lsRemote = async (...args: string[]) =>
  (await gitClient(temporaryFolder(), ['ls-remote', '--quiet', ...args])).text
    .split('\n')
    .filter((line) => line.includes('\t'));
const wake = statement<object>(
  'wake_runners',
  `update ci_jobs set status = 'pending' where id = $1::int and status = 'pending'`,
);

describe('registration', () => {
  test('with the token of a project', async () => {
    const { body } = await rest('POST', `${code.path}/runners/reset_registration_token`, { token, json: {} });
    const registration = (body as { token: string }).token;
    const made = await rest('POST', '/api/v4/runners', {
      json: { token: registration, description: 'mine', tag_list: 'a, b,a', info: { name: 'gitlab-runner' } },
    });
    expect(made).toMatchObject({
      status: 201,
      body: { token: expect.stringMatching(/^glrtr-/), token_expires_at: null },
    });
    const { id, token: secret } = made.body as { id: number; token: string };
    const shown = await rest('GET', `/api/v4/runners/${id}`, { token });
    expect(shown.body).toMatchObject({
      description: 'mine',
      tag_list: ['a', 'b'],
      runner_type: 'project_type',
      projects: [{ id: code.id }],
    });
    expect(await rest('POST', '/api/v4/runners/verify', { json: { token: secret } })).toMatchObject({
      status: 200,
      body: { id, token: secret, token_expires_at: null },
    });
    expect((await rest('DELETE', '/api/v4/runners', { json: { token: secret } })).status).toBe(204);
    expect(await rest('POST', '/api/v4/runners/verify', { json: { token: secret } })).toMatchObject({
      status: 403,
      body: { message: '403 Forbidden' },
    });
  });

  test.each([
    [{}, 400, { error: 'token is missing' }],
    [{ token: 'wrong' }, 403, { message: '403 Forbidden' }],
  ])('with %j', async (json, status, body) => {
    expect(await rest('POST', '/api/v4/runners', { json })).toMatchObject({ status, body });
    expect(await rest('POST', '/api/v4/runners/verify', { json })).toMatchObject({ status, body });
    expect(await rest('POST', '/api/v4/jobs/request', { json })).toMatchObject({ status, body });
    expect(await rest('DELETE', '/api/v4/runners', { json })).toMatchObject({ status, body });
  });

  test('of a runner whose token is reset: the former one is void at once', async () => {
    const { made } = await newRunner();
    const reset = async (path: string, options: object) => {
      const { status, body } = await rest('POST', `/api/v4/runners/${path}`, options);
      expect(status).toBe(201);
      return (body as { token: string }).token;
    };
    const second = await reset(`${made.id}/reset_authentication_token`, { token, json: {} });
    const third = await reset('reset_authentication_token', { json: { token: second } });
    const statuses: number[] = [];
    for (const one of [made.token, second, third])
      statuses.push((await rest('POST', '/api/v4/runners/verify', { json: { token: one } })).status);
    expect(statuses).toEqual([403, 403, 200]);
  });

  test('of a runner that would get no job', async () => {
    const json = { runner_type: 'project_type', project_id: code.id, run_untagged: false };
    expect(await rest('POST', '/api/v4/user/runners', { token, json })).toMatchObject({
      status: 400,
      body: { message: { tags_list: ['can not be empty when runner is not allowed to pick untagged jobs'] } },
    });
  });
});

describe('a job', () => {
  test('is listed with its runner, for those who administer that', async () => {
    const { id } = await pending({ script: ['true'] });
    const runner = await newRunner();
    await runner.next();
    const path = `/api/v4/runners/${runner.made.id}/jobs`;
    expect(await rest('GET', path, { token })).toMatchObject({
      status: 200,
      body: [{ id, runner: { id: runner.made.id } }],
    });
    expect((await rest('GET', `${path}?status=success`, { token })).body).toHaveLength(1);
    expect((await rest('GET', `${path}?status=failed`, { token })).body).toEqual([]);
    expect((await rest('GET', `${path}?system_id=elsewhere`, { token })).body).toEqual([]);
    expect((await rest('GET', path, { token: tokens.guest })).status).toBe(403);
    expect((await rest('GET', path)).status).toBe(401);
    expect((await rest('GET', '/api/v4/runners/999999/jobs', { token })).status).toBe(404);
    const globalId = `gid://gitlab/Ci::Runner/${runner.made.id}`;
    const { data } = await gateway.graphql<{ runner: { jobs: { nodes: object[] } } }>(
      'query ($id: CiRunnerID!) { runner(id: $id) { jobs { nodes { id: databaseId } } } }',
      { token, variables: { id: globalId } },
    );
    expect(data?.runner.jobs.nodes).toEqual([{ id }]);
    const { errors } = await gateway.graphql(
      `mutation { runnerUnassignFromProject(input: { runnerId: "${globalId}", projectPath: "${code.fullPath}" }) { errors } }`,
      { token },
    );
    expect(errors?.[0]?.message).toContain('Only one project associated with the runner');
  });

  test('of a project that its administrator doesn’t read isn’t listed', async () => {
    const { id } = await pending({ script: ['true'] });
    const runner = await newRunner();
    await runner.next();
    const path = `/api/v4/runners/${runner.made.id}/jobs`;
    const other = await rest('POST', '/api/v4/projects', { token: tokens.root, json: { name: 'Out of sight' } });
    await sql('update ci_jobs set project_id = $2 where id = $1', [id, (other.body as { id: number }).id]);
    expect((await rest('GET', path, { token })).body).toEqual([]);
    expect((await rest('GET', path, { token: tokens.root })).body).toMatchObject([{ id }]);
  });

  test('is handed out, carried out, and succeeds', async () => {
    const { id, pipelineId } = await pending({ script: ['cat a.txt', 'echo "$CI_JOB_NAME of $CI_PROJECT_PATH"'] });
    const runner = await newRunner();
    const ran = await runner.next();
    expect(ran).toMatchObject({ id, outcome: 'success' });
    expect(ran.log).toContain(`a\n$ echo`);
    expect(ran.log).toContain(`test of ${code.fullPath}`);
    expect(await jobRow(id)).toMatchObject({ status: 'success', token_digest: null, runner_id: runner.made.id });
    expect(await pipelineStatus(pipelineId)).toBe('success');
    const { text } = await rest('GET', `${code.path}/jobs/${id}/trace`, { token });
    expect(text).toBe(ran.log);
  });

  test('fails by its script, and says so', async () => {
    const { id, pipelineId } = await pending({ script: ['exit 3'] });
    expect(await (await newRunner()).next()).toMatchObject({ id, outcome: 'failed' });
    expect(await jobRow(id)).toMatchObject({ status: 'failed', failure_reason: 'script_failure' });
    expect(await pipelineStatus(pipelineId)).toBe('failed');
  });

  test('is ended by a cancel, of which the runner hears', async () => {
    const { id, pipelineId } = await pending({ script: ['echo begun', 'sleep 60'] });
    const running = (await newRunner()).next();
    await logOf(id, 'begun');
    await rest('POST', `${code.path}/pipelines/${pipelineId}/cancel`, { token, json: {} });
    expect(await running).toMatchObject({ id, outcome: 'aborted', status: 'canceled' });
    expect(await jobRow(id)).toMatchObject({ status: 'canceled', token_digest: null });
  });

  test('has one outcome: a late report is refused, and says which', async () => {
    const { id } = await pending();
    const runner = await newRunner();
    const given = (await runner.request())!;
    expect(await put(id, { token: given.token, state: 'running' })).toMatchObject({ status: 200, text: '200' });
    expect((await put(id, { token: given.token, state: 'odd' })).status).toBe(400);
    expect((await put(id, { token: given.token, state: 'success' })).status).toBe(200);
    for (const state of ['success', 'failed', 'running']) {
      const late = await put(id, { token: given.token, state, failure_reason: 'script_failure' });
      expect([late.status, late.headers.get('job-status')]).toEqual([403, 'success']);
    }
    expect(await jobRow(id)).toMatchObject({ status: 'success', failure_reason: null });
  });

  test('ends with any exit code, also one beyond 31 bits', async () => {
    const { id } = await pending();
    const { token: own } = (await (await newRunner()).request())!;
    const said = { token: own, state: 'failed', failure_reason: 'script_failure', exit_code: 3_221_225_786 };
    expect((await put(id, said)).status).toBe(200);
    expect(await sql('select exit_code from ci_jobs where id = $1', [id])).toEqual([{ exit_code: -1_073_741_510 }]);
  });

  test('says what containers it runs in', async () => {
    const image = { name: 'ruby', pullPolicy: ['always'], executors: { docker: { user: 'dave' } } };
    const services = [{ name: 'postgres', alias: 'db', variables: [{ key: 'POSTGRES_DB', value: 'app', raw: true }] }];
    const { id } = await pending({ plan: { image, services } });
    const given = (await (await newRunner()).request())!;
    expect(given).toMatchObject({
      id,
      image: { name: 'ruby', ports: [], pull_policy: ['always'], executor_opts: { docker: { user: 'dave' } } },
      services: [{ name: 'postgres', alias: 'db', ports: [], variables: [{ key: 'POSTGRES_DB', value: 'app' }] }],
    });
    await put(id, { token: given.token, state: 'success' });
  });

  test('says what runs before its commit is there, which reports it leaves, and how long it may take', async () => {
    const artifacts = {
      paths: [],
      exclude: [],
      untracked: false,
      when: 'on_success',
      public: true,
      reports: { cobertura: ['coverage.xml'] },
    } as const;
    const plan = { hooks: { preGetSourcesScript: ['git config --global a b'] }, artifacts };
    const { id } = await pending({ name: 'unit: [linux, 20]', timeout: 600, plan });
    const runner = await newRunner({ maximum_timeout: 660 });
    const given = (await runner.request())!;
    expect(given).toMatchObject({
      id,
      hooks: [{ name: 'pre_get_sources_script', script: ['git config --global a b'] }],
      artifacts: [
        {
          name: 'cobertura-coverage.xml',
          paths: ['coverage.xml'],
          when: 'always',
          artifact_type: 'cobertura',
          artifact_format: 'gzip',
        },
      ],
      runner_info: { timeout: 600 },
    });
    const values = Object.fromEntries(given.variables.map(({ key, value }) => [key, value]));
    expect(values).toMatchObject({ CI_JOB_TIMEOUT: '600', CI_JOB_GROUP_NAME: 'unit' });
    expect(values).not.toHaveProperty('CI_COMMIT_TAG_MESSAGE');
    await put(id, { token: given.token, state: 'success' });
  });

  test('of a tag knows what that says', async () => {
    const ci = await newCode(gateway);
    const yaml =
      'a: { script: make, rules: [{ if: $CI_COMMIT_TAG_MESSAGE =~ /^Version/ }] }\nb: { script: make, only: [tags] }';
    await ci.commit({ '.gitlab-ci.yml': yaml });
    const { body: made } = await rest('POST', '/api/v4/user/runners', {
      token,
      json: { runner_type: 'project_type', project_id: ci.id },
    });
    const runner = new TestRunner({ url: gateway.url, token: made.token });
    for (const [tag_name, message, jobs] of [
      ['v1', 'Version 1\n\nAt last', ['a', 'b']],
      ['light', undefined, ['b']],
    ] as const) {
      const tag = await rest('POST', `${ci.path}/repository/tags`, { token, json: { tag_name, ref: 'main', message } });
      expect(tag.status).toBe(201);
      const names: string[] = [];
      while (names.length < jobs.length) {
        const given = await runner.request();
        if (!given) continue;
        names.push(given.variables.find(({ key }) => key === 'CI_JOB_NAME')!.value);
        const said = given.variables.find(({ key }) => key === 'CI_COMMIT_TAG_MESSAGE');
        expect(said?.value).toBe(message ?? '');
        await put(given.id, { token: given.token, state: 'success' });
      }
      expect(names.toSorted()).toEqual(jobs);
    }
  });

  test('of a merge request knows it', async () => {
    const ci = await newCode(gateway);
    await ci.commit({ '.gitlab-ci.yml': 'a: { script: make, rules: [{ if: $CI_MERGE_REQUEST_IID }] }' });
    await ci.branch('topic');
    const head = await ci.commit({ 'b.txt': 'b' }, { branch: 'topic' });
    // What is followed after the merge request is there makes a pipeline of it, also for the commit before.
    const following = `select from jobs where name in ('follow_references', 'create_pipelines')`;
    await expect.poll(() => sql(following)).toEqual([]);
    const { body: merge } = await rest('POST', `${ci.path}/merge_requests`, {
      token,
      json: { source_branch: 'topic', target_branch: 'main', title: 'More', labels: 'b,a', description: 'Why' },
    });
    const { body: made } = await rest('POST', '/api/v4/user/runners', {
      token,
      json: { runner_type: 'project_type', project_id: ci.id },
    });
    const runner = new TestRunner({ url: gateway.url, token: made.token });
    let given = await runner.request();
    while (!given) given = await runner.request();
    const values = Object.fromEntries(given.variables.map(({ key, value }) => [key, value]));
    const { body: asked } = await rest('GET', `${ci.path}/merge_requests/${merge.iid}`, { token });
    expect(values).toMatchObject({
      CI_COMMIT_SHA: head,
      CI_OPEN_MERGE_REQUESTS: `${ci.fullPath}!${merge.iid}`,
      CI_MERGE_REQUEST_DIFF_BASE_SHA: asked.diff_refs.base_sha,
      CI_MERGE_REQUEST_LABELS: 'a,b',
      CI_MERGE_REQUEST_TITLE: 'More',
      CI_MERGE_REQUEST_DESCRIPTION: 'Why',
      CI_MERGE_REQUEST_DRAFT: 'false',
      CI_MERGE_REQUEST_PROJECT_ID: String(ci.id),
      CI_MERGE_REQUEST_PROJECT_PATH: ci.fullPath,
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: String(ci.id),
      CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: ci.fullPath,
      CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'topic',
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
      CI_MERGE_REQUEST_REF_PATH: `refs/merge-requests/${merge.iid}/head`,
    });
    expect(values).not.toHaveProperty('CI_COMMIT_BRANCH');
    await put(given.id, { token: given.token, state: 'success' });
  });

  test('belongs to its own token alone', async () => {
    const [one, two] = [await pending(), await pending()];
    const runner = await newRunner();
    const [first, second] = [(await runner.request())!, (await runner.request())!];
    expect([first.id, second.id]).toEqual([one.id, two.id]);
    for (const stranger of [second.token, runner.made.token, tokens.root, 'x', ''])
      expect((await put(one.id, { token: stranger, state: 'failed' })).status).toBe(403);
    expect((await put(2_000_000_000, { token: first.token, state: 'failed' })).status).toBe(403);
    expect(await jobRow(one.id)).toMatchObject({ status: 'running' });
    for (const { id, token: own } of [first, second]) await put(id, { token: own, state: 'success' });
  });

  test('names this gateway, whatever host the runner claims to have asked (row 38)', async () => {
    const { id } = await pending();
    const { made } = await newRunner();
    const { status, text } = await rawClient(gateway.url)({
      method: 'POST',
      path: '/api/v4/jobs/request',
      headers: {
        'content-type': 'application/json',
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        forwarded: 'host=evil.example;proto=https',
      },
      body: JSON.stringify({ token: made.token, info: { features: {} } }),
    });
    const given = JSON.parse(text) as { id: number; token: string; git_info: { repo_url: string } };
    expect([status, given.id, text.includes('evil')]).toEqual([201, id, false]);
    expect(given.git_info.repo_url).toContain(new URL(gateway.url).host);
    await put(id, { token: given.token, state: 'success' });
  });

  test('of a runner that was killed goes on until somebody ends it', async () => {
    const { id, pipelineId } = await pending({ script: ['echo begun', 'sleep 60'] });
    const runner = await newRunner();
    const running = runner.next();
    await logOf(id, 'begun');
    runner.kill();
    expect(await running).toMatchObject({ outcome: 'aborted' });
    expect(await jobRow(id)).toMatchObject({ status: 'running' });
    await rest('POST', `${code.path}/pipelines/${pipelineId}/cancel`, { token, json: {} });
    expect(await jobRow(id)).toMatchObject({ status: 'canceled' });
  });

  test('keeps its commit when the branch is gone', async () => {
    await code.branch('fleeting');
    const only = await code.commit({ 'c.txt': 'c' }, { branch: 'fleeting' });
    const { id, pipelineId } = await pendingJob(
      gateway,
      { ...code, sha: only, ref: 'fleeting' },
      { script: ['cat c.txt'] },
    );
    const runner = await newRunner();
    const given = (await runner.request())!;
    const names = async (...args: string[]) => (await lsRemote(...args)).map((line) => line.split('\t')[1]);
    const asJob = gitUrl(gateway, code, { user: 'gitlab-ci-token', password: given.token });
    expect(await names(asJob)).toContain(`refs/pipelines/${pipelineId}`);
    expect(await names(gitUrl(gateway, code, token), 'refs/pipelines/*')).toEqual([]);
    await rest('DELETE', `${code.path}/repository/branches/fleeting`, { token });
    // This job was handed out before.
    const json = { ...given, git_info: { ...given.git_info, refspecs: given.git_info.refspecs.slice(0, 1) } };
    expect(await runner.carryOut(json)).toMatchObject({ id, outcome: 'success' });

    const kept = () => Object.hasOwn(refsIn(gateway, code), `refs/pipelines/${pipelineId}`);
    expect(kept()).toBe(true);
    await rest('DELETE', `${code.path}/pipelines/${pipelineId}`, { token });
    expect(kept()).toBe(false);
  });
});

describe('which job', () => {
  const ids = async (runner: TestRunner) => {
    const found: number[] = [];
    for (;;) {
      runner.lastUpdate = undefined;
      const job = await runner.request();
      if (!job) return found;
      found.push(job.id);
      await put(job.id, { token: job.token, state: 'success' });
    }
  };

  test('by tags, and whether it has any', async () => {
    const plain = await pending();
    const tagged = await pending({ tags: ['linux'] });
    const both = await pending({ tags: ['linux', 'big'] });
    expect(await ids(await newRunner({ tag_list: ['linux'], run_untagged: false }))).toEqual([tagged.id]);
    expect(await ids(await newRunner({ tag_list: 'big,other' }))).toEqual([plain.id]);
    expect(await ids(await newRunner({ tag_list: ['big', 'linux', 'more'] }))).toEqual([both.id]);
  });

  test('by protection, and not while it is paused', async () => {
    const [open, closed] = [await pending(), await pending({ isProtected: true })];
    const paused = await newRunner({ paused: true });
    expect(await ids(paused)).toEqual([]);
    expect(await ids(await newRunner({ access_level: 'ref_protected' }))).toEqual([closed.id]);
    await rest('PUT', `/api/v4/runners/${paused.made.id}`, { token, json: { paused: false } });
    expect(await ids(paused)).toEqual([open.id]);
  });

  test('only of the runner’s own project', async () => {
    const { id } = await pending();
    const other = await newCode(gateway);
    expect(await ids(await newRunner({ project_id: other.id }))).toEqual([]);
    expect(await ids(await newRunner())).toEqual([id]);
  });

  test('of all projects that take runners of the instance, taking turns', async () => {
    await sql(`update ci_jobs set status = 'canceled', token_digest = null where status in ('pending', 'running')`);
    const [other, without] = [await newCode(gateway), await newCode(gateway)];
    await rest('PUT', without.path, { token, json: { shared_runners_enabled: false } });
    // No repository has this commit: a job of it fails instead of being handed out.
    const at = { sha: 'f'.repeat(40), ref: 'main' };
    const [a1, a2] = [await pending(), await pending()];
    const b1 = await pendingJob(gateway, { ...other, ...at });
    const hidden = await pendingJob(gateway, { ...without, ...at });
    const json = { runner_type: 'instance_type' };
    const { body } = await rest('POST', '/api/v4/user/runners', { token: tokens.root, json });
    const runner = new TestRunner({ url: gateway.url, token: (body as { token: string }).token });
    const got: number[] = [];
    for (let job = await runner.request(); job; job = await runner.request()) {
      got.push(job.id);
      runner.lastUpdate = undefined;
    }
    expect(got).toEqual([a1.id, a2.id]);
    expect(await jobRow(b1.id)).toMatchObject({ status: 'failed', failure_reason: 'scheduler_failure' });
    expect(await jobRow(hidden.id)).toMatchObject({ status: 'pending' });
    await sql(`update ci_jobs set status = 'canceled', token_digest = null where status in ('pending', 'running')`);
  });

  test('of an instance’s runner: none of a group that disables them', async () => {
    const path = `quiet-${Date.now()}`;
    const group = (await rest('POST', '/api/v4/groups', { token, json: { name: path, path } })).body as { id: number };
    const other = await newCode(gateway);
    const moved = await rest('PUT', `${other.path}/transfer`, { token: tokens.root, json: { namespace: group.id } });
    expect(moved.status).toBe(200);
    const commit = await other.commit({ 'a.txt': 'a\n' });
    const { id } = await pendingJob(gateway, { ...other, sha: commit });
    const json = { runner_type: 'instance_type' };
    const made = (await rest('POST', '/api/v4/user/runners', { token: tokens.root, json })).body as { token: string };
    const runner = new TestRunner({ url: gateway.url, token: made.token });
    const set = (shared_runners_setting: string) =>
      rest('PUT', `/api/v4/groups/${group.id}`, { token, json: { shared_runners_setting } });
    for (const setting of ['disabled_and_unoverridable', 'disabled_and_overridable']) {
      await set(setting);
      expect(await runner.request()).toBeUndefined();
      runner.lastUpdate = undefined;
    }
    await rest('PUT', other.path, { token, json: { shared_runners_enabled: true } });
    expect((await runner.request())?.id).toBe(id);
  });

  test('that the runner can carry out: others fail', async () => {
    const wanted = { plan: { allowedExitCodes: [3] } };
    const { id } = await pending(wanted);
    expect(await ids(await newRunner({}, { features: {} }))).toEqual([]);
    expect(await jobRow(id)).toMatchObject({ status: 'failed', failure_reason: 'runner_unsupported' });
  });
});

describe('waiting', () => {
  test('a job is handed out when it begins to wait, through another gateway too', async () => {
    const second = await testGateway({}, gateway);
    const runners = [
      await newRunner({ tag_list: 'w', run_untagged: false }),
      await newRunner({ tag_list: 'w', run_untagged: false }),
    ];
    const there = new TestRunner({ url: second.url, token: runners[1]!.made.token });
    for (const runner of [runners[0]!, there]) {
      expect(await runner.request()).toBeUndefined();
      const before = runner.lastUpdate;
      const asked = runner.nextJob();
      const { id } = await pending({ tags: ['w'], script: [] });
      // As the gateway does it: by a statement that says so.
      await gateway.gateway.application.database.rows(wake, [id]);
      const given = await asked;
      expect(given.id).toBe(id);
      expect((await put(id, { token: given.token, state: 'success' })).status).toBe(200);
      runner.lastUpdate = undefined;
      await runner.request();
      expect(runner.lastUpdate).not.toBe(before);
    }
  });

  test('a job whose runner leaves before it gets it waits again', async () => {
    const attributes = { tag_list: 'left', run_untagged: false };
    const [runner, other] = [await newRunner(attributes), await newRunner(attributes)];
    const { id, pipelineId } = await pending({ tags: ['left'] });
    await whileHeld<unknown>(
      gateway,
      ['select from pipelines where id = $1 for update', pipelineId],
      // The pipeline begins with its job.
      [() => runner.request().catch((error: Error) => error.name)],
      async () => {
        expect((await jobRow(id)).status).toBe('running');
        runner.kill();
        // Until the gateway notices.
        await sleep(1_000);
      },
    );
    await expect
      .poll(() => jobRow(id), { timeout: 20_000 })
      .toMatchObject({ status: 'pending', token_digest: null, runner_id: null });
    const given = (await other.request())!;
    expect(given.id).toBe(id);
    expect((await put(id, { token: given.token, state: 'success' })).status).toBe(200);
  });

  test('of many jobs and runners at two gateways, none is handed out twice', async () => {
    const second = await testGateway({}, gateway);
    const made: number[] = [];
    for (let n = 0; n < 12; n++) made.push((await pending({ tags: ['many'] })).id);
    const {
      made: { token: secret },
    } = await newRunner({ tag_list: 'many', run_untagged: false });
    const given = await Promise.all(
      Array.from({ length: 16 }, async (_none, n) =>
        new TestRunner({ url: (n % 2 ? second : gateway).url, token: secret, systemId: `s_${n}` }).request(),
      ),
    );
    expect(given.flatMap((job) => (job ? [job.id] : [])).toSorted((a, b) => a - b)).toEqual(made);
    await sql(`update ci_jobs set status = 'canceled', token_digest = null where id = any($1)`, [made]);
  });

  test('of gateways that are killed while they hand out jobs, none is given twice, and none is lost', async () => {
    afterFile(killProcesses);
    const { dropStuckJobs } = await import('../../src/schema/pipelines/processing/stuck.ts');
    for (let round = 0; round < Math.min(runs, 20); round++) {
      const doomed = startProcess({
        DATABASE_URL: gateway.databaseUrl,
        DATA_DIR: gateway.dataDir,
        CAUSEWAY_SECRET_KEY: secretKey,
        CAUSEWAY_DEMO: 'on',
        CAUSEWAY_LOG_LEVEL: 'error',
        CAUSEWAY_ACCESS_LOG: 'off',
      });
      const url = await doomed.ready();
      const made: number[] = [];
      for (let n = 0; n < 20; n++) made.push((await pending({ tags: ['killed'] })).id);
      const { token: secret } = (await newRunner({ tag_list: 'killed', run_untagged: false })).made;
      const given: number[] = [];
      const ask = async (at: string, machine: number) => {
        const job = await new TestRunner({ url: at, token: secret, systemId: `s_${machine}` }).request();
        if (job) given.push(job.id);
        return job !== undefined;
      };
      const asked = Array.from({ length: 12 }, (_none, n) => ask(url, n).catch(() => false));
      await sleep(Math.random() * 60);
      await doomed.stop('SIGKILL');
      await Promise.all(asked);
      // The other gateway gives the rest.
      while (await ask(gateway.url, 99));
      expect(new Set(given).size).toBe(given.length);
      const lost = made.filter((id) => !given.includes(id));
      for (const id of lost) expect(await jobRow(id)).toMatchObject({ status: 'running' });
      // No runner has them: after an hour of silence they fail, and can be tried again.
      await sql(`update ci_jobs set contacted_at = now() - interval '2 hours' where id = any($1)`, [lost]);
      await dropStuckJobs(gateway.gateway.application.database, new AbortController().signal);
      for (const id of lost)
        expect(await jobRow(id)).toMatchObject({ status: 'failed', failure_reason: 'stuck_or_timeout_failure' });
      if (lost.length > 0) {
        const again = await rest('POST', `${code.path}/jobs/${lost[0]}/retry`, { token, json: {} });
        expect(again.status).toBe(201);
        expect(await ask(gateway.url, 99)).toBe(true);
        expect(given.at(-1)).toBe((again.body as { id: number }).id);
      }
      await sql(`update ci_jobs set status = 'canceled', token_digest = null where id = any($1)`, [given]);
    }
  });
});
