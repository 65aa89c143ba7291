import { beforeAll, describe, expect, test } from 'vitest';
import type { TestGateway } from '../../support/gateway.ts';
import { at, makeShop, type Shop } from '../../support/places/shop.ts';
import { newMergeRequest, rowOf } from '../support/merge-requests.ts';

/** Comments and threads on merge requests, and what else planning gives them. */

let gateway: TestGateway;
let tokens: Shop['tokens'];
let api: Shop['api'];
let aProject: Shop['aProject'];
beforeAll(async () => {
  ({ gateway, tokens, api, aProject } = await makeShop());
});

const bodies = ({ body }: { body: { body: string }[] }) => body.map((note) => note.body);
const graphql = async (query: string, token: string) => (await gateway.graphql(query, { token })) as { data: any };

/** A project with a merge request of the developer. */
async function aMergeRequest(visibility: 'PRIVATE' | 'PUBLIC' = 'PRIVATE') {
  const project = await aProject(visibility);
  return { project, ...(await newMergeRequest(gateway, project)) };
}
const comment = (path: string, body: string, token = tokens.reporter, more: object = {}) =>
  api('POST', `${path}/notes`, token, { json: { body, ...more } });
describe('a comment on a merge request', () => {
  test('is created, answered whole, changed and deleted', async () => {
    const { project, path, id } = await aMergeRequest();
    const { status, body } = await comment(path, 'Faster **still**.');
    expect(status).toBe(201);
    const projectId = (await api('GET', at(project), tokens.reporter)).body.id as number;
    expect(body).toMatchObject({
      type: null,
      author: { username: 'the-reporter' },
      noteable_id: id,
      noteable_type: 'MergeRequest',
      noteable_iid: 1,
      project_id: projectId,
      resolvable: false,
      commands_changes: {},
    });
    // No other keys than a comment on an issue has.
    await api('POST', at(project, '/issues'), tokens.reporter, { json: { title: 'Leaks' } });
    expect(Object.keys(body)).toEqual(Object.keys((await comment(at(project, '/issues/1'), 'One')).body));
    const one = `${path}/notes/${body.id}`;
    expect((await api('GET', one, tokens.reporter)).body).toEqual(body);
    expect((await api('GET', `${path}/notes`, tokens.developer)).body).toEqual([body]);
    expect(await rowOf(gateway, id)).toMatchObject({ notes_count: 1, internal_notes: 0 });
    expect((await api('PUT', one, tokens.developer, { json: { body: 'Two' } })).status).toBe(403);
    expect((await api('PUT', one, tokens.reporter, { json: { body: 'Two' } })).body).toMatchObject({ body: 'Two' });
    const query = `{ note(id: "gid://gitlab/Note/${body.id}") { body url noteableType discussion { noteableId } } }`;
    expect((await graphql(query, tokens.reporter)).data.note).toEqual({
      body: 'Two',
      url: expect.stringContaining(`/${project}/-/merge_requests/1#note_${body.id}`),
      noteableType: 'MergeRequest',
      discussion: { noteableId: `gid://gitlab/MergeRequest/${id}` },
    });
    expect((await api('DELETE', one, tokens.developer)).status).toBe(403);
    expect((await api('DELETE', one, tokens.reporter)).status).toBe(204);
    expect((await api('DELETE', one, tokens.reporter)).status).toBe(404);
    expect(await rowOf(gateway, id)).toMatchObject({ notes_count: 0 });
  });

  test('is refused with the texts of version 4, and changes nothing', async () => {
    const { project, path, id } = await aMergeRequest();
    const missing = { message: '404 MergeRequest Not Found' };
    expect((await comment(path, ' ')).body).toEqual({
      message: `400 Bad request - Note {:note=>["can't be blank"]}`,
    });
    expect((await comment(path, 'One', tokens.stranger)).body).toMatchObject({ message: '404 Project Not Found' });
    // A guest of a private project doesn't read its code.
    expect((await comment(path, 'One', tokens.guest)).body).toMatchObject(missing);
    expect((await comment(at(project, '/merge_requests/7'), 'One')).body).toMatchObject(missing);
    expect((await comment(at(project, `/merge_requests/${id + 1_000}`), 'One')).body).toMatchObject(missing);
    expect((await api('GET', `${path}/notes/99999`, tokens.reporter)).body).toMatchObject({ message: '404 Not found' });
    await gateway.sql('update merge_requests set discussion_locked = true where id = $1', [id]);
    expect((await comment(path, 'One')).status).toBe(201);
    const { path: open, id: other } = await aMergeRequest('PUBLIC');
    expect((await comment(open, 'One', tokens.stranger)).status).toBe(201);
    await gateway.sql('update merge_requests set discussion_locked = true where id = $1', [other]);
    expect((await comment(open, 'Two', tokens.stranger)).status).toBe(403);
    expect((await api('GET', `${open}/notes`, undefined)).status).toBe(401);
    expect(bodies(await api('GET', `${open}/notes`, tokens.stranger))).toEqual(['One']);
  });

  test('tells whom it mentions, if they read merge requests', async () => {
    const { path, id } = await aMergeRequest();
    await comment(path, '@the-maintainer look; also @the-guest and @the-stranger.');
    const rows = await gateway.sql<{ username: string; action: string }>(
      'select u.username, t.action::text as action from todos t join users u on u.id = t.user_id where t.merge_request_id = $1',
      [id],
    );
    expect(rows).toEqual([{ username: 'the-maintainer', action: 'DIRECTLY_ADDRESSED' }]);
    const people = await gateway.sql<{ username: string }>(
      'select u.username from participants pt join users u on u.id = pt.user_id where pt.merge_request_id = $1 order by u.username',
      [id],
    );
    expect(people.map(({ username }) => username)).toEqual(['the-developer', 'the-maintainer', 'the-reporter']);
    const events = await gateway.sql<{ kind: string; ids: Record<string, unknown> }>(
      `select kind, ids from events where kind like 'note.%' and ids ->> 'mergeRequestId' = $1 order by id`,
      [String(id)],
    );
    expect(events).toEqual([
      { kind: 'note.created', ids: expect.objectContaining({ mergeRequestId: id, issueId: null, snippetId: null }) },
    ]);
    // Who comments has done what they had to.
    await comment(path, 'Looked.', tokens.maintainer);
    expect(await gateway.sql(`select from todos where merge_request_id = $1 and state = 'PENDING'`, [id])).toHaveLength(
      0,
    );
  });

  test('is internal for reporters, and not counted for others', async () => {
    const { path, id } = await aMergeRequest('PUBLIC');
    expect((await comment(path, 'Hidden', tokens.guest, { internal: true })).status).toBe(403);
    expect((await comment(path, 'Hidden', tokens.reporter, { internal: true })).body).toMatchObject({ internal: true });
    await comment(path, 'Open', tokens.guest);
    expect(bodies(await api('GET', `${path}/notes`, tokens.guest))).toEqual(['Open']);
    expect(bodies(await api('GET', `${path}/notes`, tokens.developer))).toEqual(['Open', 'Hidden']);
    expect(await rowOf(gateway, id)).toMatchObject({ notes_count: 1, internal_notes: 1 });
    const query = `{ mergeRequest(id: "gid://gitlab/MergeRequest/${id}") { userNotesCount notes { nodes { body } } } }`;
    expect((await graphql(query, tokens.guest)).data.mergeRequest).toEqual({
      userNotesCount: 1,
      notes: { nodes: [{ body: 'Open' }] },
    });
  });

  test('refers to issues and merge requests, once, for those who read where it comes from', async () => {
    const { project, path, iid } = await aMergeRequest();
    const other = await newMergeRequest(gateway, project, { iid: 2 });
    await api('POST', at(project, '/issues'), tokens.reporter, { json: { title: 'Leaks' } });
    const issue = at(project, '/issues/1');
    await comment(path, 'Like #1 and !2, and !1 itself; see !2 again.');
    await comment(path, 'Again #1.');
    await comment(issue, 'Done in !2.');
    const elsewhere = await aProject();
    await newMergeRequest(gateway, elsewhere);
    await comment(at(elsewhere, '/merge_requests/1'), `As in ${project}#1.`);
    expect(bodies(await api('GET', `${issue}/notes?sort=asc`, tokens.reporter))).toEqual([
      `mentioned in merge request !${iid}`,
      'Done in !2.',
      `mentioned in merge request ${elsewhere}!1`,
    ]);
    // A guest reads the issue, but not what the notes name.
    expect(bodies(await api('GET', `${issue}/notes?sort=asc`, tokens.guest))).toEqual(['Done in !2.']);
    expect(bodies(await api('GET', `${other.path}/notes?sort=asc`, tokens.reporter))).toEqual([
      `mentioned in merge request !${iid}`,
      'mentioned in issue #1',
    ]);
    expect(bodies(await api('GET', `${path}/notes?activity_filter=only_activity`, tokens.reporter))).toEqual([]);
    const html = await api('POST', 'markdown', tokens.reporter, { json: { text: 'See !2', gfm: true, project } });
    expect(html.body.html).toContain(`/${project}/-/merge_requests/2"`);
    const plain = await api('POST', 'markdown', tokens.guest, { json: { text: 'See !2', gfm: true, project } });
    expect(plain.body.html).not.toContain('<a');
  });
});

