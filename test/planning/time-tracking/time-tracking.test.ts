import { beforeAll, expect, test } from 'vitest';
import type { TestGateway } from '../../support/gateway.ts';
import { at, makeShop, type Shop } from '../../support/places/shop.ts';

/** Estimating the time of issues and logging what was spent, over REST and GraphQL, and how durations are shown. */

let gateway: TestGateway;
let tokens: Shop['tokens'];
let api: Shop['api'];
let aProject: Shop['aProject'];
beforeAll(async () => {
  ({ gateway, tokens, api, aProject } = await makeShop());
});

const create = (project: string) =>
  api('POST', at(project, '/issues'), tokens.reporter, { json: { title: 'Pump leaks' } });

test('an issue has estimated and spent time', async () => {
  const project = await aProject();
  await create(project);
  const act = (path: string, json: object = {}, token = tokens.reporter, method = 'POST') =>
    api(method, at(project, `/issues/${path}`), token, method === 'GET' ? {} : { json });
  const none = { time_estimate: 0, total_time_spent: 0, human_time_estimate: null, human_total_time_spent: null };
  expect((await act('1/time_stats', {}, tokens.guest, 'GET')).body).toEqual(none);
  const said = async (path: string, json?: object) => {
    const { status, body } = await act(`1/${path}`, json);
    return [status, body.human_time_estimate ?? body.message ?? body.error, body.human_total_time_spent];
  };
  expect(await said('time_estimate', { duration: '1w 2d 3h30m' })).toEqual([200, '1w 2d 3h 30m', null]);
  expect(await said('time_estimate', { duration: '27' })).toEqual([200, '3d 3h', null]);
  expect(await said('time_estimate', { duration: '2 hours and 30 min' })).toEqual([200, '2h 30m', null]);
  expect(await said('time_estimate', { duration: '27 hours' })).toEqual([200, '3d 3h', null]);
  expect(await said('time_estimate', { duration: 'long' })).toEqual([
    400,
    '400 Bad request - Time estimate must have a valid format and be greater than or equal to zero.',
    undefined,
  ]);
  expect(await said('time_estimate')).toEqual([400, 'duration is missing', undefined]);
  expect(await said('add_spent_time', { duration: '3h%2030m' })).toEqual([201, '3d 3h', '3h 30m']);
  expect(await said('add_spent_time', { duration: '-30m', summary: 'less' })).toEqual([201, '3d 3h', '3h']);
  expect(await said('add_spent_time', { duration: '-4h' })).toEqual([
    400,
    { base: ['Time to subtract exceeds the total time spent'] },
    undefined,
  ]);
  expect(await said('add_spent_time', { duration: '0' })).toEqual([
    400,
    { 'timelogs.time_spent': ["can't be blank"] },
    undefined,
  ]);
  expect((await act('1/reset_time_estimate')).body).toMatchObject({ time_estimate: 0, total_time_spent: 10_800 });
  expect((await act('1/reset_spent_time')).body).toEqual(none);
  expect((await act('1/add_spent_time', { duration: '1h' }, tokens.guest)).status).toBe(403);
});

