import { beforeAll, describe, expect, test } from 'vitest';
import type { TestGateway } from '../../support/gateway.ts';
import { at, makeShop, type Shop } from '../../support/places/shop.ts';
import { planOf } from '../../support/databases/plans.ts';
import { sentBy } from '../../support/databases/statements.ts';

/** Comments and threads on issues and snippets. */

let gateway: TestGateway;
let tokens: Shop['tokens'];
let api: Shop['api'];
let aProject: Shop['aProject'];
beforeAll(async () => {
  ({ gateway, tokens, api, aProject } = await makeShop());
});

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const bodies = ({ body }: { body: { body: string }[] }) => body.map((note) => note.body);
const graphql = async (query: string, token: string) => (await gateway.graphql(query, { token })) as { data: any };

/** A project with an issue. @returns its path, and the path of the issue */
async function anIssue(json: object = {}, visibility: 'PRIVATE' | 'PUBLIC' = 'PRIVATE') {
  const project = await aProject(visibility);
  const made = await api('POST', at(project, '/issues'), tokens.reporter, { json: { title: 'Pump leaks', ...json } });
  expect(made.status).toBe(201);
  return { project, issue: at(project, '/issues/1'), id: made.body.id as number };
}
const comment = (issue: string, body: string, token = tokens.guest, more: object = {}) =>
  api('POST', `${issue}/notes`, token, { json: { body, ...more } });

describe('a comment', () => {
  test('is created and answered whole', async () => {
    const { project, issue, id } = await anIssue();
    const { status, body } = await comment(issue, 'It leaks **again**.');
    expect(status).toBe(201);
    const projectId = (await api('GET', at(project), tokens.guest)).body.id as number;
    expect(body).toEqual({
      id: expect.any(Number),
      type: null,
      body: 'It leaks **again**.',
      attachment: null,
      author: expect.objectContaining({ username: 'the-guest' }),
      created_at: moment,
      updated_at: moment,
      system: false,
      noteable_id: id,
      noteable_type: 'Issue',
      project_id: projectId,
      resolvable: false,
      confidential: false,
      internal: false,
      imported: false,
      imported_from: 'none',
      noteable_iid: 1,
      commands_changes: {},
    });
    expect((await api('GET', `${issue}/notes/${body.id}`, tokens.reporter)).body).toEqual(body);
    expect((await api('GET', `${issue}/notes`, tokens.reporter)).body).toEqual([body]);
    const shown = (await api('GET', issue, tokens.guest)).body;
    expect(shown).toMatchObject({ user_notes_count: 1, subscribed: true });
    expect(shown.updated_at >= body.updated_at).toBe(true);
    expect(
      (await api('GET', `${issue}/participants`, tokens.guest)).body.map(({ username }: any) => username),
    ).toContain('the-guest');
  });

  test('is changed and deleted by its author and by maintainers', async () => {
    const { issue } = await anIssue();
    const { id } = (await comment(issue, 'One')).body;
    const one = `${issue}/notes/${id}`;
    expect((await api('PUT', one, tokens.developer, { json: { body: 'Two' } })).status).toBe(403);
    expect((await api('PUT', one, tokens.guest, { json: { body: '' } })).body).toEqual({ error: 'body is empty' });
    expect((await api('PUT', one, tokens.guest, { json: {} })).body).toMatchObject({ body: 'One' });
    expect((await api('PUT', one, tokens.guest, { json: { body: 'Two' } })).body).toMatchObject({ id, body: 'Two' });
    expect((await api('PUT', one, tokens.maintainer, { json: { body: 'Three' } })).status).toBe(200);
    const query = `{ note(id: "gid://gitlab/Note/${id}") { body lastEditedAt lastEditedBy { username } discussion { id individualNote } } }`;
    expect((await graphql(query, tokens.guest)).data).toMatchObject({
      note: { body: 'Three', lastEditedBy: { username: 'the-maintainer' }, discussion: { individualNote: true } },
    });
    expect((await api('DELETE', one, tokens.reporter)).status).toBe(403);
    const headers = { 'if-unmodified-since': 'Sat, 01 Jan 2000 00:00:00 GMT' };
    expect((await api('DELETE', one, tokens.guest, { headers })).status).toBe(412);
    expect((await api('DELETE', one, tokens.guest)).status).toBe(204);
    expect((await api('DELETE', one, tokens.guest)).status).toBe(404);
    expect((await api('GET', issue, tokens.guest)).body.user_notes_count).toBe(0);
  });

  test('is refused with the texts of version 4, and changes nothing', async () => {
    const { project, issue } = await anIssue();
    expect((await comment(issue, ' ')).body).toEqual({
      message: `400 Bad request - Note {:note=>["can't be blank"]}`,
    });
    expect((await api('POST', `${issue}/notes`, tokens.guest)).body).toEqual({ error: 'body is missing' });
    expect((await comment(issue, 'x'.repeat(1_000_001))).status).toBe(400);
    expect((await comment(issue, 'One', tokens.stranger)).body).toMatchObject({ message: '404 Project Not Found' });
    expect((await comment(at(project, '/issues/7'), 'One')).body).toMatchObject({ message: '404 Issue Not Found' });
    expect((await api('GET', `${issue}/notes/99999`, tokens.guest)).body).toMatchObject({ message: '404 Not found' });
    expect((await api('GET', `${issue}/notes/word`, tokens.guest)).body).toMatchObject({ message: '404 Not found' });
    expect((await api('GET', `${issue}/notes?sort=up`, tokens.guest)).body).toEqual({
      error: 'sort does not have a valid value',
    });
    expect((await api('GET', `${at(project)}/merge_requests/1/notes`, tokens.guest)).status).toBe(404);
    expect((await api('GET', `${issue}/notes`, tokens.guest)).body).toEqual([]);
    const made = await graphql(
      `mutation { createNote(input: { noteableId: "gid://gitlab/Issue/${(await api('GET', issue, tokens.guest)).body.id}", body: "" }) { note { id } errors } }`,
      tokens.guest,
    );
    expect(made.data).toEqual({ createNote: { note: null, errors: ["Note can't be blank"] } });
  });

  test('needs a signed-in person, also in a public project', async () => {
    const { issue } = await anIssue({}, 'PUBLIC');
    expect((await api('GET', `${issue}/notes`, undefined)).status).toBe(401);
    expect((await api('POST', `${issue}/notes`, undefined, { json: { body: 'One' } })).status).toBe(401);
    expect((await comment(issue, 'One', tokens.stranger)).status).toBe(201);
  });

  test('has the time that an owner chooses', async () => {
    const { issue } = await anIssue();
    const created_at = '2024-05-06T07:08:09.000Z';
    expect((await comment(issue, 'One', tokens.owner, { created_at })).body).toMatchObject({
      created_at,
      updated_at: created_at,
    });
    expect((await comment(issue, 'Two', tokens.maintainer, { created_at })).body.created_at).not.toBe(created_at);
    expect(bodies(await api('GET', `${issue}/notes`, tokens.guest))).toEqual(['Two', 'One']);
    expect(bodies(await api('GET', `${issue}/notes?sort=asc&order_by=updated_at`, tokens.guest))).toEqual([
      'One',
      'Two',
    ]);
  });

  test('is for members only while the discussion is locked, and for nobody in an archived project', async () => {
    const { project, issue } = await anIssue({}, 'PUBLIC');
    const { id } = (await comment(issue, 'Before', tokens.stranger)).body;
    await api('PUT', issue, tokens.reporter, { json: { discussion_locked: true } });
    expect((await comment(issue, 'One', tokens.stranger)).status).toBe(403);
    expect((await api('PUT', `${issue}/notes/${id}`, tokens.stranger, { json: { body: 'x' } })).status).toBe(403);
    expect((await api('DELETE', `${issue}/notes/${id}`, tokens.stranger)).status).toBe(403);
    expect((await comment(issue, 'One', tokens.guest)).status).toBe(201);
    await api('POST', at(project, '/archive'), tokens.owner);
    expect((await comment(issue, 'Two', tokens.owner)).status).toBe(403);
    expect((await api('DELETE', `${issue}/notes/${id}`, tokens.owner)).status).toBe(403);
    expect((await api('GET', `${issue}/notes`, tokens.guest)).status).toBe(200);
  });
});