describe('a thread of a merge request', () => {
  const thread = async (path: string, token = tokens.reporter) => {
    const { status, body } = await api('POST', `${path}/discussions`, token, { json: { body: 'Is it fast?' } });
    expect(status).toBe(201);
    return body as { id: string; individual_note: boolean; notes: any[] };
  };

  test('is started, replied to, resolved and counted', async () => {
    const { path, id } = await aMergeRequest();
    const made = await thread(path);
    expect(made).toMatchObject({ individual_note: false });
    expect(made.notes).toMatchObject([
      { type: 'DiscussionNote', resolvable: true, resolved: false, resolved_by: null },
    ]);
    expect(await rowOf(gateway, id)).toMatchObject({ unresolved: 1 });
    const one = `${path}/discussions/${made.id}`;
    const reply = await api('POST', `${one}/notes`, tokens.maintainer, { json: { body: 'It is.' } });
    expect(reply.body).toMatchObject({ type: 'DiscussionNote' });
    await thread(path);
    expect(await rowOf(gateway, id)).toMatchObject({ unresolved: 2, notes_count: 3 });
    expect((await api('PUT', one, tokens.reporter, { json: { resolved: true } })).status).toBe(403);
    // The developer is its author.
    const resolved = await api('PUT', one, tokens.developer, { json: { resolved: true } });
    expect(resolved.body.notes).toMatchObject([
      { resolved: true, resolved_by: { username: 'the-developer' } },
      { resolved: true },
    ]);
    expect((await api('PUT', one, tokens.developer, { json: { resolved: true } })).status).toBe(200);
    expect(await rowOf(gateway, id)).toMatchObject({ unresolved: 1 });
    const note = `${one}/notes/${reply.body.id}`;
    expect((await api('PUT', note, tokens.developer, { json: { resolved: false } })).body).toMatchObject({
      resolved: false,
    });
    expect(await rowOf(gateway, id)).toMatchObject({ unresolved: 2 });
    expect((await api('DELETE', note, tokens.maintainer)).status).toBe(204);
    expect(await rowOf(gateway, id)).toMatchObject({ unresolved: 1, notes_count: 2 });
    expect((await api('GET', `${path}/discussions`, tokens.developer)).body).toHaveLength(2);
    expect((await api('PUT', note, tokens.developer, { json: {} })).body).toEqual({
      error: 'body, resolved are missing, exactly one parameter must be provided',
    });
  });

  test('is made of a single comment by a reply, which then counts', async () => {
    const { path, id } = await aMergeRequest();
    await comment(path, 'One');
    const [{ id: key, individual_note }] = (await api('GET', `${path}/discussions`, tokens.reporter)).body;
    expect(individual_note).toBe(true);
    expect(await rowOf(gateway, id)).toMatchObject({ unresolved: 0 });
    expect(
      (await api('PUT', `${path}/discussions/${key}`, tokens.developer, { json: { resolved: true } })).body,
    ).toEqual({
      message: '400 Bad request - Note is not resolvable',
    });
    await api('POST', `${path}/discussions/${key}/notes`, tokens.reporter, { json: { body: 'Two' } });
    expect(await rowOf(gateway, id)).toMatchObject({ unresolved: 1 });
    const query = `mutation { discussionToggleResolve(input: { id: "gid://gitlab/Discussion/${key}", resolve: true }) { discussion { resolved resolvedBy { username } } errors } }`;
    expect((await graphql(query, tokens.developer)).data.discussionToggleResolve).toEqual({
      discussion: { resolved: true, resolvedBy: { username: 'the-developer' } },
      errors: [],
    });
    expect(await rowOf(gateway, id)).toMatchObject({ unresolved: 0 });
  });

  test('is counted right when several are resolved, replied to and removed at once', async () => {
    const { path, id } = await aMergeRequest();
    const made = await Promise.all(Array.from({ length: 6 }, () => thread(path)));
    await Promise.all(
      made.flatMap(({ id: key, notes: [first] }, at) => [
        api('PUT', `${path}/discussions/${key}`, tokens.developer, { json: { resolved: at % 2 === 0 } }),
        api('POST', `${path}/discussions/${key}/notes`, tokens.maintainer, { json: { body: 'So' } }),
        ...(at < 2 ? [api('DELETE', `${path}/notes/${first.id}`, tokens.maintainer)] : []),
      ]),
    );
    const threads = (await api('GET', `${path}/discussions`, tokens.developer)).body as (typeof made)[number][];
    const open = threads.filter(({ notes }) => notes.some(({ resolved }) => !resolved)).length;
    expect(await rowOf(gateway, id)).toMatchObject({ unresolved: open });
  });
});

