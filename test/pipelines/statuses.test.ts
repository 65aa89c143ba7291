import { describe, expect, test } from 'vitest';
import { testGateway } from '../support/gateway.ts';
import { addMember, newUser } from '../support/places/people.ts';
import { newReported, type Reported } from './support/reports.ts';

const gateway = await testGateway();
const { rest, graphql, sql, tokens } = gateway;
const token = tokens.maintainer;
const { developer, guest } = tokens;

const statusesOf = (project: Reported, query = '', sha = project.topic) =>
  rest('GET', `${project.path}/repository/commits/${sha}/statuses${query}`, { token });
const pipelineOf = async (project: Reported, id: number) =>
  (await rest('GET', `${project.path}/pipelines/${id}`, { token })).body;

const refusal = (event: string, from: string) =>
  `Cannot transition status via :${event} from :${from} (Reason(s): Status cannot transition via "${event}")`;

describe('a reported status', () => {
  test('makes a pipeline, and has the record of the contract', async () => {
    const project = await newReported(gateway);
    const { status, body } = await project.report({
      state: 'success',
      ref: 'topic',
      name: 'lint',
      target_url: 'https://ci.example.com/7',
      description: 'All fine',
      coverage: 98.29,
    });
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual([
      'id',
      'sha',
      'ref',
      'status',
      'name',
      'target_url',
      'description',
      'created_at',
      'started_at',
      'finished_at',
      'allow_failure',
      'coverage',
      'pipeline_id',
      'author',
    ]);
    expect(body).toMatchObject({
      sha: project.topic,
      ref: 'topic',
      status: 'success',
      name: 'lint',
      target_url: 'https://ci.example.com/7',
      description: 'All fine',
      started_at: null,
      finished_at: expect.stringMatching(/^\d{4}-.*Z$/),
      allow_failure: false,
      coverage: 98.29,
      author: { username: 'maintainer' },
    });
    const pipeline = await pipelineOf(project, body.pipeline_id);
    expect(pipeline).toMatchObject({
      iid: 1,
      ref: 'topic',
      sha: project.topic,
      source: 'external',
      status: 'success',
      tag: false,
      coverage: '98.29',
      user: { username: 'maintainer' },
      duration: null,
    });
    expect((await statusesOf(project)).body).toEqual([body]);
  });

  test('goes on while it hasn’t finished, and keeps what isn’t sent again', async () => {
    const project = await newReported(gateway);
    const first = (await project.report({ state: 'pending', description: 'Waits', coverage: 5 })).body;
    const running = (await project.report({ state: 'running', target_url: 'http://ci.example.com' })).body;
    expect(running).toMatchObject({
      id: first.id,
      status: 'running',
      description: 'Waits',
      target_url: 'http://ci.example.com',
      coverage: 5,
      started_at: expect.any(String),
      finished_at: null,
      ref: 'topic',
      name: 'default',
    });
    expect(await pipelineOf(project, first.pipeline_id)).toMatchObject({ status: 'running', finished_at: null });
    const done = (await project.report({ state: 'failed', description: 'Broken' })).body;
    expect(done).toMatchObject({
      id: first.id,
      status: 'failed',
      description: 'Broken',
      finished_at: expect.any(String),
    });
    expect(await pipelineOf(project, first.pipeline_id)).toMatchObject({
      status: 'failed',
      duration: expect.any(Number),
      queued_duration: expect.any(Number),
      started_at: done.started_at,
    });
    const [stored] = await sql<{ failure_reason: string }>('select failure_reason from ci_jobs where id = $1', [
      first.id,
    ]);
    expect(stored!.failure_reason).toBe('api_failure');
  });

  test('that has finished is followed by a new one of its name, which counts in its place', async () => {
    const project = await newReported(gateway);
    const first = (await project.report({ state: 'failed', name: 'unit' })).body;
    await project.report({ state: 'success', name: 'lint' });
    expect((await pipelineOf(project, first.pipeline_id)).status).toBe('failed');
    const second = (await project.report({ state: 'success', context: 'unit' })).body;
    expect(second.id).not.toBe(first.id);
    expect(second.pipeline_id).toBe(first.pipeline_id);
    expect((await pipelineOf(project, first.pipeline_id)).status).toBe('success');
    const shown = (await statusesOf(project)).body as { id: number; name: string }[];
    expect(shown.map(({ name }) => name)).toEqual(['lint', 'unit']);
    const all = (await statusesOf(project, '?all=true&sort=desc')).body as { id: number }[];
    expect(all.map(({ id }) => id)).toEqual([second.id, shown[0]!.id, first.id]);
    const of = async (query: string) =>
      ((await statusesOf(project, query)).body as { name: string }[]).map(({ name }) => name);
    expect(await of('?name=unit')).toEqual(['unit']);
    expect(await of('?ref=main')).toEqual([]);
    expect(await of('?stage=external&order_by=pipeline_id')).toEqual(['lint', 'unit']);
    expect(await of(`?pipeline_id=${first.pipeline_id}`)).toEqual(['lint', 'unit']);
    expect(await of(`?pipeline_id=${first.pipeline_id + 1_000_000}`)).toEqual([]);
  });

  test('of another person is another one', async () => {
    const project = await newReported(gateway);
    const first = (await project.report({ state: 'running' })).body;
    const second = (await project.report({ state: 'running', token: developer })).body;
    expect(second.id).not.toBe(first.id);
    expect((await statusesOf(project)).body).toMatchObject([{ id: second.id, author: { username: 'developer' } }]);
  });

  test.each([
    ['running', 'running', 'run', 'running'],
    ['pending', 'pending', 'enqueue', 'pending'],
    ['running', 'pending', 'enqueue', 'running'],
    ['running', 'skipped', 'skip', 'running'],
  ])('that is %s can’t be %s', async (before, after, event, from) => {
    const project = await newReported(gateway);
    const first = (await project.report({ state: before })).body;
    const { status, body } = await project.report({ state: after, description: 'No' });
    expect([status, body]).toEqual([400, { message: refusal(event, from) }]);
    expect((await statusesOf(project)).body).toEqual([first]);
  });

  test('is of the branch that is named, of the newest pipeline, or of one that contains the commit', async () => {
    const project = await newReported(gateway);
    const { sha } = project;
    const first = (await project.report({ sha: sha.slice(0, 8), state: 'success' })).body;
    expect([first.sha, first.ref]).toEqual([sha, 'main']);
    const second = (await project.report({ sha: 'main', state: 'success', ref: 'refs/heads/topic' })).body;
    expect(second.ref).toBe('topic');
    expect(second.pipeline_id).not.toBe(first.pipeline_id);
    const third = (await project.report({ sha, state: 'running', name: 'later' })).body;
    expect(third.pipeline_id).toBe(second.pipeline_id);
    const named = (await project.report({ sha, state: 'running', name: 'x', pipeline_id: first.pipeline_id })).body;
    expect([named.pipeline_id, named.ref]).toEqual([first.pipeline_id, 'main']);
    for (const query of [
      { pipeline_id: first.pipeline_id, ref: 'topic' },
      { pipeline_id: 2_000_000_000 },
      { pipeline_id: first.pipeline_id, sha: project.topic },
    ]) {
      const { status, body } = await project.report({ sha, state: 'running', ...query });
      expect([status, body]).toEqual([404, { message: '404 Pipeline for pipeline_id, sha and ref Not Found' }]);
    }
  });

  test('of a commit that no branch contains needs a ref', async () => {
    const project = await newReported(gateway);
    await rest('DELETE', `${project.path}/repository/branches/topic`, { token });
    const lost = await project.report({ state: 'success' });
    expect([lost.status, lost.body]).toEqual([404, { message: '404 References for commit Not Found' }]);
    expect((await project.report({ state: 'success', ref: 'gone' })).status).toBe(201);
  });

  test.each([
    [{}, 400, { error: 'state is missing, state does not have a valid value' }],
    [{ state: 'done' }, 400, { error: 'state does not have a valid value' }],
    [{ state: 'success', coverage: 'much' }, 400, { error: 'coverage is invalid' }],
    [{ state: 'success', coverage: 1e300 }, 400, { message: { coverage: ['is invalid'] } }],
    [
      { state: 'success', target_url: 'git@example.com' },
      400,
      { message: { target_url: ['is blocked: Only allowed schemes are http, https'] } },
    ],
    [
      { state: 'success', target_url: 'javascript:alert(1)' },
      400,
      { message: { target_url: ['is blocked: Only allowed schemes are http, https'] } },
    ],
    [
      { state: 'success', description: 'x'.repeat(256) },
      400,
      { message: { description: ['is too long (maximum is 255 characters)'] } },
    ],
    [
      { state: 'success', ref: 'x'.repeat(256) },
      400,
      { message: { ref: ['is too long (maximum is 255 characters)'] } },
    ],
    [{ state: 'success', sha: 'abcdef0123' }, 404, { message: '404 Commit Not Found' }],
  ])('%j is refused, and nothing is made', async (said, status, body) => {
    const project = await newReported(gateway);
    const answer = await project.report(said);
    expect([answer.status, answer.body]).toEqual([status, body]);
    expect(await sql('select id from pipelines where project_id = $1', [project.id])).toEqual([]);
  });

  test('has the contract’s texts at /graphql, too', async () => {
    const project = await newReported(gateway);
    const send = (state: string) =>
      graphql(
        `
          mutation ($input: CommitStatusReportInput!) {
            commitStatusReport(input: $input) {
              status {
                name
                status
                external
              }
              errors
            }
          }
        `,
        { token, variables: { input: { projectPath: project.fullPath, sha: project.topic, state } } },
      );
    expect((await send('RUNNING')).data!.commitStatusReport).toEqual({
      status: { name: 'default', status: 'RUNNING', external: true },
      errors: [],
    });
    expect((await send('RUNNING')).data!.commitStatusReport).toEqual({
      status: null,
      errors: [refusal('run', 'running')],
    });
  });
});