test('the list filters comments and notes of the system, which stay as they are', async () => {
  const { issue } = await anIssue();
  await comment(issue, 'One');
  await api('PUT', issue, tokens.reporter, { json: { title: 'Pump squeaks' } });
  const list = async (filter: string) =>
    bodies(await api('GET', `${issue}/notes?activity_filter=${filter}`, tokens.guest));
  const title = 'changed title from **Pump {-leaks-}** to **Pump {+squeaks+}**';
  expect(await list('all_notes')).toEqual([title, 'One']);
  expect(await list('only_comments')).toEqual(['One']);
  expect(await list('only_activity')).toEqual([title]);
  const [{ id }] = (await api('GET', `${issue}/notes?activity_filter=only_activity`, tokens.guest)).body;
  expect((await api('PUT', `${issue}/notes/${id}`, tokens.owner, { json: { body: 'x' } })).status).toBe(403);
  expect((await api('DELETE', `${issue}/notes/${id}`, tokens.root)).status).toBe(403);
});

describe('an internal note', () => {
  test('is invisible below reporter: in lists, counts, threads, alone, and to the author of the issue', async () => {
    const { issue } = await anIssue();
    const other = (await api('POST', issue.replace('/1', ''), tokens.guest, { json: { title: 'Of a guest' } })).body;
    const path = issue.replace('/1', `/${other.iid}`);
    await comment(path, 'Open');
    const made = await comment(path, 'Hidden @the-guest #1', tokens.reporter, { internal: true });
    expect(made.body).toMatchObject({ internal: true, confidential: true });
    const seen = async (token: string) => {
      const notes = await api('GET', `${path}/notes`, token);
      const threads = await api('GET', `${path}/discussions`, token);
      const { data } = await graphql(
        `{ issue(id: "gid://gitlab/Issue/${other.id}") { userNotesCount notes { count nodes { body } } discussions { count nodes { notes { nodes { body } } } } } }`,
        token,
      );
      return {
        total: notes.headers.get('x-total'),
        notes: bodies(notes),
        threads: threads.headers.get('x-total'),
        one: (await api('GET', `${path}/notes/${made.body.id}`, token)).status,
        nodes: data.issue.notes.nodes.map((note: { body: string }) => note.body),
        counts: [data.issue.notes.count, data.issue.discussions.count, data.issue.userNotesCount],
        alone: (await graphql(`{ note(id: "gid://gitlab/Note/${made.body.id}") { body } }`, token)).data.note !== null,
      };
    };
    expect(await seen(tokens.guest)).toEqual({
      total: '1',
      notes: ['Open'],
      threads: '1',
      one: 404,
      nodes: ['Open'],
      counts: [1, 1, 1],
      alone: false,
    });
    expect(await seen(tokens.reporter)).toMatchObject({
      total: '2',
      threads: '2',
      one: 200,
      counts: [2, 2, 2],
      alone: true,
    });
    expect((await api('PUT', `${path}/notes/${made.body.id}`, tokens.guest, { json: { body: 'x' } })).status).toBe(404);
    // Nothing tells of it either: no reference on the other issue, nobody mentioned.
    expect((await api('GET', `${issue}/notes`, tokens.owner)).body).toEqual([]);
    const [event] = await gateway.sql<{ ids: object }>(
      `select ids from events where kind = 'note.created' and subject_id = $1`,
      [made.body.id],
    );
    expect(event!.ids).toMatchObject({ mentionedIds: [], addressedIds: [] });
  });

  test('is refused below reporter, instead of being shown to everyone', async () => {
    const { issue } = await anIssue();
    expect((await comment(issue, 'One', tokens.guest, { internal: true })).status).toBe(403);
    expect((await comment(issue, 'One', tokens.guest, { confidential: true })).status).toBe(403);
    expect((await api('GET', `${issue}/notes`, tokens.owner)).body).toEqual([]);
  });

  test('makes its whole thread internal', async () => {
    const { issue, id: issueId } = await anIssue();
    await comment(issue, 'Hidden', tokens.reporter, { internal: true });
    const [{ id }] = (await api('GET', `${issue}/discussions`, tokens.reporter)).body;
    const reply = (token: string) =>
      api('POST', `${issue}/discussions/${id}/notes`, token, { json: { body: 'Reply' } });
    expect((await reply(tokens.guest)).body).toMatchObject({ message: '404 Discussion Not Found' });
    expect((await reply(tokens.reporter)).body).toMatchObject({ internal: true, type: 'DiscussionNote' });
    expect((await api('GET', `${issue}/notes`, tokens.guest)).body).toEqual([]);
    // Who reads a thread, reads all of it: in a public one, a reply that is to be internal is refused.
    const open = await api('POST', `${issue}/discussions`, tokens.guest, { json: { body: 'For all' } });
    const input = `noteableId: "gid://gitlab/Issue/${issueId}", discussionId: "gid://gitlab/Discussion/${open.body.id}", internal: true`;
    const { data } = await graphql(
      `mutation { createNote(input: { ${input}, body: "Also" }) { note { internal } errors } }`,
      tokens.reporter,
    );
    const problem = 'reply should have same confidentiality as top-level note';
    expect(data.createNote).toEqual({ note: null, errors: [`Confidential ${problem}`] });
    expect(
      await api('POST', `${issue}/discussions/${open.body.id}/notes`, tokens.reporter, {
        json: { body: 'Also', internal: true },
      }),
    ).toMatchObject({
      status: 400,
      body: { message: `400 Bad request - Note {:confidential=>["${problem}"]}` },
    });
    expect((await api('GET', `${issue}/discussions/${open.body.id}/notes`, tokens.owner)).body).toHaveLength(1);
  });

  test('also begins a thread', async () => {
    const { issue } = await anIssue();
    const start = (token: string, json: object) => api('POST', `${issue}/discussions`, token, { json });
    for (const flag of ['internal', 'confidential']) {
      expect((await start(tokens.guest, { body: 'Hidden', [flag]: true })).status).toBe(403);
      expect((await start(tokens.reporter, { body: 'Hidden', [flag]: true })).body).toMatchObject({
        individual_note: false,
        notes: [{ body: 'Hidden', internal: true, confidential: true }],
      });
    }
    expect((await api('GET', `${issue}/discussions`, tokens.guest)).body).toEqual([]);
  });
});

