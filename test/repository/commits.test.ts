import { describe, expect, test } from 'vitest';
import { plainGit } from '../git/support/engine.ts';
import { testGateway } from '../support/gateway.ts';
import { filledProject } from './support/clone.ts';
import { newProject } from './support/project.ts';

const gateway = await testGateway();
const { rest, tokens, graphql } = gateway;
const token = tokens.maintainer;

/** A project with three commits on `main`, and a branch `topic` with one more that changes the same file. */
async function history() {
  const project = await newProject(gateway);
  const send = async (branch: string, message: string, actions: unknown[], more: object = {}) => {
    const { status, body, text } = await rest('POST', `${project.path}/repository/commits`, {
      token,
      json: { branch, commit_message: message, actions, ...more },
    });
    expect(status, text).toBe(201);
    return body.id as string;
  };
  const file = (file_path: string, content: string, action = 'create') => ({ action, file_path, content });
  const first = await send('main', 'First\n\nWhy it is.\n\nSigned-off-by: Ann <ann@example.com>', [
    file('a.txt', 'one\ntwo\nthree\n'),
    file('src/b.txt', 'b\n'),
  ]);
  const second = await send('main', 'Second', [file('a.txt', 'one\n2\nthree\n', 'update')], {
    author_name: 'Bob',
    author_email: 'bob@example.com',
  });
  const third = await send('main', 'Third', [
    { action: 'move', file_path: 'src/c.txt', previous_path: 'src/b.txt' },
    { action: 'chmod', file_path: 'a.txt', execute_filemode: true },
  ]);
  const topic = await send('topic', 'On the topic', [file('d.txt', 'd\n')], { start_branch: 'main' });
  return { ...project, first, second, third, topic, send, file };
}

const made = await history();
const get = async (path: string) => await rest('GET', `${made.path}/repository${path}`, { token });
const post = async (path: string, json: object) =>
  await rest('POST', `${made.path}/repository${path}`, { token, json });

describe('the list of commits', () => {
  test('is that of a branch, a range, a path or an author, a page at a time without totals', async () => {
    const ids = async (query: string) =>
      ((await get(`/commits?${query}`)).body as { id: string }[]).map(({ id }) => id);
    const { first, second, third, topic } = made;
    expect(await ids('')).toEqual([third, second, first]);
    expect(await ids('ref_name=topic')).toEqual([topic, third, second, first]);
    expect(await ids('ref_name=main..topic')).toEqual([topic]);
    expect(await ids(`ref_name=${second.slice(0, 9)}`)).toEqual([second, first]);
    expect(await ids('ref_name=nowhere')).toEqual([]);
    expect(await ids('path=src')).toEqual([third, first]);
    expect(await ids('author=BOB@')).toEqual([second]);
    expect(await ids('all=true&order=topo')).toEqual([topic, third, second, first]);
    expect(await ids('since=2100-01-01T00:00:00Z')).toEqual([]);
    const page = await get('/commits?per_page=2&with_stats=true&trailers=true');
    expect(page.headers.get('x-next-page')).toBe('2');
    expect(page.headers.has('x-total')).toBe(false);
    expect(page.body[1]).toMatchObject({ author_name: 'Bob', stats: { additions: 1, deletions: 1, total: 2 } });
    const [last] = (await get('/commits?per_page=2&page=2&trailers=true')).body;
    expect(last).toMatchObject({ title: 'First', trailers: { 'Signed-off-by': 'Ann <ann@example.com>' } });
  });

  test('takes names, and no syntax of revisions', async () => {
    for (const bad of ['--output=/tmp/x', 'a b'])
      expect((await get(`/commits?ref_name=${encodeURIComponent(bad)}`)).body).toEqual({
        message: 'ref_name is invalid',
      });
    for (const odd of ['main@{1}', ':/First', 'HEAD~1', 'main:a.txt', 'main^'])
      expect((await get(`/commits?ref_name=${encodeURIComponent(odd)}`)).body, odd).toEqual([]);
    expect((await get('/commits/HEAD~1')).body).toEqual({ message: '404 Commit Not Found' });
    expect((await get('/commits/HEAD')).body.id).toBe(made.third);
  });
});