describe('an emoji for a merge request', () => {
  const give = (path: string, name: string, token = tokens.reporter) =>
    api('POST', `${path}/award_emoji`, token, { json: { name } });

  test('is given, counted, listed and taken back', async () => {
    const { path, id } = await aMergeRequest();
    const { status, body } = await give(path, '+1');
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: 'thumbsup',
      user: { username: 'the-reporter' },
      awardable_id: id,
      awardable_type: 'MergeRequest',
    });
    await give(path, 'thumbsdown', tokens.owner);
    await give(path, 'rocket', tokens.owner);
    expect(await rowOf(gateway, id)).toMatchObject({ upvotes: 1, downvotes: 1 });
    expect((await give(path, 'thumbsup')).body).toMatchObject({
      message: '404 Award Emoji Name has already been taken Not Found',
    });
    const list = await api('GET', `${path}/award_emoji`, tokens.developer);
    expect(list.body.map(({ name }: any) => name)).toEqual(['thumbsup', 'thumbsdown', 'rocket']);
    const one = `${path}/award_emoji/${body.id}`;
    expect((await api('GET', one, tokens.developer)).body).toEqual(body);
    expect((await api('DELETE', one, tokens.developer)).status).toBe(401);
    expect((await api('DELETE', one, tokens.reporter)).status).toBe(204);
    expect((await api('DELETE', one, tokens.reporter)).status).toBe(404);
    expect(await rowOf(gateway, id)).toMatchObject({ upvotes: 0, downvotes: 1 });
    const toggle = `mutation { awardEmojiToggle(input: { awardableId: "gid://gitlab/MergeRequest/${id}", name: "thumbsup" }) { toggledOn } }`;
    expect((await graphql(toggle, tokens.guest)).data.awardEmojiToggle).toBeNull();
    expect((await graphql(toggle, tokens.reporter)).data.awardEmojiToggle).toEqual({ toggledOn: true });
    const shown = `{ mergeRequest(id: "gid://gitlab/MergeRequest/${id}") { upvotes awardEmoji { nodes { name } } } }`;
    expect((await graphql(shown, tokens.reporter)).data.mergeRequest).toEqual({
      upvotes: 1,
      awardEmoji: { nodes: [{ name: 'thumbsdown' }, { name: 'rocket' }, { name: 'thumbsup' }] },
    });
  });

  test('is given to a note of it, which doesn’t count', async () => {
    const { path, id } = await aMergeRequest();
    const note = `${path}/notes/${(await comment(path, 'One')).body.id}`;
    const { body } = await give(note, 'thumbsup');
    expect(body).toMatchObject({ awardable_type: 'Note' });
    expect((await api('GET', `${note}/award_emoji/${body.id}`, tokens.reporter)).body).toEqual(body);
    expect((await api('GET', `${path}/award_emoji`, tokens.reporter)).body).toEqual([]);
    expect(await rowOf(gateway, id)).toMatchObject({ upvotes: 0 });
    const hidden = { message: '404 Award Emoji Not Found' };
    expect((await api('GET', `${path}/award_emoji`, tokens.guest)).body).toMatchObject(hidden);
    expect((await give(path, 'rocket', tokens.guest)).body).toMatchObject(hidden);
    expect((await give(`${path}/notes/99999`, 'rocket')).body).toMatchObject(hidden);
    await gateway.sql('update merge_requests set discussion_locked = true where id = $1', [id]);
    expect((await give(path, 'rocket')).status).toBe(201);
    const { path: open } = await aMergeRequest('PUBLIC');
    expect((await api('GET', `${open}/award_emoji`, undefined)).status).toBe(200);
    expect((await api('POST', `${open}/award_emoji`, undefined, { json: { name: 'rocket' } })).status).toBe(401);
  });
});

