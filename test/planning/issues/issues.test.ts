import { beforeAll, describe, expect, test } from 'vitest';
import type { TestGateway } from '../../support/gateway.ts';
import { at, makeShop, type Shop } from '../../support/shop.ts';

/** Creating, reading, listing, changing and deleting issues over REST. */

let gateway: TestGateway;
let tokens: Shop['tokens'];
let api: Shop['api'];
let aProject: Shop['aProject'];
beforeAll(async () => {
  ({ gateway, tokens, api, aProject } = await makeShop());
});

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const create = (project: string, json: object, token = tokens.reporter) =>
  api('POST', at(project, '/issues'), token, { json });
const titles = ({ body }: { body: { title: string }[] }) => body.map(({ title }) => title);

describe('an issue', () => {
  test('is created with every attribute, and answered whole', async () => {
    const project = await aProject();
    const { status, body } = await create(project, {
      title: ' Pump leaks ',
      description: '- [x] find\n- [ ] seal',
      labels: 'pump,bug',
      due_date: '2026-07-22',
      confidential: true,
    });
    expect(status).toBe(201);
    const self = `${gateway.url}/api/v4/projects/${body.project_id}/issues/1`;
    expect(body).toEqual({
      id: expect.any(Number),
      iid: 1,
      project_id: expect.any(Number),
      title: 'Pump leaks',
      description: '- [x] find\n- [ ] seal',
      state: 'opened',
      created_at: moment,
      updated_at: moment,
      closed_at: null,
      closed_by: null,
      labels: ['bug', 'pump'],
      milestone: null,
      assignees: [],
      author: expect.objectContaining({ username: 'the-reporter' }),
      type: 'ISSUE',
      assignee: null,
      user_notes_count: 0,
      merge_requests_count: 0,
      upvotes: 0,
      downvotes: 0,
      due_date: '2026-07-22',
      confidential: true,
      discussion_locked: null,
      issue_type: 'issue',
      web_url: `${gateway.url}/${project}/-/issues/1`,
      time_stats: {
        time_estimate: 0,
        total_time_spent: 0,
        human_time_estimate: null,
        human_total_time_spent: null,
      },
      task_completion_status: { count: 2, completed_count: 1 },
      has_tasks: true,
      task_status: '1 of 2 tasks completed',
      _links: {
        self,
        notes: `${self}/notes`,
        award_emoji: `${self}/award_emoji`,
        project: `${gateway.url}/api/v4/projects/${body.project_id}`,
        closed_as_duplicate_of: null,
      },
      references: { short: '#1', relative: '#1', full: `${project}#1` },
      severity: 'UNKNOWN',
      subscribed: true,
      moved_to_id: null,
      imported: false,
      imported_from: 'none',
      service_desk_reply_to: null,
    });
    expect((await api('GET', at(project, '/issues/1'), tokens.reporter)).body).toEqual(body);
    const [listed] = (await api('GET', at(project, '/issues'), tokens.reporter)).body;
    const { subscribed: _subscribed, ...rest } = body;
    expect(listed).toEqual(rest);
  });

  test('is changed, closed and reopened, with notes and resource events', async () => {
    const project = await aProject();
    const { body: made } = await create(project, { title: 'Pump leaks', labels: 'bug', description: '- [ ] seal' });
    const change = (json: object) => api('PUT', at(project, '/issues/1'), tokens.reporter, { json });
    const member = (await api('GET', 'user', tokens.developer)).body;
    const changed = await change({
      title: 'Pump squeaks',
      description: '- [x] seal',
      assignee_ids: [member.id, made.author.id],
      add_labels: ['a,b'],
      remove_labels: 'bug',
      due_date: '2026-09-20',
      confidential: true,
      discussion_locked: true,
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      title: 'Pump squeaks',
      labels: ['a', 'b'],
      assignees: [{ username: 'the-developer' }],
      due_date: '2026-09-20',
      confidential: true,
      discussion_locked: true,
      task_completion_status: { count: 1, completed_count: 1 },
    });
    const closed = (await change({ state_event: 'close' })).body;
    expect(closed).toMatchObject({ state: 'closed', closed_at: moment, closed_by: { username: 'the-reporter' } });
    expect((await change({ state_event: 'close' })).status).toBe(200);
    expect((await change({ state_event: 'reopen' })).body).toMatchObject({
      state: 'opened',
      closed_at: null,
      closed_by: null,
    });
    expect((await change({ labels: '', due_date: '', assignee_ids: [] })).body).toMatchObject({
      labels: [],
      due_date: null,
      assignees: [],
    });
    const notes = await gateway.sql<{ body: string }>('select body from notes where issue_id = $1 order by id', [
      made.id,
    ]);
    expect(notes.map(({ body }) => body)).toEqual([
      'changed title from **Pump {-leaks-}** to **Pump {+squeaks+}**',
      'marked the task **seal** as completed',
      'assigned to @the-developer',
      'changed due date to September 20, 2026',
      'made the issue confidential',
      'locked this issue',
      'unassigned @the-developer',
      'removed due date',
    ]);
    const events = await gateway.sql<{ event: string }>(
      `select concat_ws(' ', kind, action, (select title from labels l where l.id = label_id)) as event from resource_events where issue_id = $1 order by id`,
      [made.id],
    );
    expect(events.map(({ event }) => event)).toEqual([
      'LABEL ADD bug',
      'LABEL ADD a',
      'LABEL ADD b',
      'LABEL REMOVE bug',
      'STATE CLOSED',
      'STATE REOPENED',
      'LABEL REMOVE a',
      'LABEL REMOVE b',
    ]);
    const happened = await gateway.sql<{ kind: string }>(
      `select kind from events where subject_kind = 'Issue' and subject_id = $1 order by id`,
      [made.id],
    );
    expect(happened.map(({ kind }) => kind)).toEqual([
      'issue.created',
      'issue.updated',
      'issue.closed',
      'issue.reopened',
      'issue.updated',
    ]);
  });

  test('is deleted by owners only', async () => {
    const project = await aProject();
    await create(project, { title: 'One' });
    expect((await api('DELETE', at(project, '/issues/1'), tokens.maintainer)).status).toBe(403);
    expect((await api('DELETE', at(project, '/issues/1'), tokens.owner)).status).toBe(204);
    const again = await api('DELETE', at(project, '/issues/1'), tokens.owner);
    expect([again.status, again.body.message]).toEqual([404, '404 Issue Not Found']);
    const gone = await api('GET', at(project, '/issues/1'), tokens.owner);
    expect([gone.status, gone.body.message]).toEqual([404, '404 Not found']);
  });

  test.each([
    [{}, { error: 'title is missing' }],
    [{ title: ' ' }, { message: { title: ["can't be blank"] } }],
    [{ title: 'x'.repeat(256) }, { message: { title: ['is too long (maximum is 255 characters)'] } }],
    [{ title: 'x', confidential: 'maybe' }, { error: 'confidential is invalid' }],
    [{ title: 'x', issue_type: 'epic' }, { error: 'issue_type does not have a valid value' }],
  ])('from %o is refused', async (json, body) => {
    const project = await aProject();
    const answer = await create(project, json);
    expect([answer.status, answer.body]).toEqual([400, body]);
    expect((await api('GET', at(project, '/issues'), tokens.reporter)).body).toEqual([]);
  });

  test('is not changed by nothing', async () => {
    const project = await aProject();
    await create(project, { title: 'One' });
    const { status, body } = await api('PUT', at(project, '/issues/1'), tokens.reporter, { json: {} });
    expect([status, body]).toEqual([
      400,
      {
        error:
          'assignee_id, assignee_ids, confidential, created_at, description, discussion_locked, due_date, labels, add_labels, remove_labels, milestone_id, state_event, title, issue_type are missing, at least one parameter must be provided',
      },
    ]);
  });

  test('gets the number and the dates that an owner chooses, once', async () => {
    const project = await aProject();
    const chosen = { title: 'One', iid: 7, created_at: '2020-01-02T03:04:05Z' };
    expect((await create(project, chosen, tokens.owner)).body).toMatchObject({
      iid: 7,
      created_at: '2020-01-02T03:04:05.000Z',
    });
    const again = await create(project, chosen, tokens.owner);
    expect([again.status, again.body]).toEqual([409, { message: 'Duplicated issue' }]);
    expect((await create(project, chosen, tokens.maintainer)).body).toMatchObject({ iid: 8 });
  });
});