describe('mentions and references', () => {
  test('a domain event carries who is mentioned and who is addressed', async () => {
    const { issue, id } = await anIssue();
    const made = (await comment(issue, '@the-owner look\nas @The-Developer, @the-stranger and @the-guest said')).body;
    const people = await gateway.sql<{ id: number; username: string }>('select id, username from users');
    const idOf = (name: string) => people.find(({ username }) => username === name)!.id;
    const event = async (kind: string) =>
      (
        await gateway.sql<object>(
          'select actor_id, subject_kind, ids from events where kind = $1 and subject_id = $2',
          [kind, made.id],
        )
      )[0];
    const mentionedIds = [idOf('the-owner'), idOf('the-developer')].toSorted((a, b) => a - b);
    const ids = { issueId: id, mergeRequestId: null, snippetId: null, mentionedIds, addressedIds: [idOf('the-owner')] };
    expect(await event('note.created')).toEqual({ actor_id: idOf('the-guest'), subject_kind: 'Note', ids });
    await api('PUT', `${issue}/notes/${made.id}`, tokens.guest, { json: { body: '@the-owner, @the-maintainer' } });
    expect(await event('note.updated')).toMatchObject({
      ids: { issueId: id, mentionedIds: [idOf('the-maintainer')], addressedIds: [] },
    });
    const participants = (await api('GET', `${issue}/participants`, tokens.guest)).body;
    expect(participants.map(({ username }: any) => username).toSorted()).toEqual([
      'the-developer',
      'the-guest',
      'the-maintainer',
      'the-owner',
      'the-reporter',
    ]);
  });

  test('an issue shows where it is mentioned, once, to those who read that', async () => {
    const { project, issue } = await anIssue();
    const hidden = { title: 'Secret', confidential: true };
    const secret = (await api('POST', at(project, '/issues'), tokens.reporter, { json: hidden })).body;
    const path = at(project, `/issues/${secret.iid}`);
    await comment(path, 'See #1, #1 and #99', tokens.reporter);
    await comment(path, 'See #1 again', tokens.reporter);
    const elsewhere = await anIssue();
    await comment(elsewhere.issue, `Also ${project}#1`, tokens.guest);
    const seen = async (token: string) => bodies(await api('GET', `${issue}/notes?sort=asc`, token));
    const foreign = `mentioned in issue ${elsewhere.project}#1`;
    expect(await seen(tokens.reporter)).toEqual(['mentioned in issue #2', foreign]);
    expect(await seen(tokens.guest)).toEqual([foreign]);
    expect((await api('GET', `${issue}/notes`, tokens.guest)).headers.get('x-total')).toBe('1');
    const system = (await api('GET', `${issue}/notes?sort=asc`, tokens.reporter)).body[0].id;
    expect((await api('GET', `${issue}/notes/${system}`, tokens.guest)).status).toBe(404);
    expect((await api('GET', issue, tokens.guest)).body.user_notes_count).toBe(0);
  });

  test('an issue shows which titles and descriptions refer to it, once, to those who read these', async () => {
    const { project, issue } = await anIssue();
    const secret = { title: 'After #1', description: 'See #1, `#1` and #99.', confidential: true };
    expect((await api('POST', at(project, '/issues'), tokens.reporter, { json: secret })).body.iid).toBe(2);
    await api('POST', at(project, '/issues'), tokens.guest, { json: { title: 'Other' } });
    const other = at(project, '/issues/3');
    const seen = async (path: string, token: string) => bodies(await api('GET', `${path}/notes?sort=asc`, token));
    expect(await seen(issue, tokens.reporter)).toEqual(['mentioned in issue #2']);
    expect(await seen(issue, tokens.guest)).toEqual([]);
    // With a command, which is carried out in the same transaction, and without.
    for (const json of [{ description: 'Like #1, #2 and #3.\n/todo' }, { title: 'Like #1' }])
      expect((await api('PUT', other, tokens.guest, { json })).status).toBe(200);
    expect(await seen(issue, tokens.guest)).toEqual(['mentioned in issue #3']);
    // The guest doesn't read the second one.
    expect(await seen(at(project, '/issues/2'), tokens.reporter)).toEqual([]);
  });

  test('issues that refer to each other at once don’t wait in a circle', async () => {
    const { project } = await anIssue();
    await api('POST', at(project, '/issues'), tokens.reporter, { json: { title: 'Other' } });
    const paths = [at(project, '/issues/1'), at(project, '/issues/2')];
    const changes = paths.map((path, index) =>
      api('PUT', path, tokens.reporter, { json: { description: `See #${2 - index}` } }),
    );
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([200, 200]);
    for (const [index, path] of paths.entries())
      expect(bodies(await api('GET', `${path}/notes`, tokens.reporter))).toContain(`mentioned in issue #${2 - index}`);
  });
});