describe('a to-do about a merge request', () => {
  test('is made once, listed by its type, and done by what its owner does', async () => {
    const { project, path, id } = await aMergeRequest();
    const token = tokens.reporter;
    const made = await api('POST', `${path}/todo`, token);
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({
      action_name: 'marked',
      target_type: 'MergeRequest',
      target: { id, iid: 1, title: 'Pump faster', state: 'opened', labels: [] },
      target_url: expect.stringMatching(`/${project}/-/merge_requests/1$`),
      body: 'Pump faster',
      state: 'pending',
      author: { username: 'the-reporter' },
    });
    const again = await api('POST', `${path}/todo`, token);
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await api('POST', `${path}/todo`, tokens.guest)).status).toBe(403);
    expect((await api('POST', `${path}/todo`, tokens.stranger)).status).toBe(404);
    expect((await api('POST', at(project, '/merge_requests/7/todo'), token)).status).toBe(404);
    await api('POST', at(project, '/issues'), token, { json: { title: 'Leaks' } });
    await api('POST', at(project, '/issues/1/todo'), token);
    const listed = async (query: string) =>
      (await api('GET', `todos?${query}`, token)).body.map(({ target_type }: any) => target_type);
    expect(await listed('')).toEqual(['Issue', 'MergeRequest']);
    expect(await listed('type=MergeRequest')).toEqual(['MergeRequest']);
    expect(await listed('type=Issue')).toEqual(['Issue']);
    expect(await listed('type=Commit')).toEqual([]);
    const about = `{ mergeRequest(id: "gid://gitlab/MergeRequest/${id}") { currentUserTodos { nodes { targetType target { webUrl ... on MergeRequest { iid } } } } } }`;
    expect((await graphql(about, token)).data.mergeRequest.currentUserTodos.nodes).toEqual([
      { targetType: 'MERGEREQUEST', target: { iid: '1', webUrl: expect.stringContaining('/merge_requests/1') } },
    ]);
    await api('POST', `${path}/award_emoji`, token, { json: { name: 'rocket' } });
    expect(await listed('')).toEqual(['Issue']);
    expect(await listed('state=done')).toEqual(['MergeRequest']);
    const one = (await api('GET', 'todos?state=done', token)).body[0].id;
    const restored = await graphql(`mutation { todoRestore(input: { id: ${one} }) { todo { state } } }`, token);
    expect(restored.data.todoRestore.todo.state).toBe('pending');
    await comment(path, 'Done.');
    expect(await listed('')).toEqual(['Issue']);
    await gateway.sql(`update todos set state = 'PENDING' where id = $1`, [one]);
    const all = `mutation { todosMarkAllDone(input: { targetId: "gid://gitlab/MergeRequest/${id}" }) { updatedCount } }`;
    expect((await graphql(all, token)).data.todosMarkAllDone).toEqual({ updatedCount: 1 });
    expect(await listed('')).toEqual(['Issue']);
    // Nobody keeps a to-do about what they don't read any more.
    await gateway.sql(`update todos set state = 'PENDING' where id = $1`, [one]);
    expect(await listed('type=MergeRequest')).toEqual(['MergeRequest']);
    const json = { merge_requests_access_level: 'disabled' };
    expect((await api('PUT', at(project), tokens.owner, { json })).status).toBe(200);
    expect(await listed('type=MergeRequest')).toEqual([]);
  });

  test('comes from a comment, whose place it names', async () => {
    const { project, path } = await aMergeRequest();
    const { body: note } = await comment(path, 'Look, @the-maintainer!');
    const [todo] = (await api('GET', 'todos?type=MergeRequest', tokens.maintainer)).body;
    expect(todo).toMatchObject({
      action_name: 'mentioned',
      body: 'Look, @the-maintainer!',
      target_url: expect.stringMatching(`/${project}/-/merge_requests/1#note_${note.id}$`),
    });
  });
});