describe('one commit', () => {
  test('shows what it changed', async () => {
    const { body } = await get(`/commits/${made.third}`);
    expect(body).toMatchObject({ id: made.third, project_id: made.id, status: null, last_pipeline: null });
    expect(body.committed_date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000\+00:00$/);
    const diff = (await get(`/commits/${made.third}/diff`)).body;
    expect(diff).toMatchObject([
      { old_path: 'a.txt', new_path: 'a.txt', a_mode: '100644', b_mode: '100755', diff: '' },
      { old_path: 'src/b.txt', new_path: 'src/c.txt', renamed_file: true, diff: '' },
    ]);
    const [changed] = (await get(`/commits/${made.second}/diff?unidiff=true`)).body;
    expect(changed.diff).toBe('--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n');
    expect((await get(`/commits/${made.second}/refs?type=branch`)).body).toEqual([
      { type: 'branch', name: 'main' },
      { type: 'branch', name: 'topic' },
    ]);
    const { headers } = await get(`/commits/${made.first}/refs?per_page=1`);
    expect([headers.get('x-next-page'), headers.get('x-total')]).toEqual(['2', null]);
    expect((await get(`/commits/${made.third}/sequence`)).body).toEqual({ count: 3 });
  });

  test('is done again on a branch, once, and taken back', async () => {
    const pick = `/commits/${made.topic}/cherry_pick`;
    expect((await post(pick, { branch: 'main', dry_run: true })).body).toEqual({ dry_run: 'success' });
    const picked = await post(pick, { branch: 'main' });
    expect(picked.status).toBe(201);
    expect(picked.body.message).toMatch(
      new RegExp(`^On the topic\n\n\\(cherry picked from commit ${made.topic}\\)\n\nCo-authored-by: .+ <.+@.+>\n$`),
    );
    expect(picked.body.parent_ids).toEqual([made.third]);
    // Of another author, who is named; but not in a message of one's own.
    const ofBob = await made.send('bobs', 'By Bob', [made.file('bob.txt', 'b\n')], {
      start_branch: 'main',
      author_name: 'Bob',
      author_email: 'bob@example.com',
    });
    const pickBob = (branch: string, more: object = {}) => post(`/commits/${ofBob}/cherry_pick`, { branch, ...more });
    await post('/branches', { branch: 'picks', ref: 'main' });
    expect((await pickBob('picks')).body).toMatchObject({
      author_email: picked.body.committer_email,
      message: `By Bob\n\n(cherry picked from commit ${ofBob})\n\nCo-authored-by: Bob <bob@example.com>\n`,
    });
    await post('/branches', { branch: 'own-words', ref: 'main' });
    expect((await pickBob('own-words', { message: 'Mine' })).body.message).toBe('Mine');
    const again = await post(pick, { branch: 'main', dry_run: true });
    expect([again.status, again.body]).toEqual([
      400,
      {
        message: expect.stringMatching(/^Sorry, we cannot cherry-pick this commit automatically\./),
        error_code: 'empty',
        dry_run: 'error',
      },
    ]);
    const reverted = await post(`/commits/${picked.body.id}/revert`, { branch: 'main' });
    expect(reverted.body.message).toBe(`Revert "On the topic"\n\nThis reverts commit ${picked.body.id}\n`);
    expect((await post(pick, { branch: 'nowhere' })).body).toEqual({ message: '404 Branch Not Found' });
    expect((await post(`/commits/${made.topic}0/revert`, { branch: 'main' })).body).toEqual({
      message: '404 Commit Not Found',
    });
    expect((await post(pick, {})).body).toEqual({ error: 'branch is missing, branch is empty' });
  });
});

test('the author of a commit is whose address for commits it names, or who shows it, and no one else', async () => {
  const { path, fullPath } = await newProject(gateway);
  const developer = tokens.developer;
  const change = (json: object) => rest('PUT', '/api/v4/users/3', { token: tokens.root, json });
  const { id, username, email } = (await rest('GET', '/api/v4/user', { token: developer })).body;
  expect(id).toBe(3);
  let files = 0;
  const authorOf = async (author_email: string) => {
    const actions = [{ action: 'create', file_path: `${++files}.txt`, content: '' }];
    const json = { branch: 'main', commit_message: 'Change', author_email, author_name: 'Ann', actions };
    const { status, body, text } = await rest('POST', `${path}/repository/commits`, { token, json });
    expect(status, text).toBe(201);
    const query = `{ project(fullPath: "${fullPath}") { repository { commit(ref: "${body.id}") { author { username } } } } }`;
    const { data } = await graphql<any>(query, { token });
    return data.project.repository.commit.author?.username ?? null;
  };
  expect(await authorOf('unknown@example.org')).toBe(null);
  expect(await authorOf(email.toUpperCase())).toBe(username);
  expect((await change({ commit_email: '_private' })).status).toBe(200);
  expect(await authorOf(email)).toBe(null);
  const { commit_email: hidden } = (await rest('GET', '/api/v4/user', { token: developer })).body;
  expect(await authorOf(hidden)).toBe(username);
  expect(await authorOf(hidden.replace('3-', '2-'))).toBe(null);
  expect((await change({ public_email: email })).status).toBe(200);
  expect(await authorOf(email)).toBe(username);
  await change({ public_email: '', commit_email: '' });
});