describe('a thread', () => {
  const start = async (issue: string, token = tokens.guest) =>
    await api('POST', `${issue}/discussions`, token, { json: { body: 'Does it leak?' } });
  const reply = async (issue: string, thread: string, token = tokens.reporter) =>
    await api('POST', `${issue}/discussions/${thread}/notes`, token, { json: { body: 'It does.' } });

  test('is started, replied to, listed and read', async () => {
    const { issue } = await anIssue();
    await comment(issue, 'Before');
    const { status, body } = await start(issue);
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^[0-9a-f]{40}$/),
        individual_note: false,
        notes: [
          expect.objectContaining({ type: 'DiscussionNote', resolvable: true, resolved: false, resolved_by: null }),
        ],
      },
    });
    expect(await reply(issue, body.id)).toMatchObject({
      status: 201,
      body: { type: 'DiscussionNote', body: 'It does.' },
    });
    const list = await api('GET', `${issue}/discussions`, tokens.reporter);
    expect(list.headers.get('x-total')).toBe('2');
    expect(list.body.map((one: any) => [one.individual_note, bodies({ body: one.notes })])).toEqual([
      [true, ['Before']],
      [false, ['Does it leak?', 'It does.']],
    ]);
    expect((await api('GET', `${issue}/discussions/${body.id}`, tokens.reporter)).body).toEqual(list.body[1]);
    expect(bodies(await api('GET', `${issue}/discussions/${body.id}/notes`, tokens.reporter))).toEqual([
      'Does it leak?',
      'It does.',
    ]);
    const unknown = 'a'.repeat(40);
    for (const id of [unknown, 'word']) {
      expect((await api('GET', `${issue}/discussions/${id}`, tokens.guest)).body.message).toBe(
        '404 Discussion Not Found',
      );
      expect((await api('GET', `${issue}/discussions/${id}/notes`, tokens.guest)).body.message).toBe(
        '404 Notes Not Found',
      );
      expect((await reply(issue, id)).body.message).toBe('404 Discussion Not Found');
    }
    // A thread of another issue isn't one of this.
    const other = await anIssue();
    expect((await api('GET', `${other.issue}/discussions/${body.id}`, tokens.guest)).status).toBe(404);
    expect((await reply(other.issue, body.id)).status).toBe(404);
  });

  test('comes from a single comment that is replied to', async () => {
    const { issue } = await anIssue();
    const single = (await comment(issue, 'One')).body;
    const [{ id }] = (await api('GET', `${issue}/discussions`, tokens.guest)).body;
    expect((await reply(issue, id)).status).toBe(201);
    expect((await api('GET', `${issue}/notes/${single.id}`, tokens.guest)).body.type).toBe('DiscussionNote');
    expect((await api('GET', `${issue}/discussions/${id}`, tokens.guest)).body.individual_note).toBe(false);
    expect((await api('GET', issue, tokens.guest)).body.user_notes_count).toBe(2);
    await api('PUT', issue, tokens.reporter, { json: { title: 'Other' } });
    const system = (await api('GET', `${issue}/discussions`, tokens.guest)).body.at(-1);
    expect((await reply(issue, system.id)).body.message).toBe('400 Bad request - Discussion can not be replied to.');
  });

  test('has notes that are read, changed and deleted inside it', async () => {
    const { issue } = await anIssue();
    const { id } = (await start(issue)).body;
    const answer = (await reply(issue, id)).body;
    const single = (await comment(issue, 'Apart')).body;
    const one = `${issue}/discussions/${id}/notes/${answer.id}`;
    expect((await api('GET', one, tokens.guest)).body).toEqual(answer);
    expect((await api('GET', `${issue}/discussions/${id}/notes/${single.id}`, tokens.guest)).status).toBe(404);
    expect((await api('PUT', one, tokens.reporter, { json: { body: 'It did.' } })).body.body).toBe('It did.');
    expect((await api('PUT', one, tokens.guest, { json: { body: 'x' } })).status).toBe(403);
    expect((await api('PUT', one, tokens.reporter, { json: {} })).body).toEqual({
      error: 'body, resolved are missing, exactly one parameter must be provided',
    });
    expect((await api('PUT', one, tokens.reporter, { json: { body: 'x', resolved: true } })).body).toEqual({
      error: 'body, resolved are mutually exclusive',
    });
    expect((await api('DELETE', one, tokens.guest)).status).toBe(403);
    expect((await api('DELETE', one, tokens.reporter)).status).toBe(204);
    expect((await api('DELETE', one, tokens.reporter)).status).toBe(404);
    expect((await api('GET', `${issue}/discussions/${id}`, tokens.guest)).body.notes).toHaveLength(1);
  });

  test('gives its first note and its latest ones over GraphQL', async () => {
    const { issue } = await anIssue();
    const { id } = (await start(issue)).body;
    for (const body of ['two', 'three', 'four', 'five'])
      await api('POST', `${issue}/discussions/${id}/notes`, tokens.guest, { json: { body } });
    const some = (most: string) =>
      gateway.graphql<{ discussion: { allNotes: { body: string }[]; notes: { count: number } } | null }>(
        `{ discussion(id: "gid://gitlab/Discussion/${id}") { allNotes${most} { body } notes(first: 1) { count } } }`,
        { token: tokens.guest },
      );
    const shown = async (most: string) =>
      (await some(most)).data!.discussion!.allNotes.slice(1).map(({ body }) => body);
    expect(await shown('')).toEqual(['two', 'three', 'four', 'five']);
    expect(await shown('(most: 5)')).toEqual(['two', 'three', 'four', 'five']);
    expect(await shown('(most: 3)')).toEqual(['four', 'five']);
    expect(await shown('(most: 1)')).toEqual([]);
    expect(await shown('(most: 3, whole: 4)')).toEqual(['four', 'five']);
    for (const whole of [5, 2 ** 31 - 1])
      expect(await shown(`(most: 3, whole: ${whole})`)).toEqual(['two', 'three', 'four', 'five']);
    expect((await some('(most: 3)')).data!.discussion!.notes.count).toBe(5);
    expect((await some('(most: 0)')).errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }]);
  });

  test('is read from the database only as far as it is shown', async () => {
    const { issue, id: issueId } = await anIssue();
    const { id, notes } = (await start(issue)).body;
    await gateway.sql(
      `insert into notes (issue_id, project_id, discussion_id, author_id, body, type)
       select issue_id, project_id, discussion_id, author_id, 'Number ' || number || '.', 'DISCUSSION'
         from notes, generate_series(2, 12) number where id = $1`,
      [notes[0].id],
    );
    const gid = `gid://gitlab/Discussion/${id}`;
    const bodiesIn = async (selection: string) => {
      const { data } = await graphql(`{ discussion(id: "${gid}") { ${selection} } }`, tokens.guest);
      return data.discussion;
    };
    const numbers = (nodes: { body: string }[]) => nodes.map(({ body }) => Number(/\d+/.exec(body)?.[0] ?? 1));
    const page = 'nodes { id body } count pageInfo { startCursor endCursor hasNextPage hasPreviousPage }';
    const { notes: last } = await bodiesIn(`notes(last: 4) { ${page} }`);
    expect([numbers(last.nodes), last.count, last.pageInfo.hasPreviousPage]).toEqual([[9, 10, 11, 12], 12, true]);
    const { notes: before } = await bodiesIn(`notes(last: 4, before: "${last.pageInfo.startCursor}") { ${page} }`);
    expect(numbers(before.nodes)).toEqual([5, 6, 7, 8]);
    const { notes: after } = await bodiesIn(`notes(first: 2, after: "${before.pageInfo.endCursor}") { ${page} }`);
    expect(numbers(after.nodes)).toEqual([9, 10]);
    const { notes: skipped } = await bodiesIn(`notes(first: 2, offset: 3) { ${page} }`);
    expect(numbers(skipped.nodes)).toEqual([4, 5]);
    const { notes: earlier } = await bodiesIn(`notes(beforeNote: "${after.nodes[0].id}", first: 1) { ${page} }`);
    expect([earlier.count, numbers(earlier.nodes)]).toEqual([8, [1]]);
    // What a part says of all notes of the thread is what the whole thread says.
    const state = 'resolvable resolved resolvedAt resolvedBy { username } individualNote notes { count }';
    const toggle = (resolved: boolean) =>
      api('PUT', `${issue}/discussions/${id}`, tokens.developer, { json: { resolved } });
    for (const resolved of [true, false]) {
      await toggle(resolved);
      const part = await bodiesIn(`${state} allNotes(most: 1) { id }`);
      expect(part).toEqual({ ...(await bodiesIn(`${state} allNotes { id }`)), allNotes: [expect.anything()] });
      expect(part).toMatchObject({ resolved, notes: { count: 12 } });
    }
    const ends = 'nodes { allNotes(most: 2) { body } notes { count } }';
    const sent = await sentBy(async () => {
      const { data } = await graphql(
        `{ issue(id: "gid://gitlab/Issue/${issueId}") { discussions { ${ends} } } }`,
        tokens.guest,
      );
      const [thread] = data.issue.discussions.nodes;
      expect([numbers(thread.allNotes), thread.notes.count]).toEqual([[1, 12], 12]);
    });
    const [threads] = sent.filter(({ text }) => text.includes('latest.discussion_id'));
    const rows = await gateway.sql<{ notes: unknown[] }>(threads!.text, [...threads!.values]);
    expect(rows.map((row) => row.notes.length)).toEqual([2]);
  });

  test('is found among single comments without a look at other notes for each of them', async () => {
    const { issue, id: issueId } = await anIssue();
    await start(issue);
    await gateway.sql(
      `insert into notes (issue_id, project_id, discussion_id, author_id, body)
       select id, project_id, substring(sha256(int4send(number)) from 1 for 20), author_id, 'Number ' || number || '.'
         from issues, generate_series(1, 300) number where id = $1`,
      [issueId],
    );
    await gateway.sql('analyze notes');
    const sent = await sentBy(async () => {
      const { body, headers } = await api('GET', `${issue}/discussions`, tokens.guest, { query: { per_page: '100' } });
      expect([body.length, headers.get('x-total')]).toEqual([100, '301']);
    });
    const plans = await Promise.all(
      sent.filter(({ text }) => text.includes('earlier')).map((one) => planOf(gateway.databaseUrl, one)),
    );
    expect(plans).toHaveLength(1);
    // A look at an index for each would be 600 or more.
    expect(plans[0]!.toFind).toBeLessThan(300);
  });

  test('is resolved by developers and the author of the issue', async () => {
    const { issue } = await anIssue({ confidential: false });
    const { id } = (await start(issue)).body;
    const path = `${issue}/discussions/${id}`;
    const resolve = (token: string, resolved: unknown) => api('PUT', path, token, { json: { resolved } });
    expect((await resolve(tokens.guest, true)).status).toBe(403);
    expect((await resolve(tokens.developer, undefined)).body).toEqual({ error: 'resolved is missing' });
    expect((await resolve(tokens.developer, true)).body.notes).toMatchObject([
      { resolved: true, resolved_by: { username: 'the-developer' }, resolved_at: moment },
    ]);
    // Who resolved it first stays.
    expect(await resolve(tokens.reporter, true)).toMatchObject({
      status: 200,
      body: { notes: [{ resolved_by: { username: 'the-developer' } }] },
    });
    const gid = `gid://gitlab/Discussion/${id}`;
    const state = async () =>
      (await graphql(`{ discussion(id: "${gid}") { resolvable resolved resolvedBy { username } } }`, tokens.guest)).data
        .discussion;
    expect(await state()).toEqual({ resolvable: true, resolved: true, resolvedBy: { username: 'the-developer' } });
    await reply(issue, id);
    expect(await state()).toEqual({ resolvable: true, resolved: false, resolvedBy: null });
    const { data } = await graphql(
      `mutation { discussionToggleResolve(input: { id: "${gid}", resolve: true }) { discussion { resolved } errors } }`,
      tokens.reporter,
    );
    expect(data.discussionToggleResolve).toEqual({ discussion: { resolved: true }, errors: [] });
    const [first] = (await resolve(tokens.reporter, false)).body.notes;
    expect(first).toMatchObject({ resolved: false, resolved_by: null, resolved_at: null });
    const note = `${path}/notes/${first.id}`;
    expect((await api('PUT', note, tokens.guest, { json: { resolved: true } })).status).toBe(403);
    expect((await api('PUT', note, tokens.developer, { json: { resolved: true } })).body.resolved).toBe(true);
    const single = (await comment(issue, 'Apart')).body;
    const apart = (await api('GET', `${issue}/discussions`, tokens.guest)).body.at(-1).id;
    expect(
      (
        await api('PUT', `${issue}/discussions/${apart}/notes/${single.id}`, tokens.developer, {
          json: { resolved: true },
        })
      ).body,
    ).toEqual({ message: '400 Bad request - Note is not resolvable' });
  });
});