describe('those around a merge request', () => {
  const subscribe = async (path: string, verb: string, token: string) => {
    const { status, body, text } = await api('POST', `${path}/${verb}`, token);
    return status === 201 ? (body.subscribed as boolean) : [status, text];
  };

  test('subscribe and unsubscribe, and hear of it by default if they take part', async () => {
    const { path, id } = await aMergeRequest();
    const { reporter, developer, guest, stranger } = tokens;
    expect(await subscribe(path, 'unsubscribe', reporter)).toEqual([304, '']);
    expect(await subscribe(path, 'subscribe', reporter)).toBe(true);
    expect(await subscribe(path, 'subscribe', reporter)).toEqual([304, '']);
    expect(await subscribe(path, 'unsubscribe', reporter)).toBe(false);
    // Its author takes part.
    expect(await subscribe(path, 'subscribe', developer)).toEqual([304, '']);
    expect(await subscribe(path, 'unsubscribe', developer)).toBe(false);
    expect((await api('POST', `${path}/subscribe`, guest)).status).toBe(403);
    expect((await api('POST', `${path}/subscribe`, stranger)).status).toBe(404);
    const input = async (subscribedState: boolean) => {
      const [row] = await gateway.sql<{ full_path: string }>(
        'select p.full_path from merge_requests m join projects p on p.id = m.project_id where m.id = $1',
        [id],
      );
      const set = `mutation { mergeRequestSetSubscription(input: { projectPath: "${row!.full_path}", iid: "1", subscribedState: ${subscribedState} }) { mergeRequest { subscribed } errors } }`;
      return (await graphql(set, developer)).data.mergeRequestSetSubscription;
    };
    expect(await input(true)).toEqual({ mergeRequest: { subscribed: true }, errors: [] });
    expect(await input(false)).toEqual({ mergeRequest: { subscribed: false }, errors: [] });
  });

  test('are its participants, as long as they read it', async () => {
    const { path, id } = await aMergeRequest('PUBLIC');
    await comment(path, 'One', tokens.stranger);
    await api('POST', `${path}/award_emoji`, tokens.owner, { json: { name: 'rocket' } });
    const names = async () =>
      (await api('GET', `${path}/participants`, tokens.reporter)).body.map(({ username }: any) => username).sort();
    expect(await names()).toEqual(['the-developer', 'the-owner', 'the-stranger']);
    const query = `{ mergeRequest(id: "gid://gitlab/MergeRequest/${id}") { participants { nodes { username } } } }`;
    expect((await graphql(query, tokens.reporter)).data.mergeRequest.participants.nodes).toHaveLength(3);
    await gateway.sql(
      `update projects set visibility = 'PRIVATE' where id = (select project_id from merge_requests where id = $1)`,
      [id],
    );
    expect(await names()).toEqual(['the-developer', 'the-owner']);
  });

  test('track its time', async () => {
    const { path, id } = await aMergeRequest();
    const post = (verb: string, json: object = {}, token = tokens.developer) =>
      api('POST', `${path}/${verb}`, token, { json });
    expect((await post('time_estimate', { duration: '3h' })).body).toEqual({
      time_estimate: 10_800,
      total_time_spent: 0,
      human_time_estimate: '3h',
      human_total_time_spent: null,
    });
    const spent = await post('add_spent_time', { duration: '2h', summary: 'Read' });
    expect([spent.status, spent.body.human_total_time_spent]).toEqual([201, '2h']);
    expect((await post('add_spent_time', { duration: '-3h' })).body).toEqual({
      message: { base: ['Time to subtract exceeds the total time spent'] },
    });
    expect((await post('time_estimate', {})).body).toEqual({ error: 'duration is missing' });
    expect((await post('time_estimate', { duration: 'x' })).status).toBe(400);
    expect((await post('time_estimate', { duration: '1h' }, tokens.reporter)).status).toBe(403);
    expect((await post('time_estimate', { duration: '1h' }, tokens.stranger)).status).toBe(404);
    expect((await post('reset_time_estimate')).body.time_estimate).toBe(0);
    expect((await post('reset_spent_time')).body.total_time_spent).toBe(0);
    expect((await api('GET', `${path}/time_stats`, tokens.reporter)).body.total_time_spent).toBe(0);
    expect((await api('GET', `${path}/notes?sort=asc`, tokens.reporter)).body.map(({ body }: any) => body)).toEqual([
      'changed time estimate to 3h',
      'added 2h of time spent',
      'removed time estimate',
      'removed time spent',
    ]);
    expect(await gateway.sql('select seconds from timelogs where merge_request_id = $1 order by id', [id])).toEqual([
      { seconds: 7_200 },
      { seconds: -7_200 },
    ]);
    const limit = (hours: boolean | null) =>
      gateway.operator(
        `mutation { updateInstanceSettings(input: { timeTrackingLimitToHours: ${hours} }) { settings { greeting } } }`,
      );
    await limit(true);
    expect((await post('time_estimate', { duration: '1d 15m' })).body.human_time_estimate).toBe('8h 15m');
    expect((await post('add_spent_time', { duration: '1w' })).body.human_total_time_spent).toBe('40h');
    expect((await post('notes', { body: '/spend 1d' })).body.summary).toEqual(['Added 8h spent time.']);
    await limit(null);
  });

  test('read its resource events', async () => {
    const { project, path, id } = await aMergeRequest();
    const label = (await api('POST', at(project, '/labels'), tokens.owner, { json: { name: 'bug', color: '#aa2211' } }))
      .body;
    await gateway.sql(
      `insert into resource_events (merge_request_id, user_id, kind, action, label_id)
       select $1, id, kind::"ResourceEventKind", action::"ResourceEventAction", label from users,
         (values ('LABEL', 'ADD', $2::int), ('STATE', 'CLOSED', null), ('STATE', 'MERGED', null)) made(kind, action, label) where username = 'the-owner'`,
      [id, label.id],
    );
    const list = (kind: string, token?: string) => api('GET', `${path}/resource_${kind}_events`, token);
    const [event] = (await list('label', tokens.reporter)).body;
    expect(event).toMatchObject({
      user: { username: 'the-owner' },
      resource_type: 'MergeRequest',
      resource_id: id,
      label: { name: 'bug' },
      action: 'add',
    });
    expect((await api('GET', `${path}/resource_label_events/${event.id}`, tokens.reporter)).body).toEqual(event);
    expect((await list('state', tokens.reporter)).body.map(({ state }: any) => state)).toEqual(['closed', 'merged']);
    expect((await list('milestone', tokens.reporter)).body).toEqual([]);
    expect((await api('GET', `${path}/resource_state_events/${event.id}`, tokens.reporter)).status).toBe(404);
    expect((await list('label')).status).toBe(401);
    expect((await list('label', tokens.guest)).status).toBe(404);
  });
});