describe('comments on a commit', () => {
  test('stand on the whole, or on a line that it changed; anybody who reads the code writes one', async () => {
    const at = `/commits/${made.second}/comments`;
    expect((await get(at)).body).toEqual([]);
    const whole = await post(at, { note: 'Fine' });
    expect([whole.status, whole.body]).toEqual([
      201,
      {
        note: 'Fine',
        path: null,
        line: null,
        line_type: null,
        author: expect.objectContaining({ username: 'maintainer' }),
        created_at: expect.stringMatching(/Z$/),
      },
    ]);
    const placed = async (more: object) => {
      const { path, line, line_type: side } = (await post(at, { note: 'Here', path: 'a.txt', ...more })).body;
      return [path, line, side];
    };
    expect(await placed({ line: 2 })).toEqual(['a.txt', 2, 'new']);
    expect(await placed({ line: 2, line_type: 'old' })).toEqual(['a.txt', 2, 'old']);
    // Lines that it didn’t change, and files that it doesn’t have: on the whole.
    expect(await placed({ line: 1 })).toEqual([null, null, null]);
    expect(await placed({ path: 'gone.txt', line: 2 })).toEqual([null, null, null]);
    const listed = await get(`${at}?per_page=2`);
    expect(listed.body.map(({ note }: { note: string }) => note)).toEqual(['Fine', 'Here']);
    expect(listed.headers.get('x-total')).toBe('5');
    expect((await get(`/commits/topic/comments`)).body).toEqual([]);
  });

  test('carry out a command that tags it: alone, it leaves no comment', async () => {
    const at = `/commits/${made.first}/comments`;
    const alone = await post(at, { note: '/tag first-one The first' });
    expect([alone.status, alone.body]).toEqual([
      202,
      {
        commands_changes: { tag_name: 'first-one', tag_message: 'The first' },
        summary: ['Tagged this commit to first-one with "The first".'],
      },
    ]);
    expect((await get(at)).body).toEqual([]);
    expect((await get('/tags/first-one')).body).toMatchObject({ message: 'The first', commit: { id: made.first } });
    // It exists already.
    const again = await post(at, { note: '/tag first-one' });
    expect([again.status, again.body]).toEqual([400, { message: '400 Bad request - Failed to apply commands.' }]);
    const { status, body } = await post(at, { note: 'Done\n/tag second-one\n/close' });
    expect([status, body.note]).toEqual([201, 'Done\n/close']);
    expect((await get('/tags/second-one')).body).toMatchObject({ message: null, commit: { id: made.first } });
  });

  test('are refused without a text, without a line, and to those who don’t read the code', async () => {
    const at = `${made.path}/repository/commits/${made.first}/comments`;
    const said = async (json: object, own: string | null = token) => {
      const { status, body } = await rest('POST', at, { ...(own && { token: own }), json });
      return [status, body];
    };
    expect(await said({})).toEqual([400, { error: 'note is missing' }]);
    expect(await said({ note: 'x', path: 'a.txt' })).toEqual([400, { error: 'line is missing' }]);
    expect(await said({ note: 'x', path: 'a.txt', line: 2 ** 31 })).toEqual([400, { error: 'line is invalid' }]);
    expect(await said({ note: 'x', path: 'a.txt', line: 'y' })).toEqual([400, { error: 'line is invalid' }]);
    expect((await said({ note: 'x', path: 'a.txt', line: 1, line_type: 'side' }))[0]).toBe(400);
    expect((await said({ note: ' ' }))[0]).toBe(400);
    expect(await said({ note: 'x' }, tokens.guest)).toEqual([404, { message: '404 Project Not Found' }]);
    expect((await said({ note: 'x' }, null))[0]).toBe(401);
    expect(await post('/commits/gone/comments', { note: 'x' })).toMatchObject({
      status: 404,
      body: { message: '404 Commit Not Found' },
    });
  });
});

