import { describe, expect, test } from 'vitest';
import { deriveKey } from '../../src/auth/keys/crypto.ts';
import { runJob } from '../../src/maintenance.ts';
import { readConfig } from '../../src/config/index.ts';
import { openOfPipeline } from '../../src/schema/pipelines/processing/sealing.ts';
import { findDueSchedules } from '../../src/schema/pipelines/schedules/run.ts';
import { schemaJobs } from '../../src/schema/jobs.ts';
import { testGateway } from '../support/gateway.ts';
import { secretKey } from '../support/run/global-setup.ts';
import { addMember, newUser } from '../support/places/people.ts';
import { newCi } from './support/ci.ts';
import { endJob, runningJob } from './support/jobs.ts';

/** Pipelines that tokens and the clock start. */

// Jobs are run by the tests.
const gateway = await testGateway({ CAUSEWAY_JOBS: '0' });
const { rest, sql, tokens } = gateway;
const token = tokens.maintainer;

const yaml = 'test:\n  script:\n    - "true"\n';

/** The variables of a pipeline, in clear. */
async function variablesOf(pipeline: number) {
  const keys = { derive: (label: string) => [deriveKey(secretKey, label)] };
  const rows = await sql<{ key: string; kind: string; sealed: Buffer }>(
    'select key, kind, sealed from ci_pipeline_variables where pipeline_id = $1 order by key',
    [pipeline],
  );
  return rows.map(({ key, kind, sealed }) => [key, kind, openOfPipeline(keys, pipeline, key, sealed)]);
}

const pipelinesOf = async (path: string) =>
  (await rest('GET', `${path}/pipelines`, { token })).body as { id: number }[];

