import { describe, expect, test } from 'vitest';
import { removeJobFiles } from '../../src/jobs/pipelines/remove-files.ts';
import type { PlannedCache } from '../../src/ci/plan.ts';
import { deleteOldPipelines } from '../../src/schema/pipelines/pipelines/delete-old.ts';
import { finishJob } from '../../src/schema/pipelines/processing/finish.ts';
import { newCode, type Code } from '../repository/support/code.ts';
import { testGateway } from '../support/gateway.ts';
import { upload, zipOf } from './support/artifacts.ts';
import { newCi, quiet } from './support/ci.ts';
import { pendingJob, runningJob, type At, type Wanted } from './support/jobs.ts';
import { TestRunner } from './support/runner.ts';

/** What projects and groups say of their pipelines is obeyed. */

const gateway = await testGateway({ CAUSEWAY_MAX_ARTIFACT: '3' });
const { rest, sql, tokens } = gateway;
const { application } = gateway.gateway;
const token = tokens.maintainer;
const signal = new AbortController().signal;

const set = async (path: string, json: object, as = token) =>
  expect((await rest('PUT', path, { token: as, json: json as Record<string, unknown> })).status).toBe(200);

async function runnerOf({ id }: Code): Promise<TestRunner> {
  const json = { runner_type: 'project_type', project_id: id };
  const { body } = await rest('POST', '/api/v4/user/runners', { token, json });
  return new TestRunner({ url: gateway.url, token: (body as { token: string }).token });
}
/** The next job of a runner, without a wait. */
async function next(runner: TestRunner) {
  runner.lastUpdate = undefined;
  return await runner.request();
}

const project = async (): Promise<Code & At> => {
  const code = await newCode(gateway);
  return { ...code, sha: await code.commit({ 'a.txt': 'a\n' }) };
};

test('ci_separated_caches: protected branches have caches of their own', async () => {
  const code = await project();
  const runner = await runnerOf(code);
  const one = { paths: ['out'], untracked: false, policy: 'pull-push', when: 'on_success' };
  const cache: PlannedCache[] = [
    { ...one, key: 'npm', fallbackKeys: ['main'] },
    { ...one, key: 'shared', fallbackKeys: [], isUnprotected: true },
  ];
  const keys = async (wanted: Wanted = {}) => {
    await pendingJob(gateway, code, { plan: { cache }, ...wanted });
    const job = (await next(runner)) as unknown as { cache: { key: string; fallback_keys: string[] }[] };
    return job.cache.map((given) => [given.key, ...given.fallback_keys]);
  };
  expect(await keys()).toEqual([['npm-non_protected', 'main-non_protected'], ['shared-non_protected']]);
  expect(await keys({ isProtected: true })).toEqual([['npm-protected', 'main-protected'], ['shared-non_protected']]);
  await set(code.path, { ci_separated_caches: false });
  expect(await keys({ isProtected: true })).toEqual([['npm', 'main'], ['shared']]);
});

test('max_artifacts_size: of the project, else of the nearest group, within that of the instance', async () => {
  const code = await project();
  const aGroup = async (path: string, parent_id?: number) => {
    const { body } = await rest('POST', '/api/v4/groups', {
      token: tokens.root,
      json: { name: path, path, parent_id },
    });
    return `/api/v4/groups/${body.id}`;
  };
  const outer = await aGroup('bounded');
  const inner = await aGroup('inner', Number(outer.split('/').at(-1)));
  await rest('PUT', `${code.path}/transfer`, {
    token: tokens.root,
    json: { namespace: Number(inner.split('/').at(-1)) },
  });
  const sends = async (megabytes: number) =>
    (await upload(gateway, await runningJob(gateway, code), Buffer.alloc(megabytes * 2 ** 20))).status;
  expect([await sends(2), await sends(4)]).toEqual([201, 413]);
  await set(outer, { max_artifacts_size: 1 }, tokens.root);
  expect([await sends(0.5), await sends(2)]).toEqual([201, 413]);
  await set(inner, { max_artifacts_size: 2 }, tokens.root);
  expect([await sends(1.5), await sends(2.5)]).toEqual([201, 413]);
  await set(code.path, { max_artifacts_size: 100 }, tokens.root);
  expect([await sends(2.5), await sends(4)]).toEqual([201, 413]);
});

/** A pipeline of one job that left something, and goes on. */
async function left(at: At) {
  const job = await runningJob(gateway, at);
  expect(await upload(gateway, job, await zipOf({ a: 'a' }), { expireIn: '1 day' })).toMatchObject({ status: 201 });
  return job;
}