describe('threads on a commit', () => {
  const at = `/commits/${made.second}/discussions`;
  const send = async (method: string, path: string, json?: object, own: string | null = token) =>
    await rest(method, `${made.path}/repository${path}`, { ...(own && { token: own }), ...(json && { json }) });
  const said = async (...asked: Parameters<typeof send>) => {
    const { status, body } = await send(...asked);
    return [status, body];
  };
  const refused = (text: string) => [400, { message: `400 Bad request - ${text}` }];

  test('are started, replied to, changed and deleted; a single comment takes no replies', async () => {
    const started = await post(at, { body: 'Does it leak?' });
    expect([started.status, started.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^[0-9a-f]{40}$/),
        individual_note: false,
        notes: [
          {
            id: expect.any(Number),
            type: 'DiscussionNote',
            body: 'Does it leak?',
            attachment: null,
            author: expect.objectContaining({ username: 'maintainer' }),
            created_at: expect.stringMatching(/Z$/),
            updated_at: expect.stringMatching(/Z$/),
            system: false,
            noteable_id: null,
            noteable_type: 'Commit',
            project_id: made.id,
            resolvable: false,
            confidential: false,
            internal: false,
            imported: false,
            imported_from: 'none',
            noteable_iid: null,
            commands_changes: {},
          },
        ],
      },
    ]);
    const thread = `${at}/${started.body.id}`;
    const [first] = started.body.notes;
    const reply = await post(`${thread}/notes`, { body: 'It does.' });
    expect([reply.status, reply.body]).toMatchObject([201, { type: 'DiscussionNote', body: 'It does.' }]);
    expect((await get(thread)).body).toEqual({ ...started.body, notes: [first, reply.body] });
    expect((await get(`${thread}/notes`)).body).toEqual([first, reply.body]);
    const note = `${thread}/notes/${reply.body.id}`;
    expect(await said('GET', note)).toEqual([200, reply.body]);
    const changed = await send('PUT', note, { body: 'It doesn’t.' });
    expect([changed.status, changed.body]).toEqual([
      200,
      { ...reply.body, body: 'It doesn’t.', updated_at: changed.body.updated_at },
    ]);

    // Comments made elsewhere are threads, too.
    await post(`/commits/${made.second}/comments`, { note: 'Alone' });
    const listed = await get(`${at}?per_page=100`);
    const alone = listed.body.find(({ notes }: any) => notes[0].body === 'Alone');
    expect(alone).toMatchObject({ individual_note: true, notes: [{ type: null }] });
    expect(await said('POST', `${at}/${alone.id}/notes`, { body: 'x' })).toEqual(
      refused('Discussion can not be replied to.'),
    );
    const comments = (await get(`/commits/${made.second}/comments?per_page=100`)).body;
    expect(comments.map((one: any) => one.note)).toEqual(expect.arrayContaining(['It doesn’t.', 'Alone']));

    // The first one goes, its replies stay.
    expect((await send('DELETE', `${thread}/notes/${first.id}`)).status).toBe(204);
    expect(await said('DELETE', `${thread}/notes/${first.id}`)).toEqual([404, { message: '404 Not found' }]);
    expect((await get(thread)).body.notes).toEqual([changed.body]);
    expect((await send('DELETE', note)).status).toBe(204);
    expect(await said('GET', thread)).toEqual([404, { message: '404 Discussion Not Found' }]);
  });

  test('stand where they are put in the diff; a reply stands where its thread does', async () => {
    const position = {
      base_sha: made.first,
      start_sha: made.first,
      head_sha: made.second,
      position_type: 'text',
      old_path: 'a.txt',
      new_path: 'a.txt',
    };
    const on = async (more: object) => await post(at, { body: 'Here', position: { ...position, ...more } });
    const stored = (more: object) => ({ ...position, old_line: null, new_line: null, line_range: null, ...more });
    const added = (await on({ new_line: 2 })).body;
    expect(added.notes).toMatchObject([{ type: 'DiffNote', position: stored({ new_line: 2 }) }]);
    const reply = (await post(`${at}/${added.id}/notes`, { body: 'There' })).body;
    expect(reply).toMatchObject({ type: 'DiffNote', position: stored({ new_line: 2 }) });
    const places = [{ old_line: 2 }, { old_line: 1, new_line: 1 }, { position_type: 'file' }];
    for (const place of places) expect((await on(place)).body.notes[0].position).toEqual(stored(place));
    const shown = (await get(`/commits/${made.second}/comments?per_page=100`)).body.slice(-5);
    expect(shown.map(({ path, line, line_type: side }: any) => [path, line, side])).toEqual([
      ['a.txt', 2, 'new'],
      ['a.txt', 2, 'new'],
      ['a.txt', 2, 'old'],
      ['a.txt', 1, null],
      ['a.txt', null, null],
    ]);
    // A comment with a path and a line starts one.
    await post(`/commits/${made.second}/comments`, { note: 'So', path: 'a.txt', line: 2, line_type: 'old' });
    const last = (await get(`${at}?per_page=100`)).body.at(-1);
    expect(last).toMatchObject({ individual_note: false, notes: [{ position: stored({ old_line: 2 }) }] });
    expect((await post(`${at}/${last.id}/notes`, { body: 'x' })).status).toBe(201);

    const noLine = refused(`Note {:line_code=>["can't be blank", "must be a valid line code"]}`);
    const answered = async (more: object) => {
      const { status, body } = await on(more);
      return [status, body];
    };
    expect(await answered({ new_line: 9 })).toEqual(noLine);
    expect(await answered({ new_line: 2, head_sha: made.third })).toEqual(noLine);
    expect((await answered({}))[0]).toBe(400);
    expect((await answered({ position_type: 'image' }))[0]).toBe(400);

    // Nothing came before the first commit.
    const nothing = '0'.repeat(40);
    const root = { ...position, base_sha: nothing, start_sha: nothing, head_sha: made.first, new_line: 1 };
    expect((await post(`/commits/${made.first}/discussions`, { body: 'x', position: root })).status).toBe(201);
  });

  test('are changed by their authors and maintainers, and hidden from those who don’t read the code', async () => {
    const { id: user_id } = (await rest('GET', '/api/v4/user', { token: tokens.developer })).body;
    const added = await rest('POST', `${made.path}/members`, { token, json: { user_id, access_level: 30 } });
    expect(added.status, added.text).toBe(201);
    const { body: thread } = await send('POST', at, { body: 'Mine' }, tokens.developer);
    const notes = `${at}/${thread.id}/notes`;
    const note = `${notes}/${thread.notes[0].id}`;
    const reply = (await send('POST', notes, { body: 'Theirs' })).body;
    const forbidden = [403, { message: '403 Forbidden' }];
    for (const [method, json] of [['PUT', { body: 'x' }], ['DELETE']] as const) {
      expect(await said(method, `${notes}/${reply.id}`, json, tokens.developer)).toEqual(forbidden);
      expect(await said(method, note, json, tokens.guest)).toEqual([404, { message: '404 Project Not Found' }]);
      expect((await said(method, note, json, null))[0]).toBe(401);
    }
    expect((await send('PUT', note, { body: 'Changed' }, tokens.developer)).status).toBe(200);
    expect((await send('PUT', note, { body: 'Changed by another' })).status).toBe(200);
    expect(await said('GET', at, undefined, tokens.guest)).toEqual([404, { message: '404 Project Not Found' }]);

    expect(await said('PUT', note, {})).toEqual([
      400,
      { error: 'body, resolved are missing, exactly one parameter must be provided' },
    ]);
    expect(await said('PUT', note, { resolved: true })).toEqual(refused('Note is not resolvable'));
    expect(await said('PUT', note, { body: ' ' })).toEqual([400, { error: 'body is empty' }]);
    expect(await said('POST', at, {})).toEqual([400, { error: 'body is missing' }]);
    expect(await said('POST', at, { body: ' ' })).toEqual(refused(`Note {:note=>["can't be blank"]}`));
    const gone = `${at}/${'0'.repeat(40)}`;
    expect(await said('GET', `${gone}/notes`)).toEqual([404, { message: '404 Notes Not Found' }]);
    expect(await said('POST', `${gone}/notes`, { body: 'x' })).toEqual([404, { message: '404 Discussion Not Found' }]);
    expect(await said('GET', `${gone}/notes/${reply.id}`)).toEqual([404, { message: '404 Not found' }]);
    const elsewhere = `/commits/${made.third}/discussions/${thread.id}`;
    expect(await said('GET', elsewhere)).toEqual([404, { message: '404 Discussion Not Found' }]);
    expect((await send('DELETE', `${elsewhere}/notes/${reply.id}`)).status).toBe(404);
    expect(await said('GET', '/commits/gone/discussions')).toEqual([404, { message: '404 Commit Not Found' }]);
    expect((await send('DELETE', note)).status).toBe(204);
  });

  test('are read by those who signed in, and say when owners let them be written', async () => {
    const open = await newProject(gateway, { visibility: 'public' });
    const from = `${open.path}/repository/commits`;
    const json = { branch: 'main', commit_message: 'x', actions: [made.file('a.txt', 'a\n')] };
    const { id: sha } = (await rest('POST', from, { token, json })).body;
    const there = `${from}/${sha}/discussions`;
    const created_at = '2020-01-02T03:04:05.000Z';
    const written = async (own: string) => {
      const { body, text } = await rest('POST', there, { token: own, json: { body: 'Then', created_at } });
      expect(body.notes, text).toHaveLength(1);
      return body.notes[0].created_at as string;
    };
    expect(await written(tokens.root)).toBe(created_at);
    expect(await written(tokens.guest)).not.toBe(created_at);
    expect((await rest('GET', there)).status).toBe(401);
    expect((await rest('GET', there, { token: tokens.guest })).body).toHaveLength(2);
    const { status } = await rest('POST', `${open.path}/archive`, { token: tokens.root });
    expect(status).toBe(201);
    expect((await rest('POST', there, { token, json: { body: 'Late' } })).status).toBe(403);
  });

  test('carry out commands: alone, they leave no comment', async () => {
    const alone = await post(at, { body: '/tag threaded' });
    expect([alone.status, alone.body]).toMatchObject([202, { commands_changes: { tag_name: 'threaded' } }]);
    const { body } = await post(at, { body: 'Done' });
    const note = `${at}/${body.id}/notes/${body.notes[0].id}`;
    expect((await send('PUT', note, { body: '/tag threaded-again' })).status).toBe(202);
    expect((await send('GET', note)).status).toBe(404);
  });

  test('are those of one project, also where a fork has the same commit', async () => {
    const { body } = await post(at, { body: 'Here' });
    const fork = await rest('POST', `${made.path}/fork`, { token: tokens.root, json: { path: `fork-of-${made.id}` } });
    expect(fork.status, fork.text).toBe(201);
    const there = `/api/v4/projects/${fork.body.id}/repository${at}`;
    const listed = async () => await rest('GET', there, { token: tokens.root });
    await expect.poll(async () => (await listed()).status, { timeout: 20_000 }).toBe(200);
    expect((await listed()).body).toEqual([]);
    expect((await rest('GET', `${there}/${body.id}`, { token: tokens.root })).status).toBe(404);
  });
});