describe('who reports and reads statuses', () => {
  test('developers report, but not on a protected branch that they may not write to', async () => {
    const project = await newReported(gateway);
    expect((await project.report({ state: 'success', token: developer })).status).toBe(201);
    const refused = await project.report({ sha: project.sha, state: 'success', ref: 'main', token: developer });
    expect([refused.status, refused.body]).toEqual([403, { message: '403 Forbidden' }]);
    const reporter = await newUser(gateway, 'reporting');
    await addMember(gateway, reporter, 'REPORTER', { project: String(project.id) });
    const wrong = await project.report({ state: 'nothing', token: reporter.token });
    expect([wrong.status, wrong.body]).toEqual([403, { message: '403 Forbidden' }]);
    const list = `${project.path}/repository/commits/${project.topic}/statuses`;
    expect((await rest('GET', list, { token: reporter.token })).body).toHaveLength(1);
    const stranger = await newUser(gateway, 'stranger');
    expect((await rest('GET', list, { token: stranger.token })).status).toBe(404);
    expect((await project.report({ state: 'success', token: stranger.token })).status).toBe(404);
    await rest('POST', `${project.path}/protected_branches`, {
      token,
      json: { name: 'topic', push_access_level: 0, merge_access_level: 30 },
    });
    expect((await project.report({ state: 'success', token: developer })).status).toBe(201);
  });

  test('anonymous requests and guests don’t read them, and nobody reports in an archived project', async () => {
    const project = await newReported(gateway, { visibility: 'public' });
    const list = `${project.path}/repository/commits/${project.topic}/statuses`;
    expect((await rest('GET', list)).status).toBe(401);
    expect((await rest('GET', list, { token: guest })).status).toBe(200);
    const hidden = await newReported(gateway);
    await addMember(gateway, { id: '4' }, 'GUEST', { project: String(hidden.id) });
    const { status, body } = await rest('GET', `${hidden.path}/repository/commits/${hidden.topic}/statuses`, {
      token: guest,
    });
    expect([status, body]).toEqual([403, { message: '403 Forbidden' }]);
    await rest('POST', `${project.path}/archive`, { token });
    expect((await project.report({ state: 'success' })).status).toBe(403);
  });
});