describe('a trigger', () => {
  async function withTrigger(as = token) {
    const ci = await newCi(gateway, yaml);
    const { status, body } = await rest('POST', `${ci.path}/triggers`, { token: as, json: { description: 'x' } });
    expect(status).toBe(201);
    const start = (form: Record<string, string>, at = `${ci.path}/trigger/pipeline`) =>
      rest('POST', at, { form: { token: body.token, ref: 'main', ...form } });
    return { ...ci, ...(body as { id: number; token: string }), trigger: `${ci.path}/triggers/${body.id}`, start };
  }

  test('starts a pipeline with the rights of its owner', async () => {
    const { start, trigger, path } = await withTrigger();
    const { status, body } = await start({ 'variables[RUN]': 'all of $them', 'variables[EMPTY]': '', more: 'told' });
    expect([status, body]).toMatchObject([
      201,
      { ref: 'main', source: 'trigger', status: 'pending', user: { username: 'maintainer' }, tag: false },
    ]);
    const variables = await variablesOf(body.id as number);
    expect(variables).toEqual([
      ['EMPTY', 'env_var', ''],
      ['RUN', 'env_var', 'all of $them'],
      ['TRIGGER_PAYLOAD', 'file', expect.any(String)],
    ]);
    const id = decodeURIComponent(path.split('/').at(-1)!);
    const payload = JSON.parse(String(variables[2]![2]));
    expect(payload).toEqual({ id, ref: 'main', variables: { RUN: 'all of $them', EMPTY: '' }, more: 'told' });
    expect((await rest('GET', trigger, { token })).body.last_used).toMatch(/Z$/);
  });

  test('keeps no credential that was sent beside its token', async () => {
    const { start } = await withTrigger();
    const beside = { private_token: 'glpat-a', access_token: 'b', bearer_token: 'c', job_token: 'd', more: 'told' };
    const { body } = await start({ ...beside, 'variables[TOKEN]': 'given' });
    const [, payload] = await variablesOf(body.id as number);
    expect(Object.keys(JSON.parse(String(payload![2]))).toSorted()).toEqual(['id', 'more', 'ref', 'variables']);
  });

  test('takes everything in the query string, in JSON, and the branch in the path, which wins', async () => {
    const { token: secret, path, branch } = await withTrigger();
    await branch('topic');
    const inQuery = await rest('POST', `${path}/trigger/pipeline?token=${secret}&ref=topic&variables[A]=1`, {});
    expect([inQuery.status, inQuery.body.ref]).toEqual([201, 'topic']);
    const inPath = await rest('POST', `${path}/ref/topic/trigger/pipeline`, {
      json: { token: secret, ref: 'main', variables: { A: '2' } },
    });
    expect([inPath.status, inPath.body.ref]).toEqual([201, 'topic']);
    // By the full path of the project, too, and whatever other credential is sent.
    const [{ full_path: fullPath }] = (await sql<{ full_path: string }>(
      'select p.full_path from projects p join ci_triggers t on t.project_id = p.id order by t.id desc limit 1',
    )) as [{ full_path: string }];
    const byName = await rest('POST', `/api/v4/projects/${encodeURIComponent(fullPath)}/trigger/pipeline`, {
      token: 'glpat-unknown',
      json: { token: secret, ref: 'main' },
    });
    expect(byName.status).toBe(201);
  });

  test('refuses what is wrong, in the words that clients know', async () => {
    const { start, path, token: secret } = await withTrigger();
    const other = await withTrigger();
    const send = (json: Record<string, unknown>, at = `${path}/trigger/pipeline`) => rest('POST', at, { json });
    const notFound = { message: '404 Not Found' };
    const cases: [Awaited<ReturnType<typeof start>>, number, unknown][] = [
      [await send({ ref: 'main' }), 400, { error: 'token is missing' }],
      [await send({ token: secret }), 400, { error: 'ref is missing, ref is empty' }],
      [await send({ token: secret, ref: ' ' }), 400, { error: 'ref is empty' }],
      [await send({ token: secret, ref: 'main' }, '/api/v4/projects/nothing%2Fhere/trigger/pipeline'), 404, notFound],
      [await send({ token: secret, ref: 'main' }, `${other.path}/trigger/pipeline`), 404, notFound],
      [await send({ token: `${secret}0`, ref: 'main' }), 404, notFound],
      [await send({ token: 'cwjt_1_unknown', ref: 'main' }), 404, notFound],
      [await send({ token: secret, ref: 'main', variables: 'value' }), 400, { error: 'variables is invalid' }],
      [await start({ 'variables[A][]': '1' }), 400, { message: 'variables needs to be a map of key-valued strings' }],
      [await start({ ref: 'gone' }), 400, { message: { base: ['Reference not found'] } }],
      [
        await rest('POST', `${path}/trigger/pipeline`, {
          json: { token: secret, ref: 'main' },
          headers: { 'x-gitlab-event': 'Pipeline Hook' },
        }),
        403,
        { message: '403 Forbidden' },
      ],
    ];
    for (const [{ status, body }, ...expected] of cases) expect([status, body]).toMatchObject(expected);
    const former = await send({ token: secret, ref: 'main' }, `${path}/trigger/builds`);
    expect([former.status, former.body.error]).toEqual([404, '404 Not Found']);
    expect(await pipelinesOf(path)).toEqual([]);
    expect((await rest('GET', `${path}/triggers`, { token })).body[0].last_used).toBeNull();
  });

  test('starts nothing for an owner who is blocked, gone, or may not any more, nor when it has expired', async () => {
    const ci = await newCi(gateway, yaml);
    const owner = await newUser(gateway, `owner-${ci.id}`);
    await addMember(gateway, owner, 'MAINTAINER', { project: String(ci.id) });
    const { body } = await rest('POST', `${ci.path}/triggers`, { token: owner.token, json: { description: 'x' } });
    const start = () => rest('POST', `${ci.path}/trigger/pipeline`, { form: { token: body.token, ref: 'main' } });
    const lost = { message: { base: ['Insufficient permissions to create a new pipeline'] } };
    expect((await start()).status).toBe(201);
    await sql(`update ci_triggers set expires_at = now() - interval '1 second' where id = $1`, [body.id]);
    expect((await start()).status).toBe(404);
    await sql('update ci_triggers set expires_at = null where id = $1', [body.id]);
    await sql('update project_members set access_level = 20 where user_id = $1', [owner.id]);
    expect([(await start()).status, (await start()).body]).toEqual([400, lost]);
    await sql('update project_members set access_level = 40 where user_id = $1', [owner.id]);
    await sql(`update users set state = 'BLOCKED' where id = $1`, [owner.id]);
    expect([(await start()).status, (await start()).body]).toEqual([400, lost]);
    await sql(`update users set state = 'ACTIVE' where id = $1`, [owner.id]);
    await sql('delete from project_members where user_id = $1', [owner.id]);
    expect([(await start()).status, (await start()).body]).toEqual([400, lost]);
    await sql('update ci_triggers set owner_id = null where id = $1', [body.id]);
    expect([(await start()).status, (await start()).body]).toEqual([400, lost]);
    expect(await pipelinesOf(ci.path)).toHaveLength(1);
  });

  test('runs on a protected branch only for who pushes or merges there', async () => {
    const { id, start } = await withTrigger();
    await sql(
      `update protected_branches set push_access_level = 0, merge_access_level = 0
        where project_id = (select project_id from ci_triggers where id = $1)`,
      [id],
    );
    const { status, body } = await start({});
    expect([status, body.message.base[0]]).toEqual([
      400,
      "You do not have sufficient permission to run a pipeline on 'main'. Please select a different branch or contact your administrator for assistance.",
    ]);
  });

  test('is a job’s token, too, while the job runs, in its own project', async () => {
    const ci = await newCi(gateway, yaml);
    const [{ sha }] = (await rest('GET', `${ci.path}/repository/commits`, { token })).body.map(
      (one: { id: string }) => ({ sha: one.id }),
    ) as [{ sha: string }];
    const job = await runningJob(gateway, { id: ci.id, sha });
    await sql(`insert into project_counters (project_id, kind, last) values ($1, 'PIPELINE', 1)`, [ci.id]);
    const other = await newCi(gateway, yaml);
    const start = (path: string) =>
      rest('POST', `${path}/trigger/pipeline`, { form: { token: job.token, ref: 'main' } });
    const started = await start(ci.path);
    expect([started.status, started.body]).toMatchObject([
      201,
      { source: 'pipeline', user: { username: 'maintainer' } },
    ]);
    expect((await start(other.path)).status).toBe(404);
    await endJob(gateway, job.id);
    const dead = await start(ci.path);
    expect([dead.status, dead.body]).toEqual([401, { message: 'Job is not running' }]);
    expect(await pipelinesOf(ci.path)).toHaveLength(2);
  });
});