test('signatures say of what kind they are, and nothing is verified', async () => {
  const unsigned = await get(`/commits/${made.first}/signature`);
  expect([unsigned.status, unsigned.body]).toEqual([404, { message: '404 Signature Not Found' }]);
  const folder = gateway.gateway.application.git.repository(made.id).path;
  const signed = (kind: string) => {
    const raw = plainGit(folder, ['cat-file', 'commit', made.third]);
    const lines = `-----BEGIN ${kind}-----\n iQ==\n -----END ${kind}-----`;
    const id = plainGit(
      folder,
      ['hash-object', '-w', '-t', 'commit', '--stdin'],
      raw.replace(/\n\n/, `\ngpgsig ${lines}\n\n`),
    );
    return id;
  };
  const shown = async (kind: string) => (await get(`/commits/${signed(kind)}/signature`)).body;
  expect(await shown('PGP SIGNATURE')).toMatchObject({
    signature_type: 'PGP',
    verification_status: 'unknown_key',
    gpg_key_id: null,
  });
  expect(await shown('SSH SIGNATURE')).toMatchObject({ signature_type: 'SSH', key: null });
  expect(await shown('SIGNED MESSAGE')).toMatchObject({ signature_type: 'X509', verification_status: 'unverified' });
  await post('/tags', { tag_name: 'unsigned', ref: 'main', message: 'Not signed' });
  await post('/tags', { tag_name: 'signed', ref: 'main', message: 'S\n-----BEGIN SSH SIGNATURE-----\nU1NI' });
  expect((await get('/tags/unsigned/signature')).body).toEqual({ message: '404 Signature Not Found' });
  expect((await get('/tags/signed/signature')).body).toMatchObject({ signature_type: 'SSH' });
  expect((await get('/tags/gone/signature')).body).toEqual({ message: '404 Tag Not Found' });
});