describe('many reports at once', () => {
  test('make one pipeline, without a gap in the numbers', async () => {
    const project = await newReported(gateway);
    const names = Array.from({ length: 12 }, (_, index) => `check-${index}`);
    const answers = await Promise.all(names.map((name) => project.report({ state: 'success', name })));
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 201));
    expect(new Set(answers.map(({ body }) => body.pipeline_id)).size).toBe(1);
    expect(await pipelineOf(project, answers[0]!.body.pipeline_id)).toMatchObject({ iid: 1, status: 'success' });
    const next = await project.report({ sha: project.sha, ref: 'main', state: 'success' });
    expect((await pipelineOf(project, next.body.pipeline_id)).iid).toBe(2);
  });

  test('of one name: one is taken, the others are refused', async () => {
    const project = await newReported(gateway);
    const answers = await Promise.all(Array.from({ length: 8 }, () => project.report({ state: 'running' })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(7);
    expect((await statusesOf(project, '?all=true')).body).toHaveLength(1);
  });
});

describe('the end of a pipeline', () => {
  const ends = (project: Reported) =>
    sql<{ kind: string }>(`select kind from events where project_id = $1 and kind like 'pipeline.%' order by id`, [
      project.id,
    ]);

  test('is one event each time; a success after a failure is a repair', async () => {
    const project = await newReported(gateway);
    await project.report({ state: 'running' });
    expect(await ends(project)).toEqual([]);
    await project.report({ state: 'success' });
    await project.report({ state: 'failed', name: 'later' });
    await project.report({ state: 'failed', name: 'last' });
    await project.report({ sha: project.sha, ref: 'topic', state: 'success' });
    await project.report({ sha: project.sha, ref: 'main', state: 'success' });
    await project.report({ sha: project.sha, ref: 'main', state: 'canceled', name: 'other' });
    expect((await ends(project)).map(({ kind }) => kind)).toEqual([
      'pipeline.succeeded',
      'pipeline.failed',
      'pipeline.fixed',
      'pipeline.succeeded',
      'pipeline.canceled',
    ]);
  });

  test('of an older pipeline says nothing about the branch', async () => {
    const project = await newReported(gateway);
    const old = (await project.report({ state: 'running', ref: 'topic' })).body;
    await project.report({ sha: project.sha, ref: 'topic', state: 'success' });
    await project.report({ state: 'failed', pipeline_id: old.pipeline_id });
    await project.report({ sha: project.sha, ref: 'topic', state: 'failed', name: 'x' });
    await project.report({ sha: project.sha, ref: 'topic', state: 'success', name: 'x' });
    expect((await ends(project)).map(({ kind }) => kind)).toEqual([
      'pipeline.succeeded',
      'pipeline.failed',
      'pipeline.failed',
      'pipeline.fixed',
    ]);
  });
});