describe('a schedule', () => {
  const jobs = schemaJobs(gateway.gateway.application);
  const noSignal = new AbortController().signal;
  const { database } = gateway.gateway.application;
  /** Has the clock come: finds what is due, and runs it. @returns how many runs were made */
  async function tick(): Promise<number> {
    await findDueSchedules(database, noSignal);
    const rows = await sql<{ payload: { scheduleId: number; due: string } }>(
      `delete from jobs where name = 'run_pipeline_schedule' returning payload`,
    );
    for (const { payload } of rows) await jobs.run_pipeline_schedule(payload, noSignal);
    return rows.length;
  }
  const dueNow = (id: number) =>
    sql(`update pipeline_schedules set next_run_at = now() - interval '1 minute' where id = $1`, [id]);

  async function withSchedule(as: string, json: Record<string, unknown> = {}) {
    const ci = await newCi(gateway, yaml);
    // Developers don't run on `main`, which is protected.
    await ci.branch('topic');
    const { status, body } = await rest('POST', `${ci.path}/pipeline_schedules`, {
      token: as,
      json: { description: 'Nightly', ref: 'topic', cron: '0 3 * * *', ...json },
    });
    expect(status).toBe(201);
    return { ...ci, id: ci.id, schedule: body.id as number, one: `${ci.path}/pipeline_schedules/${body.id}` };
  }

  test('makes one pipeline when it is due, as its owner, with its variables', async () => {
    const { schedule, one, path } = await withSchedule(tokens.developer);
    await rest('POST', `${one}/variables`, { token: tokens.developer, json: { key: 'A', value: 'x' } });
    expect(await tick()).toBe(0);
    await dueNow(schedule);
    expect(await tick()).toBe(1);
    const [pipeline] = (await rest('GET', `${one}/pipelines`, { token })).body;
    expect(pipeline).toMatchObject({ ref: 'topic', source: 'schedule', status: 'pending' });
    expect((await rest('GET', `${path}/pipelines/${pipeline.id}`, { token })).body.user.username).toBe('developer');
    expect(await variablesOf(pipeline.id)).toEqual([['A', 'env_var', 'x']]);
    const { body } = await rest('GET', one, { token: tokens.developer });
    expect(body.last_pipeline).toMatchObject({ id: pipeline.id, ref: 'topic', status: 'pending' });
    expect(new Date(body.next_run_at as string).getTime()).toBeGreaterThan(Date.now());
    expect(await tick()).toBe(0);
    expect(await pipelinesOf(path)).toHaveLength(1);
  });

  test('says to rules what it is for', async () => {
    const { one, configure, jobs } = await withSchedule(tokens.developer);
    await configure('night: { script: make, rules: [{ if: $CI_PIPELINE_SCHEDULE_DESCRIPTION == "Nightly" }] }', {
      branch: 'topic',
    });
    expect((await rest('POST', `${one}/play`, { token: tokens.developer })).status).toBe(201);
    const [pipeline] = (await rest('GET', `${one}/pipelines`, { token })).body;
    expect(await jobs(pipeline.id)).toEqual({ night: 'pending' });
  });

  test('makes no second pipeline for the same time: neither two gateways do, nor a run that is repeated', async () => {
    const { schedule, path } = await withSchedule(tokens.developer);
    await dueNow(schedule);
    await Promise.all([1, 2, 3, 4].map(() => findDueSchedules(database, noSignal)));
    const rows = await sql<{ payload: { scheduleId: number; due: string } }>(
      `delete from jobs where name = 'run_pipeline_schedule' returning payload`,
    );
    expect(rows).toHaveLength(1);
    const [{ payload }] = rows as [{ payload: { scheduleId: number; due: string } }];
    await Promise.all([1, 2, 3].map(() => jobs.run_pipeline_schedule(payload, noSignal)));
    await jobs.run_pipeline_schedule(payload, noSignal);
    expect(await pipelinesOf(path)).toHaveLength(1);
  });

  test('stops when its owner may not start pipelines any more', async () => {
    const { schedule, one, path, id } = await withSchedule(token);
    const owner = await newUser(gateway, `clock-${id}`);
    await addMember(gateway, owner, 'DEVELOPER', { project: String(id) });
    const stopped = async () => (await rest('GET', one, { token })).body.active === false;
    for (const loss of [
      `update project_members set access_level = 20 where user_id = ${owner.id}`,
      `update users set state = 'BLOCKED' where id = ${owner.id}`,
      'update pipeline_schedules set owner_id = null',
    ]) {
      await sql('update pipeline_schedules set active = true, owner_id = $2 where id = $1', [schedule, owner.id]);
      await sql(loss);
      await dueNow(schedule);
      expect([loss, await tick(), await stopped()]).toEqual([loss, 1, true]);
    }
    await dueNow(schedule);
    expect(await tick()).toBe(0);
    expect(await pipelinesOf(path)).toEqual([]);
  });

  test('says why it made no pipeline, and goes on', async () => {
    const { schedule, one, path, fullPath } = await withSchedule(token, { ref: 'gone' });
    await dueNow(schedule);
    expect(await tick()).toBe(1);
    const problem = async () =>
      (
        await gateway.graphql<any>(
          `{ project(fullPath: "${fullPath}") { pipelineSchedules { nodes { active lastProblem } } } }`,
          { token },
        )
      ).data!.project.pipelineSchedules.nodes[0];
    expect(await problem()).toEqual({ active: true, lastProblem: 'base Reference not found' });
    await rest('PUT', one, { token, json: { ref: 'refs/heads/main' } });
    await dueNow(schedule);
    await tick();
    expect(await problem()).toEqual({ active: true, lastProblem: null });
    expect(await pipelinesOf(path)).toHaveLength(1);
  });

  test('is run now by who may, with their rights', async () => {
    const { one, path, id } = await withSchedule(tokens.developer, { ref: 'main' });
    const { status, body } = await rest('POST', `${one}/play`, { token });
    expect([status, body]).toEqual([201, { message: '201 Created' }]);
    const [pipeline] = await pipelinesOf(path);
    expect((await rest('GET', `${path}/pipelines/${pipeline!.id}`, { token })).body).toMatchObject({
      source: 'schedule',
      user: { username: 'maintainer' },
    });
    expect((await rest('GET', one, { token })).body.last_pipeline.id).toBe(pipeline!.id);
    const reporter = await newUser(gateway, `reporter-${id}`);
    await addMember(gateway, reporter, 'REPORTER', { project: String(id) });
    expect((await rest('POST', `${one}/play`, { token: reporter.token })).status).toBe(403);
    const refused = await rest('POST', `${one}/play`, { token: tokens.developer });
    expect([refused.status, refused.body.message.base[0]]).toEqual([
      400,
      expect.stringMatching(/^You do not have sufficient permission to run a pipeline on 'main'/),
    ]);
    expect(await pipelinesOf(path)).toHaveLength(1);
  });

  test('is found by the command that runs a job of the clock', async () => {
    const { schedule } = await withSchedule(tokens.developer);
    await dueNow(schedule);
    const config = readConfig({
      DATABASE_URL: gateway.databaseUrl,
      CAUSEWAY_SECRET_KEY: secretKey,
      CAUSEWAY_LOG_LEVEL: 'error',
      PORT: '0',
    });
    expect(await runJob(config, 'find_due_schedules')).toBe(true);
    expect(await sql(`delete from jobs where name = 'run_pipeline_schedule' returning id`)).toHaveLength(1);
  });
});