describe('commands in a comment on a merge request', () => {
  test('change it as its own routes do, and leave no comment', async () => {
    const { project, path } = await aMergeRequest();
    for (const name of ['bug', 'old'])
      await api('POST', at(project, '/labels'), tokens.reporter, { json: { name, color: '#ff0000' } });
    await api('POST', at(project, '/milestones'), tokens.reporter, { json: { title: 'Spring' } });
    const lines = [
      '/label ~bug ~old ~unknown',
      '/unlabel ~old',
      '/assign @the-developer',
      '/request_review @the-maintainer',
      '/milestone %Spring',
      '/estimate 3h',
      '/spend 1h',
      '/title Pump slower',
      '/draft',
      '/target_branch next',
      '/lock',
      '/subscribe',
      '/todo',
      '/award :tada:',
      '/due 2999-08-05',
    ];
    const answer = await comment(path, lines.join('\n'), tokens.maintainer);
    // Merge requests have no day on which they are due: its line stays, as a comment.
    expect([answer.status, answer.body.body]).toEqual([201, '/due 2999-08-05']);
    expect((await api('GET', path, tokens.maintainer)).body).toMatchObject({
      title: 'Draft: Pump slower',
      draft: true,
      target_branch: 'next',
      labels: ['bug'],
      assignees: [{ username: 'the-developer' }],
      reviewers: [{ username: 'the-maintainer' }],
      milestone: { title: 'Spring' },
      discussion_locked: true,
      subscribed: true,
      time_stats: { time_estimate: 10_800, total_time_spent: 3_600 },
    });
    const second = await comment(path, '/ready\n/unassign_reviewer\n/unlock\n/unassign\n/close', tokens.maintainer);
    expect([second.status, second.body.summary]).toEqual([
      202,
      [
        'Marked this merge request as ready.',
        'Removed reviewer @the-maintainer.',
        'Unlocked the discussion.',
        'Removed assignee @the-developer.',
        'Closed this merge request.',
      ],
    ]);
    const closed = (await api('GET', path, tokens.maintainer)).body;
    expect(closed).toMatchObject({ state: 'closed', title: 'Pump slower', reviewers: [], assignees: [] });
    // Nothing can be merged here, and it is closed already: that does nothing, and the lines are removed.
    const none = await comment(path, 'Well\n/close\n/merge\n/rebase\n/ready', tokens.maintainer);
    expect([none.status, none.body.body]).toEqual([201, 'Well']);
    expect((await comment(path, '/merge', tokens.maintainer)).status).toBe(400);
  });

  test('need the rights that its routes need', async () => {
    const { path } = await aMergeRequest('PUBLIC');
    const answer = await comment(path, 'Hm\n/close\n/title Mine\n/assign me\n/subscribe', tokens.stranger);
    expect([answer.status, answer.body.body]).toEqual([201, 'Hm']);
    expect((await api('GET', path, tokens.stranger)).body).toMatchObject({
      state: 'opened',
      title: 'Pump faster',
      assignees: [],
      subscribed: true,
    });
  });

  test('are carried out and removed in a description, too, and in a changed comment', async () => {
    const { path } = await aMergeRequest();
    const json = { description: 'Why\n/request_review @the-owner\n/close', title: 'New' };
    expect((await api('PUT', path, tokens.developer, { json })).body).toMatchObject({
      title: 'New',
      description: 'Why',
      state: 'closed',
      reviewers: [{ username: 'the-owner' }],
    });
    const { id } = (await comment(path, 'One', tokens.developer)).body;
    const changed = await api('PUT', `${path}/notes/${id}`, tokens.developer, { json: { body: 'Two\n/reopen' } });
    expect(changed.body.body).toBe('Two');
    expect((await api('GET', path, tokens.developer)).body.state).toBe('opened');
  });
});