describe('a snippet', () => {
  async function aSnippet(visibility: string) {
    const project = await aProject('PUBLIC');
    const [{ id }] = (await gateway.sql<{ id: number }>(
      `insert into snippets (project_id, author_id, title, visibility) select p.id, u.id, 'S', $2::"Visibility" from projects p, users u
        where p.full_path = $1 and u.username = 'the-reporter' returning id`,
      [project, visibility],
    )) as [{ id: number }];
    return { project, snippet: at(project, `/snippets/${id}`), id };
  }

  test('has comments and threads as an issue has, which can’t be resolved', async () => {
    const { snippet, id } = await aSnippet('PUBLIC');
    const made = await comment(snippet, 'Fine', tokens.stranger);
    expect(made).toMatchObject({
      status: 201,
      body: { noteable_type: 'Snippet', noteable_id: id, noteable_iid: null, resolvable: false },
    });
    expect((await api('GET', `${snippet}/notes`, tokens.guest)).body).toEqual([made.body]);
    const thread = await api('POST', `${snippet}/discussions`, tokens.guest, { json: { body: 'Why?' } });
    expect(thread).toMatchObject({ status: 201, body: { individual_note: false, notes: [{ resolvable: false }] } });
    const [single] = (await api('GET', `${snippet}/discussions`, tokens.guest)).body;
    expect(
      (await api('POST', `${snippet}/discussions/${single.id}/notes`, tokens.guest, { json: { body: 'x' } })).body,
    ).toMatchObject({ message: '400 Bad request - Discussion can not be replied to.' });
    expect((await api('DELETE', `${snippet}/notes/${made.body.id}`, tokens.stranger)).status).toBe(204);
    expect((await comment(snippet, '/close', tokens.owner)).body.body).toBe('/close');
  });

  test('shows them over GraphQL', async () => {
    const { snippet, id } = await aSnippet('PUBLIC');
    const { body: note } = await comment(snippet, 'Fine', tokens.stranger);
    await api('POST', `${snippet}/discussions`, tokens.guest, { json: { body: 'Why?' } });
    const query = `{ snippets(ids: ["gid://gitlab/ProjectSnippet/${id}"]) { nodes { notes { nodes { id body } } discussions { nodes { individualNote } } } } }`;
    const { data, errors } = await gateway.graphql(query, { token: tokens.guest });
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      snippets: {
        nodes: [
          {
            notes: {
              nodes: [
                { id: `gid://gitlab/Note/${note.id}`, body: 'Fine' },
                { id: expect.stringMatching(/DiscussionNote/) as string, body: 'Why?' },
              ],
            },
            discussions: { nodes: [{ individualNote: true }, { individualNote: false }] },
          },
        ],
      },
    });
  });

  test('tells those of a comment whom it mentions itself, or an earlier comment', async () => {
    const project = await aProject();
    const texts = { title: 'For @the-guest', description: 'and @the-stranger', visibility: 'private' };
    const files = [{ file_path: 'a.txt', content: 'a' }];
    const { id } = (await api('POST', at(project, '/snippets'), tokens.reporter, { json: { ...texts, files } })).body;
    const told = async () => {
      const query = { event: 'new_note', snippet_id: String(id) };
      const { body } = await api('GET', at(project, '/notification_recipients'), tokens.owner, { query });
      return (body as { user: { username: string } }[]).map(({ user }) => user.username).toSorted();
    };
    expect(await told()).toEqual(['the-guest', 'the-reporter']);
    await comment(at(project, `/snippets/${id}`), 'Look, @the-developer.', tokens.guest);
    expect(await told()).toEqual(['the-developer', 'the-guest', 'the-reporter']);
    const json = { description: 'Also for @the-maintainer' };
    await api('PUT', at(project, `/snippets/${id}`), tokens.reporter, { json });
    expect(await told()).toEqual(['the-developer', 'the-guest', 'the-maintainer', 'the-reporter']);
  });

  test('that is private shows them to members only', async () => {
    const { snippet, project } = await aSnippet('PRIVATE');
    expect((await comment(snippet, 'One')).status).toBe(201);
    expect((await comment(snippet, 'One', tokens.stranger)).body).toMatchObject({ message: '404 Snippet Not Found' });
    expect((await api('GET', `${snippet}/discussions`, tokens.stranger)).status).toBe(404);
    expect((await api('GET', at(project, '/snippets/999999/notes'), tokens.guest)).body).toMatchObject({
      message: '404 Snippet Not Found',
    });
  });
});