test('a hundred issues created at once get the numbers from 1 to 100', async () => {
  const project = await aProject();
  const made = await Promise.all(
    Array.from({ length: 100 }, (_none, index) =>
      create(project, { title: `Issue ${index}`, labels: `label ${index % 3}` }),
    ),
  );
  expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
  expect(made.map(({ body }) => body.iid).toSorted((a, b) => a - b)).toEqual(made.map((_none, index) => index + 1));
  expect(await gateway.sql('select title from labels order by title')).toEqual(
    expect.arrayContaining(['label 0', 'label 1', 'label 2'].map((title) => ({ title }))),
  );
});

describe('who may', () => {
  test('read a confidential issue: its author, its assignee, reporters', async () => {
    const project = await aProject();
    const guest = (await api('GET', 'user', tokens.guest)).body;
    await create(project, { title: 'Open' });
    await create(project, { title: 'Secret', confidential: true });
    await create(project, { title: 'Assigned', confidential: true, assignee_ids: [guest.id] });
    await create(project, { title: 'Own', confidential: true }, tokens.guest);
    expect(titles(await api('GET', at(project, '/issues'), tokens.guest))).toEqual(['Own', 'Assigned', 'Open']);
    expect((await api('GET', at(project, '/issues'), tokens.guest)).headers.get('x-total')).toBe('3');
    expect(titles(await api('GET', at(project, '/issues'), tokens.reporter))).toHaveLength(4);
    expect(titles(await api('GET', 'groups/shop/issues?search=secret', tokens.guest))).toEqual([]);
    expect(titles(await api('GET', 'groups/shop/issues?search=secret', tokens.reporter))).toEqual(['Secret']);
    for (const [method, json] of [['GET'], ['PUT', { title: 'x' }], ['DELETE']] as const)
      expect((await api(method, at(project, '/issues/2'), tokens.guest, json && { json })).status).toBe(404);
    expect((await api('GET', at(project, '/issues/3'), tokens.guest)).status).toBe(200);
    expect((await api('GET', at(project, '/issues/4'), tokens.guest)).status).toBe(200);
  });

  test('change an issue: a guest only their own, and of it neither labels nor dates', async () => {
    const project = await aProject();
    await create(project, { title: 'Of a reporter' });
    const own = await create(project, { title: 'Of a guest', labels: 'made', due_date: '2026-01-02' }, tokens.guest);
    // Guests don't make labels, but they set the due date of a new issue.
    expect(own.body).toMatchObject({ labels: [], due_date: '2026-01-02' });
    expect((await api('PUT', at(project, '/issues/1'), tokens.guest, { json: { title: 'x' } })).status).toBe(403);
    const { status, body } = await api('PUT', at(project, '/issues/2'), tokens.guest, {
      json: { title: 'Changed', state_event: 'close', labels: 'made', due_date: '2027-01-02', confidential: true },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      title: 'Changed',
      state: 'closed',
      labels: [],
      due_date: '2026-01-02',
      confidential: false,
    });
  });

  test('create an issue in a public project: everyone who is signed in, without its metadata', async () => {
    const project = await aProject('PUBLIC');
    const { status, body } = await create(project, { title: 'x', due_date: '2026-01-02' }, tokens.stranger);
    expect([status, body.due_date]).toEqual([201, null]);
    expect((await api('POST', at(project, '/issues'), undefined, { json: { title: 'x' } })).status).toBe(401);
    expect(titles(await api('GET', at(project, '/issues'), undefined))).toEqual(['x']);
    expect((await api('GET', at(project, '/issues/1'), undefined)).body).toMatchObject({ subscribed: false });
  });

  test('write nothing in an archived project', async () => {
    const project = await aProject();
    await create(project, { title: 'One' });
    await api('POST', at(project, '/archive'), tokens.owner);
    expect((await create(project, { title: 'Two' }, tokens.owner)).status).toBe(403);
    expect((await api('PUT', at(project, '/issues/1'), tokens.owner, { json: { title: 'x' } })).status).toBe(403);
    expect((await api('DELETE', at(project, '/issues/1'), tokens.owner)).status).toBe(403);
    expect((await api('GET', at(project, '/issues/1'), tokens.owner)).status).toBe(200);
  });
});