/** The same, which has ended. */
async function ended(at: At, status: 'success' | 'failed' = 'success') {
  const job = await left(at);
  await finishJob(application, job.id, { status });
  return job;
}

test('keep_latest_artifact: what the latest successful pipeline of a branch left is kept until the branch goes', async () => {
  const code = await project();
  await code.branch('topic');
  const at = { ...code, ref: 'topic' };
  const jobs = [await ended(at), await ended(at), await ended(at, 'failed')];
  const ids = jobs.map(({ id }) => id);
  await sql(`update ci_artifacts set expires_at = now() - interval '1 second' where job_id = any($1)`, [ids]);
  const statuses = async () => {
    const answers = ids.map((id) => rest('GET', `${code.path}/jobs/${id}/artifacts`, { token }));
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  expect(await statuses()).toEqual([404, 200, 404]);
  await removeJobFiles(application.database, application.files, signal);
  expect((await rest('DELETE', `${code.path}/artifacts`, { token })).status).toBe(202);
  expect(await sql('select job_id from ci_artifacts where job_id = any($1)', [ids])).toEqual([{ job_id: ids[1] }]);
  expect(await statuses()).toEqual([404, 200, 404]);

  await set(code.path, { keep_latest_artifact: false });
  expect(await statuses()).toEqual([404, 404, 404]);
  await set(code.path, { keep_latest_artifact: true });
  expect(await statuses()).toEqual([404, 200, 404]);
  const late = await left(at);
  expect((await rest('DELETE', `${code.path}/repository/branches/topic`, { token })).status).toBe(204);
  await quiet(gateway);
  expect(await statuses()).toEqual([404, 404, 404]);
  // One that ended after its branch was deleted keeps nothing either.
  await finishJob(application, late.id, { status: 'success' });
  await sql(`update ci_artifacts set expires_at = now() - interval '1 second' where job_id = $1`, [late.id]);
  await removeJobFiles(application.database, application.files, signal);
  expect(await sql('select job_id from ci_artifacts where job_id = any($1)', [[...ids, late.id]])).toEqual([]);
});

test('ci_delete_pipelines_in_seconds: finished pipelines are deleted, but for those whose artifacts are kept', async () => {
  const [code, other] = [await project(), await project()];
  const [old, latest, failed] = [await ended(code), await ended(code), await ended(code, 'failed')];
  const goesOn = await runningJob(gateway, code);
  const young = await ended({ ...code, ref: 'young' }, 'failed');
  const elsewhere = await ended(other);
  const aged = [old, latest, failed, goesOn, elsewhere].map(({ pipelineId }) => pipelineId);
  await sql(`update pipelines set created_at = now() - interval '25 hours' where id = any($1)`, [aged]);
  const remaining = async () =>
    (
      await sql<{ id: number }>('select id from pipelines where project_id = any($1) order by id', [
        [code.id, other.id],
      ])
    ).map(({ id }) => id);
  await deleteOldPipelines(application, signal);
  await set(code.path, { ci_delete_pipelines_in_seconds: 0 });
  await deleteOldPipelines(application, signal);
  expect((await remaining()).length).toBe(6);
  await set(code.path, { ci_delete_pipelines_in_seconds: 86_400 });
  await deleteOldPipelines(application, signal);
  const kept = [latest, goesOn, young, elsewhere].map(({ pipelineId }) => pipelineId);
  expect(await remaining()).toEqual(kept);
  await set(code.path, { keep_latest_artifact: false });
  await deleteOldPipelines(application, signal);
  expect(await remaining()).toEqual(kept.slice(1));
});

describe('ci_forward_deployment_enabled', () => {
  const yaml = (change: string) => `
workflow: { rules: [{ if: $CI_PIPELINE_SOURCE == "api" }] }
deploy: { script: make ${change}, environment: production, when: manual, retry: 2 }`;
  const tooOld = '403 Forbidden - The deployment job is older than the previously succeeded deployment job';

  test('an older deployment doesn’t run after a newer one; it is rolled back to where that is allowed', async () => {
    const ci = await newCi(gateway, yaml('one'));
    const runner = await runnerOf(ci);
    const made = async () => {
      const pipeline = ((await ci.run()).body as { id: number }).id;
      const { body } = await rest('GET', `${ci.path}/pipelines/${pipeline}/jobs`, { token });
      return { pipeline, job: (body as { id: number }[])[0]!.id };
    };
    const [older, waiting] = [await made(), await made()];
    await ci.configure(yaml('two'));
    const newer = await made();
    const act = (job: number, verb: string) => rest('POST', `${ci.path}/jobs/${job}/${verb}`, { token, json: {} });
    const deploys = async () => {
      const job = await next(runner);
      if (job) await rest('PUT', `/api/v4/jobs/${job.id}`, { json: { token: job.token, state: 'success' } });
      return job?.id;
    };
    const jobs = async (pipeline: number) =>
      sql(`select id, status, failure_reason as why from ci_jobs where pipeline_id = $1 order by id`, [pipeline]);

    expect((await act(newer.job, 'play')).status).toBe(200);
    // It waits already, for another runner.
    await act(waiting.job, 'play');
    await sql(`update ci_jobs set tags = '{other}' where id = $1`, [waiting.job]);
    expect(await deploys()).toBe(newer.job);
    await sql(`update ci_jobs set tags = '{}' where id = $1`, [waiting.job]);
    expect(await deploys()).toBeUndefined();
    // Trying again by itself would do no better.
    const failed = { id: waiting.job, status: 'failed', why: 'forward_deployment_failure' };
    expect(await jobs(waiting.pipeline)).toEqual([failed]);

    expect(await act(older.job, 'play')).toMatchObject({ status: 403, body: { message: tooOld } });
    await set(ci.path, { ci_forward_deployment_rollback_allowed: false });
    expect(await act(waiting.job, 'retry')).toMatchObject({ status: 403, body: { message: tooOld } });
    await rest('POST', `${ci.path}/pipelines/${waiting.pipeline}/retry`, { token, json: {} });
    expect(await jobs(waiting.pipeline)).toEqual([failed]);
    await set(ci.path, { ci_forward_deployment_rollback_allowed: true });
    const again = await act(waiting.job, 'retry');
    expect(again.status).toBe(201);
    expect(await deploys()).toBe((again.body as { id: number }).id);

    // What was rolled back to is the same commit as the oldest one’s; the one in between is older than it.
    await set(ci.path, { ci_forward_deployment_rollback_allowed: false });
    expect(await act(newer.job, 'retry')).toMatchObject({ status: 403, body: { message: tooOld } });
    await set(ci.path, { ci_forward_deployment_enabled: false });
    expect((await act(newer.job, 'retry')).status).toBe(201);
    expect((await act(older.job, 'play')).status).toBe(200);
  });
});

describe('runners_token', () => {
  const shown = async (path: string, as = token) => (await rest('GET', path, { token: as })).body.runners_token;
  const registers = async (secret: unknown) =>
    (await rest('POST', '/api/v4/runners', { json: { token: secret, description: 'mine' } })).status;

  test('of a project is for its maintainers, where one project is read or changed', async () => {
    const code = await newCode(gateway);
    const secret = await shown(code.path);
    expect(secret).toMatch(/^\S{20,}$/);
    expect([await shown(code.path), await registers(secret)]).toEqual([secret, 201]);
    expect(await rest('PUT', code.path, { token, json: { description: 'x' } })).toMatchObject({
      body: { runners_token: secret },
    });
    const [listed] = (await rest('GET', `/api/v4/projects?id_after=${code.id - 1}&order_by=id&sort=asc`, { token }))
      .body;
    expect(listed).toMatchObject({ id: code.id, runners_token: null });
    expect(await shown(code.path, await gateway.personalToken('maintainer', ['read_api']))).toBeNull();
    expect(await shown(code.path, tokens.developer)).toBeUndefined();
    const reset = await rest('POST', `${code.path}/runners/reset_registration_token`, { token, json: {} });
    expect(await shown(code.path)).toBe(reset.body.token);
    expect(await registers(secret)).toBe(403);
  });

  test('of a group is for its owners', async () => {
    const json = { name: 'with-runners', path: 'with-runners' };
    const made = await rest('POST', '/api/v4/groups', { token, json });
    expect(made.body).not.toHaveProperty('runners_token');
    const path = `/api/v4/groups/${made.body.id}`;
    const secret = await shown(path);
    expect([secret, await registers(secret)]).toEqual([expect.stringMatching(/^\S{20,}$/), 201]);
    expect((await rest('PUT', path, { token, json: { description: 'x' } })).body.runners_token).toBe(secret);
    const members = { user_id: 3, access_level: 40 };
    await rest('POST', `${path}/members`, { token, json: members });
    for (const answer of [
      await rest('GET', path, { token: tokens.developer }),
      await rest('GET', path, { token: await gateway.personalToken('maintainer', ['read_api']) }),
      { body: (await rest('GET', '/api/v4/groups?search=with-runners', { token })).body[0] as object },
    ])
      expect(answer.body).not.toHaveProperty('runners_token');
  });
});