describe('a fork', () => {
  test('is compared with what it comes from, and commits begin there; strangers are neither', async () => {
    const { status, body } = await rest('POST', `${made.path}/fork`, { token, json: { path: 'fork', name: 'fork' } });
    expect(status).toBe(201);
    const fork = (body as { id: number }).id;
    const at = `/api/v4/projects/${fork}/repository`;
    const ask = async (method: string, path: string, json?: object, own = token) => {
      const answer = await rest(method, `${at}${path}`, { token: own, ...(json && { json }) });
      return { status: answer.status, body: answer.body };
    };
    await expect.poll(async () => (await ask('GET', '/branches/topic')).status, { timeout: 20_000 }).toBe(200);
    const file = { action: 'create', file_path: 'of-the-fork.txt', content: 'x\n' };
    const inFork = await ask('POST', '/commits', { branch: 'main', commit_message: 'Fork', actions: [file] });
    expect(inFork.status).toBe(201);
    const later = await made.send('later', 'Later', [made.file('later.txt', 'y\n')], { start_branch: 'topic' });

    const compare = (query: string, own = token) => ask('GET', `/compare?${query}`, undefined, own);
    const compared = await compare(`from=main&to=main&from_project_id=${made.id}`);
    expect(compared.status).toBe(200);
    expect(compared.body.commits.map(({ title }: { title: string }) => title)).toEqual(['Fork']);
    expect(compared.body.diffs.map(({ new_path }: { new_path: string }) => new_path)).toEqual(['of-the-fork.txt']);
    // What only the other has isn’t in this repository afterwards.
    expect((await compare(`from=later&to=main&from_project_id=${made.id}`)).status).toBe(200);
    expect((await ask('GET', `/commits/${later}`)).status).toBe(404);
    expect(await compare(`from=gone&to=main&from_project_id=${made.id}`)).toMatchObject({ status: 404 });
    const stranger = await newProject(gateway);
    for (const other of [stranger.id, 999_999])
      expect(await compare(`from=main&to=main&from_project_id=${other}`)).toEqual({
        status: 400,
        body: { message: `Target project id:${other} is not a fork of project id:${fork}` },
      });

    const start = (more: object) =>
      ask('POST', '/commits', { commit_message: 'On', actions: [file], start_project: String(made.id), ...more });
    const begun = await start({ branch: 'begun', start_branch: 'later' });
    expect([begun.status, begun.body.parent_ids]).toEqual([201, [later]]);
    expect((await start({ branch: 'later' })).body.parent_ids).toEqual([later]);
    expect((await start({ branch: 'by-sha', start_sha: later })).body.parent_ids).toEqual([later]);
    expect((await start({ branch: 'main', start_branch: 'later' })).status).toBe(400);
    expect((await start({ branch: 'new', start_branch: 'gone' })).status).toBe(400);
    const { body: record } = await rest('GET', `/api/v4/projects/${fork}`, { token });
    expect(await start({ branch: 'new', start_project: String(stranger.id) })).toEqual({
      status: 403,
      body: {
        message: `403 Forbidden - Project is not included in the fork network for ${record.name_with_namespace}`,
      },
    });
    expect((await start({ branch: 'new', start_project: 'nowhere/here' })).status).toBe(404);
  });
});