test('changes of labels, milestone and state are listed by kind, the oldest first, and read one by one', async () => {
  const { project, issue, id } = await anIssue({ labels: 'bug' });
  const milestone = (await api('POST', at(project, '/milestones'), tokens.reporter, { json: { title: 'Spring' } }))
    .body;
  const change = (json: object) => api('PUT', issue, tokens.reporter, { json });
  await change({ labels: 'pump', milestone_id: milestone.id });
  await change({ milestone_id: 0, state_event: 'close' });
  await change({ state_event: 'reopen' });
  const list = async (kind: string, token = tokens.guest) =>
    await api('GET', `${issue}/resource_${kind}_events`, token);
  const labels = await list('label');
  expect(labels.headers.get('x-total')).toBe('3');
  expect(labels.body.map((one: any) => [one.action, one.label.name])).toEqual([
    ['add', 'bug'],
    ['add', 'pump'],
    ['remove', 'bug'],
  ]);
  expect(labels.body[0]).toEqual({
    id: expect.any(Number),
    user: expect.objectContaining({ username: 'the-reporter' }),
    created_at: moment,
    resource_type: 'Issue',
    resource_id: id,
    label: expect.objectContaining({ name: 'bug', color: '#6699cc', description: null }),
    action: 'add',
  });
  const milestones = (await list('milestone')).body;
  expect(milestones.map((one: any) => [one.action, one.milestone.title])).toEqual([
    ['add', 'Spring'],
    ['remove', 'Spring'],
  ]);
  const states = (await list('state')).body;
  expect(states.map((one: any) => one.state)).toEqual(['closed', 'reopened']);
  for (const [kind, [one]] of Object.entries({ label: labels.body, milestone: milestones, state: states }))
    expect((await api('GET', `${issue}/resource_${kind}_events/${one.id}`, tokens.guest)).body).toEqual(one);
  // An event of another kind, or of another issue.
  expect((await api('GET', `${issue}/resource_state_events/${labels.body[0].id}`, tokens.guest)).body).toMatchObject({
    message: '404 Not found',
  });
  const other = await anIssue();
  expect((await api('GET', `${other.issue}/resource_label_events/${labels.body[0].id}`, tokens.guest)).status).toBe(
    404,
  );
  expect((await list('label', tokens.stranger)).status).toBe(404);
  expect((await api('GET', `${issue}/resource_label_events`, undefined)).status).toBe(401);
  expect((await api('GET', at(project, '/merge_requests/1/resource_label_events'), tokens.guest)).status).toBe(404);
  // The event stays when its label goes.
  await api('DELETE', at(project, '/labels/bug'), tokens.reporter);
  expect((await list('label')).body[0]).toMatchObject({ label: null, action: 'add' });
});

