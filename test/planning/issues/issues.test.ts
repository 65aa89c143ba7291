import { beforeAll, describe, expect, test } from 'vitest';
import type { TestGateway } from '../../support/gateway.ts';
import { served } from '../../support/requests/answers.ts';
import { runs } from '../../support/run/runs.ts';
import { at, makeShop, type Shop } from '../../support/places/shop.ts';

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

  test('begins with the labels that it is given, with those added, without those removed', async () => {
    const project = await aProject();
    const labels = async (json: object) => (await create(project, { title: 'Pump', ...json })).body.labels;
    expect(await labels({ labels: 'a, b', add_labels: ['c,d'], remove_labels: 'b,d' })).toEqual(['a', 'c']);
    expect(await labels({ add_labels: 'e' })).toEqual(['e']);
  });

  test('keeps what an id doesn’t name: milestone, labels and assignee', async () => {
    const project = await aProject();
    const { body: milestone } = await api('POST', at(project, '/milestones'), tokens.reporter, {
      json: { title: 'M' },
    });
    const { id: person } = (await api('GET', 'user', tokens.developer)).body;
    const kept = { labels: ['a'], milestone: { title: 'M' }, assignee: { id: person } };
    await create(project, { title: 'Pump', labels: 'a', milestone_id: milestone.id, assignee_ids: [person] });
    for (const input of ['milestoneId: "M"', 'labelIds: ["a"]', 'assigneeIds: ["the-developer"]']) {
      const { data } = await gateway.graphql<{ updateIssue: { errors: string[] } }>(
        `mutation { updateIssue(input: { projectPath: "${project}", iid: "1", ${input} }) { errors } }`,
        { token: tokens.reporter },
      );
      expect(data!.updateIssue.errors).toEqual([expect.stringContaining('is not a valid GitLab ID')]);
    }
    const change = { json: { milestone_id: 99_999_999_999 } };
    expect((await api('PUT', at(project, '/issues/1'), tokens.reporter, change)).body).toMatchObject(kept);
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

  test('has up to 255 characters of any kind in its title', async () => {
    const project = await aProject();
    expect((await create(project, { title: '🚰'.repeat(255) })).status).toBe(201);
    expect((await create(project, { title: '🚰'.repeat(256) })).status).toBe(400);
  });

  test('is assigned only to people who have the issues of the project', async () => {
    const project = await aProject('PUBLIC');
    const people = await gateway.sql<{ id: number; username: string }>('select id, username from users');
    const idOf = (name: string) => people.find(({ username }) => username === name)!.id;
    const assignees = async (answer: ReturnType<typeof create>) =>
      (await answer).body.assignees.map(({ username }: { username: string }) => username);
    const change = (name: string) =>
      api('PUT', at(project, '/issues/1'), tokens.reporter, { json: { assignee_ids: [idOf(name)] } });
    expect(await assignees(create(project, { title: 'One', assignee_ids: [idOf('the-stranger')] }))).toEqual([
      'the-stranger',
    ]);
    await api('PUT', at(project), tokens.owner, { json: { issues_access_level: 'private' } });
    expect(await assignees(create(project, { title: 'Two', assignee_ids: [idOf('the-stranger')] }))).toEqual([]);
    expect(await assignees(change('the-guest'))).toEqual(['the-guest']);
    expect(await assignees(change('the-stranger'))).toEqual(['the-guest']);
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
      served(() => create(project, { title: `Issue ${index}`, labels: `label ${index % 3}` })),
    ),
  );
  expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
  expect(made.map(({ body }) => body.iid).toSorted((a, b) => a - b)).toEqual(made.map((_none, index) => index + 1));
  const labels = await gateway.sql<{ title: string }>('select title from labels');
  expect(labels.map(({ title }) => title)).toEqual(expect.arrayContaining(['label 0', 'label 1', 'label 2']));
});