describe('comparisons', () => {
  test('have commits, the oldest first, and diffs', async () => {
    const { body } = await get(`/compare?from=${made.first}&to=topic`);
    expect((body.commits as { id: string }[]).map(({ id }) => id)).toEqual([made.second, made.third, made.topic]);
    expect(body.commit.id).toBe(made.topic);
    expect((body.diffs as { new_path: string }[]).map((one) => one.new_path)).toEqual(['a.txt', 'd.txt', 'src/c.txt']);
    expect((await get(`/compare?from=topic&to=${made.first}`)).body).toMatchObject({ commits: [], diffs: [] });
    expect((await get('/compare?from=topic&to=topic')).body).toMatchObject({ compare_same_ref: true, commit: null });
    expect((await get('/compare?from=topic&to=nowhere')).body).toEqual({ message: '404 Ref Not Found' });
  });

  test('find the common ancestor and the contributors', async () => {
    expect((await get(`/merge_base?refs[]=topic&refs[]=${made.second}`)).body.id).toBe(made.second);
    expect((await get('/merge_base?refs=topic')).body).toEqual({ message: 'Provide at least 2 refs' });
    expect((await get('/merge_base?refs[]=topic&refs[]=gone')).body).toEqual({ message: 'Could not find ref: gone' });
    expect((await get(`/contributors?order_by=email&ref=${made.second}`)).body).toMatchObject([
      { name: 'Bob', email: 'bob@example.com', commits: 1, additions: 0, deletions: 0 },
      { commits: 1 },
    ]);
  });
});

describe('blame', () => {
  test('groups neighbouring lines by commit', async () => {
    const groups = (await get('/files/a.txt/blame?ref=main')).body as { commit: { id: string }; lines: string[] }[];
    expect(groups.map(({ commit, lines }) => [commit.id, lines])).toEqual([
      [made.first, ['one']],
      [made.second, ['2']],
      [made.first, ['three']],
    ]);
    expect((await get('/files/a.txt/blame?ref=main&range[start]=2&range[end]=2')).body).toHaveLength(1);
    expect((await get('/files/a.txt/blame?ref=main&range[start]=3&range[end]=2')).body).toEqual({
      error: 'range[start] must be less than or equal to range[end]',
    });
    expect((await get('/files/a.txt/blame?ref=main&range[start]=2')).body).toEqual({ error: 'range[end] is missing' });
    expect((await get('/files/a.txt/blame?ref=main&range[end]=2')).body).toEqual({ error: 'range[start] is missing' });
  });
});