describe('an issue that continues threads of a merge request', () => {
  const begin = async (path: string, body: string, token = tokens.reporter) =>
    (await api('POST', `${path}/discussions`, token, { json: { body } })).body as { id: string; notes: any[] };
  const beginInternal = (id: number) =>
    graphql(
      `mutation { createDiscussion(input: { noteableId: "gid://gitlab/MergeRequest/${id}", body: "Between us", internal: true }) {
        errors note { discussion { key } } } }`,
      tokens.reporter,
    ).then(({ data }) => data.createDiscussion.note.discussion.key as string);
  const create = (project: string, json: object, token = tokens.developer) =>
    api('POST', at(project, '/issues'), token, { json: { title: 'Follow-up', ...json } });

  test('lists all that are open, and resolves them with a note in each', async () => {
    const { project, path, id } = await aMergeRequest('PUBLIC');
    const fast = await begin(path, 'Is it fast?\n/confidential');
    await api('POST', `${path}/discussions/${fast.id}/notes`, tokens.maintainer, { json: { body: 'It is.' } });
    const small = await begin(path, 'Is it small?', tokens.maintainer);
    const done = await begin(path, 'Is it done?');
    await api('PUT', `${path}/discussions/${done.id}`, tokens.developer, { json: { resolved: true } });
    await comment(path, 'Not a thread');
    await beginInternal(id);
    const { status, body } = await create(project, { merge_request_to_resolve_discussions_of: 1 });
    expect(status).toBe(201);
    const page = `${gateway.url}/${project}/-/merge_requests/1`;
    expect(body).toMatchObject({
      state: 'opened',
      task_completion_status: { count: 2, completed_count: 0 },
      description: `The following discussions from !1 should be addressed:

- [ ] @the-reporter started a [discussion](${page}#note_${fast.notes[0].id}): (+1 comment)

    > Is it fast?
    > /confidential

- [ ] @the-maintainer started a [discussion](${page}#note_${small.notes[0].id}):

    > Is it small?`,
    });
    const threads = (await api('GET', `${path}/discussions`, tokens.reporter)).body as (typeof fast)[];
    const said = threads.map(({ notes }) => notes.map((note) => [note.body, note.resolved]));
    const note = ['created #1 to continue this discussion', undefined];
    expect(said).toEqual([
      [['Is it fast?\n/confidential', true], ['It is.', true], note],
      [['Is it small?', true], note],
      [['Is it done?', true]],
      [['Not a thread', undefined]],
      [['Between us', false]],
      [['mentioned in issue #1', undefined]],
    ]);
    expect(threads[0]!.notes[2]).toMatchObject({
      type: 'DiscussionNote',
      system: true,
      author: { username: 'the-developer' },
    });
    // The internal one is open.
    expect(await rowOf(gateway, id)).toMatchObject({ unresolved: 1 });
    const counted = `{ mergeRequest(id: "gid://gitlab/MergeRequest/${id}") { resolvableDiscussionsCount resolvedDiscussionsCount } }`;
    for (const [token, resolvableDiscussionsCount] of [
      [tokens.reporter, 4],
      [tokens.guest, 3],
    ] as const)
      expect((await graphql(counted, token)).data.mergeRequest).toEqual({
        resolvableDiscussionsCount,
        resolvedDiscussionsCount: 3,
      });
    const hidden = await create(project, { merge_request_to_resolve_discussions_of: 1, confidential: true });
    expect(hidden.body.description).toContain('The following discussion from !1 should be addressed:');
    expect(await rowOf(gateway, id)).toMatchObject({ unresolved: 0 });
    expect((await create(project, { merge_request_to_resolve_discussions_of: 1 })).body.description).toBe(
      'There are no unresolved discussions. Review the conversation in !1',
    );
  });

  test('names one of them, and says what it wants; who doesn’t read it, doesn’t see the note', async () => {
    const { path, id } = await aMergeRequest('PUBLIC');
    const one = await begin(path, 'Is it fast?');
    await begin(path, 'Is it small?');
    const elsewhere = await aProject('PUBLIC');
    const made = await graphql(
      `mutation { createIssue(input: { projectPath: "${elsewhere}", title: "Measure", description: "By hand", confidential: true
        mergeRequestToResolveDiscussionsOf: "gid://gitlab/MergeRequest/${id}", discussionToResolve: "${one.id}" }) {
          errors issue { iid description } } }`,
      tokens.developer,
    );
    expect(made.data.createIssue).toEqual({ errors: [], issue: { iid: '1', description: 'By hand' } });
    const seen = async (token: string) =>
      bodies({ body: (await api('GET', `${path}/discussions/${one.id}`, token)).body.notes });
    expect(await seen(tokens.reporter)).toEqual(['Is it fast?', `created ${elsewhere}#1 to continue this discussion`]);
    expect(await seen(tokens.guest)).toEqual(['Is it fast?']);
    for (const asked of ['allNotes', 'allNotes(most: 2)', 'allNotes(most: 1, whole: 2)'])
      for (const token of [tokens.reporter, tokens.guest, tokens.root]) {
        const { data } = await graphql(
          `{ discussion(id: "gid://gitlab/Discussion/${one.id}") { all: ${asked} { body } notes { count nodes { body } } } }`,
          token,
        );
        const { all, notes } = data.discussion;
        const texts = await seen(token);
        expect([all, notes.nodes].map((body) => bodies({ body }))).toEqual([texts, texts]);
        expect(notes.count).toBe(texts.length);
      }
    expect(bodies(await api('GET', `${path}/notes?sort=asc`, tokens.guest))).toEqual(['Is it fast?', 'Is it small?']);
    expect(await rowOf(gateway, id)).toMatchObject({ unresolved: 1 });
  });

  test('is not made where they can’t be resolved', async () => {
    const { project, path, id } = await aMergeRequest();
    const { id: thread } = await begin(path, 'Is it fast?');
    const hidden = await beginInternal(id);
    const refused = async (json: object, token?: string) => {
      const { status, body } = await create(project, json, token);
      return [status, body.message ?? body.error];
    };
    const of = { merge_request_to_resolve_discussions_of: 1 };
    expect(await refused(of, tokens.reporter)).toEqual([403, '403 Forbidden']);
    expect((await refused({ merge_request_to_resolve_discussions_of: 2 }))[0]).toBe(404);
    expect((await refused({ ...of, discussion_to_resolve: 'none' }))[0]).toBe(404);
    expect((await refused({ discussion_to_resolve: thread }))[0]).toBe(400);
    expect((await refused({ ...of, discussion_to_resolve: hidden }))[0]).toBe(400);
    await comment(path, 'Not a thread');
    const single = (await api('GET', `${path}/discussions`, tokens.reporter)).body[2].id as string;
    expect((await refused({ ...of, discussion_to_resolve: single }))[0]).toBe(400);
    expect((await api('GET', at(project, '/issues'), tokens.owner)).body).toEqual([]);
    expect(await rowOf(gateway, id)).toMatchObject({ unresolved: 2 });
  });
});