test('times are logged, listed and removed one by one', async () => {
  const project = await aProject();
  const issuableId = `gid://gitlab/Issue/${(await create(project)).body.id}`;
  type Answer = { timelogCreate: { errors: string[]; timelog: { id: string } | null } };
  const log = (more: object, token = tokens.reporter) =>
    gateway.graphql<Answer>(
      `mutation ($input: TimelogCreateInput!) { timelogCreate(input: $input) { errors timelog {
        id timeSpent spentAt summary user { username } issue { iid } mergeRequest { iid } } } }`,
      { variables: { input: { issuableId, timeSpent: '2h', summary: 'Sealed it', ...more } }, token },
    );
  const spentAt = '2026-01-03T10:00:00.000Z';
  const { timelogCreate } = (await log({ spentAt })).data!;
  expect(timelogCreate).toEqual({
    errors: [],
    timelog: {
      id: expect.stringMatching(/^gid:\/\/gitlab\/Timelog\/\d+$/),
      timeSpent: 7_200,
      spentAt,
      summary: 'Sealed it',
      user: { username: 'the-reporter' },
      issue: { iid: '1' },
      mergeRequest: null,
    },
  });
  const errorsOf = async (more: object) => (await log(more)).data!.timelogCreate.errors;
  expect(await errorsOf({ timeSpent: 'long' })).toEqual([
    'Time spent must be formatted correctly. For example: 1h 30m.',
  ]);
  expect(await errorsOf({ spentAt: '2999-01-01T00:00:00Z' })).toEqual(["Spent at can't be a future date and time."]);
  expect(await errorsOf({ timeSpent: '-3h' })).toEqual(['Time to subtract exceeds the total time spent']);
  expect((await log({}, tokens.guest)).errors).toHaveLength(1);
  const less = (await log({ timeSpent: '-1h' })).data!.timelogCreate.timelog!.id;
  const times = async () =>
    (
      await gateway.graphql<{ project: { issue: object } }>(
        `{ project(fullPath: "${project}") { issue(iid: "1") { totalTimeSpent timelogs { nodes { timeSpent } } } } }`,
        { token: tokens.guest },
      )
    ).data!.project.issue;
  expect(await times()).toEqual({
    totalTimeSpent: 3_600,
    timelogs: { nodes: [{ timeSpent: 7_200 }, { timeSpent: -3_600 }] },
  });
  const remove = (id: string, token: string) =>
    gateway.graphql<{ timelogDelete: { errors: string[]; timelog: object | null } }>(
      'mutation ($id: TimelogID!) { timelogDelete(input: { id: $id }) { errors timelog { timeSpent } } }',
      { variables: { id }, token },
    );
  const { id } = timelogCreate.timelog!;
  expect((await remove(id, tokens.developer)).errors).toHaveLength(1);
  expect((await remove(id, tokens.stranger)).errors).toHaveLength(1);
  // The other one would be left, and the sum less than nothing.
  expect((await remove(id, tokens.reporter)).data!.timelogDelete.errors).toHaveLength(1);
  expect((await remove(less, tokens.maintainer)).data!.timelogDelete).toEqual({
    errors: [],
    timelog: { timeSpent: -3_600 },
  });
  const twice = await Promise.all([remove(id, tokens.reporter), remove(id, tokens.reporter)]);
  expect(twice.filter(({ errors }) => errors === undefined)).toHaveLength(1);
  expect(await times()).toEqual({ totalTimeSpent: 0, timelogs: { nodes: [] } });
  const notes = (await api('GET', at(project, '/issues/1/notes?sort=asc'), tokens.guest)).body as { body: string }[];
  expect(notes.map(({ body }) => body)).toEqual([
    'added 2h of time spent at 2026-01-03',
    'subtracted 1h of time spent',
    expect.stringMatching(/^deleted -1h of spent time from \d{4}-\d\d-\d\d$/),
    'deleted 2h of spent time from 2026-01-03',
  ]);
});

test('where the instance limits durations to hours, all of them are shown so, and any is read', async () => {
  const limit = (timeTrackingLimitToHours: boolean | null) =>
    gateway.operator(
      'mutation ($input: UpdateInstanceSettingsInput!) { updateInstanceSettings(input: $input) { settings { timeTrackingLimitToHours } } }',
      {
        input: { timeTrackingLimitToHours },
      },
    );
  expect(await limit(true)).toEqual({ updateInstanceSettings: { settings: { timeTrackingLimitToHours: true } } });
  const project = await aProject();
  const { id } = (await create(project)).body;
  const act = async (path: string, json: object) =>
    (await api('POST', at(project, `/issues/1/${path}`), tokens.reporter, { json })).body;
  expect(await act('time_estimate', { duration: '2w 30m' })).toMatchObject({
    time_estimate: 289_800,
    human_time_estimate: '80h 30m',
  });
  expect(await act('add_spent_time', { duration: '1mo 20s' })).toMatchObject({
    total_time_spent: 576_020,
    human_total_time_spent: '160h 20s',
  });
  expect((await act('notes', { body: '/spend -1d\n/estimate 3d' })).summary).toEqual([
    'Subtracted 8h spent time.',
    'Set time estimate to 24h.',
  ]);
  const logged = await gateway.graphql<{ timelogCreate: { timelog: { id: string } } }>(
    'mutation ($id: IssuableID!) { timelogCreate(input: { issuableId: $id, timeSpent: "1d", summary: "" }) { timelog { id } } }',
    { variables: { id: `gid://gitlab/Issue/${id}` }, token: tokens.reporter },
  );
  await gateway.graphql('mutation ($id: TimelogID!) { timelogDelete(input: { id: $id }) { errors } }', {
    variables: { id: logged.data!.timelogCreate.timelog.id },
    token: tokens.reporter,
  });
  const human = async () =>
    (
      await gateway.graphql<{ project: { issue: object } }>(
        `{ project(fullPath: "${project}") { issue(iid: "1") { humanTimeEstimate humanTotalTimeSpent } } }`,
        { token: tokens.reporter },
      )
    ).data!.project.issue;
  expect(await human()).toEqual({ humanTimeEstimate: '24h', humanTotalTimeSpent: '152h 20s' });
  const notes = (await api('GET', at(project, '/issues/1/notes?sort=asc'), tokens.reporter)).body as { body: string }[];
  expect(notes.map(({ body }) => body)).toEqual([
    'changed time estimate to 80h 30m',
    'added 160h 20s of time spent',
    'subtracted 8h of time spent',
    'changed time estimate to 24h',
    'added 8h of time spent',
    expect.stringMatching(/^deleted 8h of spent time from \d{4}-\d\d-\d\d$/),
  ]);
  expect(await limit(null)).toEqual({ updateInstanceSettings: { settings: { timeTrackingLimitToHours: false } } });
  expect(await human()).toEqual({ humanTimeEstimate: '3d', humanTotalTimeSpent: '3w 4d 20s' });
});