test('creations, moves, renames of labels and to-dos marked at once lose nothing', { timeout: 600_000 }, async () => {
  const many = 12;
  const each = <T>(work: (index: number) => Promise<T>) => Array.from({ length: many }, (_none, index) => work(index));
  const developer = (await api('GET', 'user', tokens.developer)).body.id;
  for (let round = 0; round < runs; round++) {
    const [from, to] = [await aProject(), await aProject()];
    const id = (await api('GET', at(to), tokens.owner)).body.id;
    await Promise.all(each((index) => create(from, { title: `Mover ${index}`, labels: 'old', description: 'Text' })));
    await api('POST', at(to, '/labels'), tokens.reporter, { json: { name: 'old', color: 'red' } });
    const post = (path: string, json: object, token = tokens.reporter) => api('POST', path, token, { json });
    const answers = await Promise.all([
      ...each((index) => create(to, { title: `New ${index}`, labels: 'old', assignee_ids: [developer] })),
      ...each((index) => post(at(from, `/issues/${index + 1}/move`), { to_project_id: id })),
      ...each((index) => post(at(from, `/issues/${index + 1}/notes`), { body: `Comment ${index}` })),
      ...each((index) =>
        api('PUT', at(to, '/labels/old'), tokens.reporter, { json: { new_name: `renamed ${index % 3}` } }),
      ),
      ...each(() => post('todos/mark_as_done', {}, tokens.developer)),
    ]);
    const statuses = new Set(answers.map(({ status }) => status));
    // A label is renamed once: the others no longer find it, or find another one with the new name.
    expect([...statuses].filter((status) => ![200, 201, 204, 404, 409].includes(status))).toEqual([]);
    const moved = answers.slice(many, 2 * many);
    expect(moved.map(({ status }) => status)).toEqual(moved.map(() => 201));

    const numbers = await gateway.sql<{ iid: number }>('select iid from issues where project_id = $1 order by iid', [
      id,
    ]);
    expect(numbers.map(({ iid }) => iid)).toEqual(Array.from({ length: 2 * many }, (_none, index) => index + 1));
    const counts = async (project: string) =>
      (await api('GET', at(project, '/issues_statistics'), tokens.reporter)).body.statistics.counts;
    expect([await counts(from), await counts(to)]).toEqual([
      { all: many, closed: many, opened: 0 },
      { all: 2 * many, closed: 0, opened: 2 * many },
    ]);
    // Each issue has as many comments as it counts, and each label that it has is there.
    expect(
      await gateway.sql(
        `select i.iid from issues i join projects p on p.id = i.project_id where p.full_path in ($1, $2) and (
           i.notes_count <> (select count(*) from notes t where t.issue_id = i.id and not t.system)
           or exists (select from unnest(i.label_ids) l where l not in (select id from labels)))`,
        [from, to],
      ),
    ).toEqual([]);
    const titles = await gateway.sql<{ title: string }>('select title from labels where project_id = $1', [id]);
    expect(new Set(titles.map(({ title }) => title)).size).toBe(titles.length);
    await post('todos/mark_as_done', {}, tokens.developer);
    const left = await gateway.sql(`select from todos where user_id = $1 and state = 'PENDING'`, [developer]);
    expect(left).toEqual([]);
  }
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

describe('an existing issue', () => {
  let project: string;
  let id: number;
  beforeAll(async () => {
    project = await aProject();
    id = (await api('GET', at(project), tokens.owner)).body.id;
    await create(project, { title: 'One', labels: 'bug', description: 'See #2 and @the-guest.' });
    await create(project, { title: 'Two' });
    await create(project, { title: 'Three', confidential: true });
  });
  const act = (path: string, json: object = {}, token = tokens.reporter, method = 'POST') =>
    api(method, at(project, `/issues/${path}`), token, method === 'GET' ? {} : { json });

  test('is subscribed to and unsubscribed from, once each', async () => {
    const statuses = async (iid: number, token: string, ...verbs: string[]) => {
      const found: unknown[] = [];
      for (const verb of verbs) {
        const { status, body } = await act(`${iid}/${verb}`, {}, token);
        found.push([status, body.subscribed]);
      }
      return found;
    };
    const [on, off, same] = [
      [201, true],
      [201, false],
      [304, undefined],
    ];
    expect(
      await statuses(1, tokens.reporter, 'subscribe', 'unsubscribe', 'unsubscribe', 'subscribe', 'subscribe'),
    ).toEqual([same, off, same, on, same]);
    expect(await statuses(1, tokens.guest, 'subscribe')).toEqual([same]);
    expect(await statuses(2, tokens.guest, 'unsubscribe', 'subscribe', 'unsubscribe')).toEqual([same, on, off]);
    expect((await act('3/subscribe', {}, tokens.guest)).status).toBe(404);
  });

  test('has participants', async () => {
    const { body, headers } = await api('GET', at(project, '/issues/1/participants'), tokens.guest);
    expect(body.map(({ username }: { username: string }) => username).toSorted()).toEqual([
      'the-guest',
      'the-reporter',
    ]);
    expect(headers.get('x-total')).toBe('2');
  });

  test('is linked with another one, from both sides', async () => {
    const { status, body } = await act('1/links', { target_project_id: String(id), target_issue_iid: '2' });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(Number),
        link_type: 'relates_to',
        source_issue: expect.objectContaining({ iid: 1 }),
        target_issue: expect.objectContaining({ iid: 2 }),
      },
    ]);
    const again = await act('2/links', { target_project_id: project, target_issue_iid: 1 });
    expect([again.status, again.body]).toEqual([409, { message: 'Issue(s) already assigned' }]);
    await act('1/links', { target_project_id: project, target_issue_iid: 3 });
    const linked = (await act('1/links', {}, tokens.reporter, 'GET')).body;
    expect(linked.map(({ iid, link_type }: Record<string, unknown>) => [iid, link_type])).toEqual([
      [2, 'relates_to'],
      [3, 'relates_to'],
    ]);
    expect((await act('1/links', {}, tokens.guest, 'GET')).body).toHaveLength(1);
    expect((await act(`2/links/${body.id}`, {}, tokens.guest, 'GET')).status).toBe(200);
    expect((await act(`3/links/${body.id}`, {}, tokens.reporter, 'GET')).body.message).toBe('404 Not found');
    expect((await act('1/links', { target_project_id: 'no/such', target_issue_iid: 1 })).body.message).toBe(
      '404 Project Not Found',
    );
    expect((await act('1/links', { target_project_id: project, target_issue_iid: 3 }, tokens.guest)).body.message).toBe(
      '404 Not found',
    );
    const open = await aProject('PUBLIC');
    await create(open, { title: 'Open' }, tokens.stranger);
    await create(open, { title: 'Another' }, tokens.stranger);
    const alone = await api('POST', at(open, '/issues/1/links'), tokens.stranger, {
      json: { target_project_id: open, target_issue_iid: 2 },
    });
    expect([alone.status, alone.body]).toEqual([
      403,
      { message: "Couldn't link issues. You must have at least the Guest role in both projects." },
    ]);
    const gone = await act(`1/links/${body.id}`, {}, tokens.guest, 'DELETE');
    expect([gone.status, gone.body.id]).toEqual([200, body.id]);
    expect((await act('2/links', {}, tokens.reporter, 'GET')).body).toEqual([]);
  });

  test('is reordered', async () => {
    const ids = (await api('GET', at(project, '/issues?sort=asc'), tokens.reporter)).body.map(
      ({ id: one }: { id: number }) => one,
    );
    const order = async () =>
      (await api('GET', at(project, '/issues?order_by=relative_position'), tokens.reporter)).body.map(
        ({ iid }: { iid: number }) => iid,
      );
    expect(await order()).toEqual([3, 2, 1]);
    expect((await act('3/reorder', { move_after_id: ids[0] }, tokens.reporter, 'PUT')).status).toBe(200);
    expect(await order()).toEqual([2, 1, 3]);
    await act('3/reorder', { move_before_id: ids[0] }, tokens.reporter, 'PUT');
    expect(await order()).toEqual([2, 3, 1]);
    const lost = await act('3/reorder', { move_before_id: 999_999 }, tokens.reporter, 'PUT');
    expect([lost.status, lost.body]).toEqual([422, { message: { error: 'Unprocessable Entity' } }]);
    expect((await act('3/reorder', {}, tokens.reporter, 'PUT')).body.error).toBe(
      'move_after_id, move_before_id are missing, at least one parameter must be provided',
    );
  });

  test('moves and is cloned, with its labels and participants', async () => {
    const other = await aProject();
    const to = (await api('GET', at(other), tokens.owner)).body.id;
    await create(other, { title: 'First', labels: 'bug' });
    await gateway.sql(
      `insert into notes (issue_id, project_id, discussion_id, author_id, body) select id, project_id, '\\x01', author_id, 'A remark, see #2, !3 and \`#7\`.' from issues where project_id = $1 and iid = 1`,
      [id],
    );
    const [{ id: remark }] = (await act('1/notes', {}, tokens.guest, 'GET')).body;
    await act(`1/notes/${remark}/award_emoji`, { name: 'tada' }, tokens.guest);
    const cloned = await act('1/clone', { to_project_id: id });
    expect([cloned.status, cloned.body]).toMatchObject([
      201,
      { iid: 4, title: 'One', labels: ['bug'], moved_to_id: null },
    ]);
    const { status, body } = await act('1/move', { to_project_id: to });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      iid: 2,
      project_id: to,
      labels: ['bug'],
      state: 'opened',
      description: `See ${project}#2 and @the-guest.`,
      author: { username: 'the-reporter' },
    });
    expect((await act('1', {}, tokens.reporter, 'GET')).body).toMatchObject({ state: 'closed', moved_to_id: body.id });
    const notes = await gateway.sql<{ body: string }>('select body from notes where issue_id = $1 order by id', [
      body.id,
    ]);
    expect(notes.map((note) => note.body)).toEqual(
      expect.arrayContaining([`A remark, see ${project}#2, ${project}!3 and \`#7\`.`, `moved from ${project}#1`]),
    );
    const awarded = await gateway.sql<object>(
      `select t.body, a.name from awards a join notes t on t.id = a.note_id where t.issue_id = $1`,
      [body.id],
    );
    expect(awarded).toEqual([{ body: expect.stringContaining('A remark'), name: 'tada' }]);
    expect((await act('2/move', { to_project_id: id })).body).toEqual({
      message: 'Cannot move issue to project it originates from!',
    });
    expect((await act('2/move', { to_project_id: to }, tokens.guest)).body).toEqual({
      message: 'Cannot move issue due to insufficient permissions!',
    });
    expect((await act('2/move', { to_project_id: 0 })).body.message).toBe('404 Project Not Found');
  });
});