test('a submodule names another commit', async () => {
  const { project, git, push } = await filledProject(gateway);
  const [one, two] = ['1'.repeat(40), '2'.repeat(40)];
  git('update-index', '--add', '--cacheinfo', `160000,${one},lib/engine`);
  git('commit', '--quiet', '-m', 'A submodule');
  expect((await push('main')).code).toBe(0);
  const update = (json: object, submodule = 'lib%2Fengine') =>
    rest('PUT', `${project.path}/repository/submodules/${submodule}`, { token, json });
  const { status, body, text } = await update({ branch: 'main', commit_sha: two });
  expect(status, text).toBe(200);
  expect(body).toMatchObject({ title: `Update submodule lib/engine with oid ${two}`, project_id: project.id });
  const { body: entries } = await rest('GET', `${project.path}/repository/tree?path=lib`, { token });
  expect(entries).toMatchObject([{ type: 'commit', mode: '160000', id: two, path: 'lib/engine' }]);
  const message = 'Take the engine back';
  expect((await update({ branch: 'main', commit_sha: one, commit_message: message })).body.message).toBe(message);
  for (const [json, submodule, said] of [
    [{ branch: 'main', commit_sha: one }, undefined, { message: `The submodule lib/engine is already at ${one}` }],
    [{ branch: 'main', commit_sha: two }, 'first', { message: 'Invalid submodule path' }],
    [{ branch: 'main', commit_sha: two }, 'lib', { message: 'Invalid submodule path' }],
    [{ branch: 'main', commit_sha: 'main' }, undefined, { message: 'Invalid parameters' }],
    [{ branch: 'main', commit_sha: '0'.repeat(40) }, undefined, { message: 'Invalid parameters' }],
    [{}, undefined, { error: 'branch is missing, commit_sha is missing' }],
  ] as const)
    expect((await update(json, submodule)).body).toEqual(said);
});

test('GraphQL shows the same in one question', async () => {
  const { data } = await graphql(
    `
      query ($path: ID!) {
        project(fullPath: $path) {
          repository {
            rootRef
            empty
            tree(ref: "topic") {
              trees {
                nodes {
                  path
                }
              }
              blobs {
                nodes {
                  path
                  mode
                }
              }
              lastCommit {
                sha
              }
            }
            paginatedTree(ref: "topic", first: 2) {
              nodes {
                trees {
                  nodes {
                    path
                  }
                }
                blobs {
                  nodes {
                    path
                  }
                }
              }
              pageInfo {
                hasNextPage
              }
            }
            blobs(paths: ["a.txt", "gone"], ref: "topic") {
              nodes {
                path
                rawTextBlob
                lastCommitId
              }
            }
            commits(ref: "topic", first: 1) {
              nodes {
                title
                authorName
                diffs {
                  newPath
                  additions
                }
                paginatedDiffs(first: 1) {
                  nodes {
                    newPath
                  }
                }
              }
              pageInfo {
                hasNextPage
                endCursor
              }
            }
          }
        }
      }
    `,
    { token, variables: { path: made.fullPath } },
  );
  expect(data).toMatchObject({
    project: {
      repository: {
        rootRef: 'main',
        empty: false,
        tree: {
          trees: { nodes: [{ path: 'src' }] },
          blobs: { nodes: [{ path: 'a.txt', mode: '100755' }, { path: 'd.txt' }] },
          lastCommit: { sha: made.topic },
        },
        paginatedTree: {
          nodes: [{ trees: { nodes: [{ path: 'src' }] }, blobs: { nodes: [{ path: 'a.txt' }] } }],
          pageInfo: { hasNextPage: true },
        },
        blobs: { nodes: [{ path: 'a.txt', rawTextBlob: 'one\n2\nthree\n', lastCommitId: made.third }] },
        commits: {
          nodes: [
            {
              title: 'On the topic',
              diffs: [{ newPath: 'd.txt', additions: 1 }],
              paginatedDiffs: { nodes: [{ newPath: 'd.txt' }] },
            },
          ],
          pageInfo: { hasNextPage: true },
        },
      },
    },
  });
});