describe('over GraphQL', () => {
  test('notes say what one may do, and threads what they are about', async () => {
    const { project, issue, id } = await anIssue({}, 'PUBLIC');
    const thread = (await api('POST', `${issue}/discussions`, tokens.developer, { json: { body: 'Does it leak?' } }))
      .body;
    await comment(issue, 'Internal', tokens.reporter, { internal: true });
    const query = `{ project(fullPath: "${project}") { issue(iid: "1") { userDiscussionsCount }
      } note(id: "gid://gitlab/Note/${thread.notes[0].id}") {
        userPermissions { readNote createNote awardEmoji adminNote resolveNote }
        discussion { noteable { __typename ... on Issue { id } } } } }`;
    const seen = async (token: string) => (await graphql(query, token)).data;
    expect(await seen(tokens.developer)).toEqual({
      project: { issue: { userDiscussionsCount: 2 } },
      note: {
        userPermissions: { readNote: true, createNote: true, awardEmoji: true, adminNote: true, resolveNote: true },
        discussion: { noteable: { __typename: 'Issue', id: `gid://gitlab/Issue/${id}` } },
      },
    });
    await api('PUT', issue, tokens.reporter, { json: { discussion_locked: true } });
    expect(await seen(tokens.stranger)).toMatchObject({
      project: { issue: { userDiscussionsCount: 1 } },
      note: {
        userPermissions: { readNote: true, createNote: false, awardEmoji: false, adminNote: false, resolveNote: false },
      },
    });
    expect((await seen(tokens.maintainer)).note.userPermissions).toMatchObject({ adminNote: true, resolveNote: true });
  });

  test('who wrote an issue resolves its threads, but not while it is locked and they are no member', async () => {
    const project = await aProject('PUBLIC');
    await api('POST', at(project, '/issues'), tokens.stranger, { json: { title: 'Leaks' } });
    const issue = at(project, '/issues/1');
    const thread = (await api('POST', `${issue}/discussions`, tokens.developer, { json: { body: 'Where?' } })).body;
    const query = `{ project(fullPath: "${project}") { issue(iid: "1") { userPermissions { resolveNote } } }
      note(id: "gid://gitlab/Note/${thread.notes[0].id}") { userPermissions { resolveNote } } }`;
    const resolve = async () =>
      (await api('PUT', `${issue}/discussions/${thread.id}`, tokens.stranger, { json: { resolved: true } })).status;
    const said = async (token: string) => {
      const { project: place, note } = (await graphql(query, token)).data;
      return [place.issue.userPermissions.resolveNote, note.userPermissions.resolveNote];
    };
    expect([await said(tokens.stranger), await resolve()]).toEqual([[true, true], 200]);
    await api('PUT', issue, tokens.reporter, { json: { discussion_locked: true } });
    expect([await said(tokens.stranger), await resolve()]).toEqual([[false, false], 403]);
    expect([await said(tokens.guest), await said(tokens.developer)]).toEqual([
      [false, false],
      [true, true],
    ]);
  });

  test('a comment that changes stays internal or public', async () => {
    const { issue } = await anIssue();
    const { id } = (await comment(issue, 'Two pumps', tokens.reporter, { internal: true })).body;
    const change = (confidential: boolean) =>
      graphql(
        `mutation { updateNote(input: { id: "gid://gitlab/Note/${id}", body: "Three pumps", confidential: ${confidential} }) {
          errors note { body confidential } } }`,
        tokens.reporter,
      );
    expect((await change(false)).data.updateNote.errors).toEqual([
      'A comment stays internal or public, as it was written.',
    ]);
    expect((await api('GET', `${issue}/notes/${id}`, tokens.reporter)).body).toMatchObject({ body: 'Two pumps' });
    expect((await change(true)).data.updateNote).toEqual({
      errors: [],
      note: { body: 'Three pumps', confidential: true },
    });
  });
});