test('of a removed person goes to the ghost, with their comments', async () => {
  const project = await aProject('PUBLIC');
  const { body: made } = await create(project, { title: 'Open', due_date: '2026-01-01' }, tokens.reporter);
  const writer = await gateway.personalToken('root', ['api']);
  const { body: person } = await api('POST', 'users', writer, {
    json: {
      username: 'leaver',
      name: 'Leaver',
      email: 'leaver@example.com',
      force_random_password: true,
      skip_confirmation: true,
    },
  });
  await gateway.sql('update issues set author_id = $2 where id = $1', [made.id, person.id]);
  await gateway.sql('update notes set author_id = $2 where issue_id = $1', [made.id, person.id]);
  expect((await api('DELETE', `users/${person.id}`, writer)).status).toBe(204);
  const { body } = await api('GET', at(project, '/issues/1'), tokens.reporter);
  expect(body.author).toMatchObject({ username: 'ghost', name: 'Ghost User', state: 'blocked' });
  expect((await api('GET', `users/${person.id}`, writer)).status).toBe(404);
  expect((await api('DELETE', `users/${body.author.id}`, writer)).status).toBe(404);
});

describe('over GraphQL', () => {
  test('one query has an issue with everything', async () => {
    const project = await aProject();
    const { body } = await create(project, {
      title: 'A <b>valve</b>',
      labels: 'bug',
      description: '**Bold**',
      confidential: true,
    });
    const { data, errors } = await gateway.graphql(
      `query ($path: ID!, $id: IssueID!) {
        project(fullPath: $path) { issue(iid: "1") {
          id iid title titleHtml descriptionHtml state reference(full: true) type severity subscribed userPermissions { readIssue adminIssue destroyIssue }
          labels { nodes { title } } assignees { nodes { username } } participants { nodes { username } } author { username createdAt } moved movedTo { id }
        } }
        issue(id: $id) { iid }
        group(fullPath: "shop") { issues(iids: ["1"], includeSubgroups: true, search: "valve") { count nodes { title } } }
        issues(project: $path, labelName: ["bug"], sort: TITLE_ASC) { nodes { title } }
      }`,
      { variables: { path: project, id: `gid://gitlab/Issue/${body.id}` }, token: tokens.reporter },
    );
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({
      project: {
        issue: {
          id: `gid://gitlab/Issue/${body.id}`,
          iid: '1',
          titleHtml: 'A &lt;b&gt;valve&lt;/b&gt;',
          descriptionHtml: '<p><strong>Bold</strong></p>\n',
          state: 'opened',
          reference: `${project}#1`,
          subscribed: true,
          userPermissions: { readIssue: true, adminIssue: true, destroyIssue: false },
          labels: { nodes: [{ title: 'bug' }] },
          assignees: { nodes: [] },
          participants: { nodes: [{ username: 'the-reporter' }] },
          moved: false,
          movedTo: null,
        },
      },
      issue: { iid: '1' },
      group: { issues: { nodes: [{ title: 'A <b>valve</b>' }] } },
      issues: { nodes: [{ title: 'A <b>valve</b>' }] },
    });
    const hidden = await gateway.graphql(
      'query ($path: ID!) { project(fullPath: $path) { issue(iid: "1") { id } issues { count } } }',
      {
        variables: { path: project },
        token: tokens.guest,
      },
    );
    expect(hidden.data).toEqual({ project: { issue: null, issues: { count: 0 } } });
  });

  test('an issue is named by one number or several', async () => {
    const project = await aProject();
    for (const json of [{ title: 'One' }, { title: 'Two' }, { title: 'Three', confidential: true }])
      await create(project, json);
    const named = async (args: string, token = tokens.guest) => {
      const query = `query ${args.includes('$') ? '($iid: String)' : ''} { project(fullPath: "${project}") { issue${args} { iid } } }`;
      const { data } = await gateway.graphql<{ project: { issue: { iid: string } | null } }>(query, {
        variables: { iid: '1' },
        token,
      });
      return data!.project.issue?.iid;
    };
    expect(await named('(iid: $iid)')).toBe('1');
    expect(await named('(iids: ["1", "2", "3"])')).toBe('2');
    expect(await named('(iids: ["1", "2", "3"])', tokens.reporter)).toBe('3');
    expect(await named('(iids: ["9"])')).toBeUndefined();
    expect(await named('')).toBeUndefined();
  });

  test('issues say whether their project mails', async () => {
    const project = await aProject();
    await create(project, { title: 'One' });
    const said = async () => {
      const query = `{ project(fullPath: "${project}") { issues { nodes { emailsDisabled } } } }`;
      return (await gateway.graphql(query, { token: tokens.guest })).data;
    };
    expect(await said()).toEqual({ project: { issues: { nodes: [{ emailsDisabled: false }] } } });
    await api('PUT', at(project), tokens.owner, { json: { emails_enabled: false } });
    expect(await said()).toEqual({ project: { issues: { nodes: [{ emailsDisabled: true }] } } });
  });

  test.each([
    ['issueSetConfidential', 'confidential: true', { confidential: true }],
    ['issueSetLocked', 'locked: true', { discussionLocked: true }],
    ['issueSetDueDate', 'dueDate: "2026-07-01T00:00:00Z"', { dueDate: '2026-07-01T00:00:00.000Z' }],
    ['issueSetSeverity', 'severity: HIGH', { severity: 'HIGH' }],
    ['issueSetAssignees', 'assigneeUsernames: ["the-developer"]', { assignee: { username: 'the-developer' } }],
    ['issueSetSubscription', 'subscribedState: false', { subscribed: false }],
    ['updateIssue', 'stateEvent: CLOSE, labels: ["x"]', { state: 'closed', labelTitles: ['x'] }],
  ])('%s sets it', async (name, input, expected) => {
    const project = await aProject();
    await create(project, { title: 'One' });
    const set = (token: string) =>
      gateway.graphql<Record<string, { issue: object }>>(
        `mutation { ${name}(input: { projectPath: "${project}", iid: "1", ${input} }) { errors issue {
          confidential discussionLocked dueDate severity subscribed state labelTitles assignee { username } } } }`,
        { token },
      );
    const { data, errors } = await set(tokens.reporter);
    expect(errors).toBeUndefined();
    expect(data![name]!.issue).toMatchObject(expected);
    expect((await set(tokens.stranger)).errors![0]!.message).toMatch(/does not exist or you don't have permission/);
  });

  test('several issues change at once, or none', async () => {
    const project = await aProject();
    const ids = [];
    for (const title of ['One', 'Two']) ids.push(`gid://gitlab/Issue/${(await create(project, { title })).body.id}`);
    const bulk = (input: object) =>
      gateway.graphql<{ issuesBulkUpdate: object }>(
        'mutation ($input: IssuesBulkUpdateInput!) { issuesBulkUpdate(input: $input) { errors updatedIssueCount } }',
        { variables: { input }, token: tokens.reporter },
      );
    expect((await bulk({ ids: [...ids, 'gid://gitlab/Issue/999999'], stateEvent: 'CLOSE' })).errors).toHaveLength(1);
    expect((await api('GET', at(project, '/issues?state=closed'), tokens.reporter)).body).toEqual([]);
    expect((await bulk({ ids, stateEvent: 'CLOSE' })).data!.issuesBulkUpdate).toEqual({
      errors: [],
      updatedIssueCount: 2,
    });
    expect((await api('GET', at(project, '/issues?state=closed'), tokens.reporter)).body).toHaveLength(2);
    const { data } = await gateway.graphql<{ createIssue: { errors: string[] } }>(
      `mutation { createIssue(input: { projectPath: "${project}", title: "x", assigneeIds: ["1", "2"] }) { errors issue { iid } } }`,
      { token: tokens.reporter },
    );
    expect(data!.createIssue.errors).toEqual(['Assignee ids can have one person only']);
  });
});
