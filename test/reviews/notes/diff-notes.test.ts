import { beforeAll, describe, expect, test } from 'vitest';
import { outdateDiffNotes } from '../../../src/schema/reviews/diff-notes/outdate.ts';
import { whileHeld } from '../../support/databases/held.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { at, makeShop, type Shop } from '../../support/places/shop.ts';
import { newMergeRequest, rowOf } from '../support/merge-requests.ts';

/** Comments in the diff of a merge request, and those of a review that isn't published yet. */

let gateway: TestGateway;
let tokens: Shop['tokens'];
let api: Shop['api'];
let aProject: Shop['aProject'];
beforeAll(async () => {
  ({ gateway, tokens, api, aProject } = await makeShop());
});

const graphql = async (query: string, token: string) => (await gateway.graphql(query, { token })) as { data: any };

/** A merge request that changes one line, adds one, removes one, and renames a file. */
async function changed() {
  const project = await aProject();
  const commit = async (branch: string, actions: object[], more: object = {}) => {
    const json = { branch, commit_message: 'Change', actions, ...more };
    const { status, body, text } = await api('POST', at(project, '/repository/commits'), tokens.owner, { json });
    expect(status, text).toBe(201);
    return body.id as string;
  };
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
  const content = (all: readonly string[]) => `${all.join('\n')}\n`;
  const base = await commit('main', [{ action: 'create', file_path: 'a.txt', content: content(lines) }]);
  const now = ['line 0', ...lines.map((text) => (text === 'line 10' ? 'line ten' : text))];
  const head = await commit(
    'topic',
    [
      { action: 'update', file_path: 'a.txt', content: content(now) },
      { action: 'create', file_path: 'new.txt', content: 'new\n' },
    ],
    { start_branch: 'main' },
  );
  const made = await newMergeRequest(gateway, project, { source: 'topic', head, base });
  const refs = { base_sha: base, start_sha: base, head_sha: head, position_type: 'text' };
  const start = (position: object, token = tokens.reporter) =>
    api('POST', `${made.path}/discussions`, token, { json: { body: 'Why?', position } });
  return { project, commit, content, lines: now, ...made, base, head, refs, start };
}

describe('a comment in the diff', () => {
  const codeOf = async (id: number) =>
    (await gateway.sql<{ line_code: string }>('select line_code from notes where id = $1', [id]))[0]!.line_code;

  test('stands on an added, a removed and an unchanged line', async () => {
    const { start, refs, path, id } = await changed();
    const added = await start({ ...refs, new_path: 'a.txt', new_line: 1 });
    expect(added.status, added.text).toBe(201);
    const [note] = added.body.notes;
    expect(note).toMatchObject({
      type: 'DiffNote',
      commit_id: null,
      resolvable: true,
      resolved: false,
      position: { ...refs, old_path: 'a.txt', new_path: 'a.txt', old_line: null, new_line: 1, line_range: null },
    });
    expect(await codeOf(note.id)).toMatch(/^[0-9a-f]{40}_1_1$/);
    const removed = await start({ ...refs, old_path: 'a.txt', old_line: 10 });
    expect(await codeOf(removed.body.notes[0].id)).toMatch(/_10_11$/);
    const unchanged = await start({ ...refs, new_path: 'a.txt', old_line: 9, new_line: 10 });
    expect(await codeOf(unchanged.body.notes[0].id)).toMatch(/_9_10$/);
    // A line that a page shows when it unfolds the file.
    expect((await start({ ...refs, new_path: 'a.txt', old_line: 25, new_line: 26 })).status).toBe(201);
    const range = {
      start: { line_code: 'x', type: 'new', new_line: 1 },
      end: { line_code: 'y', type: 'new', new_line: 2 },
    };
    const several = await start({ ...refs, new_path: 'a.txt', old_line: 1, new_line: 2, line_range: range });
    expect(several.body.notes[0].position.line_range).toMatchObject(range);
    const file = await start({ ...refs, position_type: 'file', new_path: 'new.txt' });
    expect(file.body.notes[0].position).toMatchObject({ position_type: 'file', old_line: null, new_line: null });
    const reply = await api('POST', `${path}/discussions/${added.body.id}/notes`, tokens.developer, {
      json: { body: 'So' },
    });
    expect(reply.body).toMatchObject({ type: 'DiffNote', position: note.position });
    expect(await rowOf(gateway, id)).toMatchObject({ unresolved: 6 });
    const shown = `{ note(id: "gid://gitlab/DiffNote/${note.id}") { id outdated position { filePath newLine oldLine positionType diffRefs { headSha } } } }`;
    expect((await graphql(shown, tokens.developer)).data.note).toEqual({
      id: `gid://gitlab/DiffNote/${note.id}`,
      outdated: false,
      position: {
        filePath: 'a.txt',
        newLine: 1,
        oldLine: null,
        positionType: 'text',
        diffRefs: { headSha: refs.head_sha },
      },
    });
  });

  test('is refused with GitLab’s texts where there is no such line', async () => {
    const { start, refs, path, id, project } = await changed();
    const noLine = `400 Bad request - Note {:line_code=>["can't be blank", "must be a valid line code"]}`;
    for (const position of [
      { ...refs, new_path: 'a.txt', new_line: 40 },
      { ...refs, new_path: 'a.txt', new_line: 10 },
      { ...refs, new_path: 'a.txt', old_line: 25, new_line: 25 },
      { ...refs, new_path: 'a.txt', old_line: 31, new_line: 32 },
      { ...refs, new_path: 'none.txt', new_line: 1 },
      { ...refs, head_sha: '0'.repeat(40), new_path: 'a.txt', new_line: 1 },
      { ...refs, head_sha: 'topic', new_path: 'a.txt', new_line: 1 },
    ])
      expect((await start(position)).body, JSON.stringify(position)).toEqual({ message: noLine });
    expect((await start({ ...refs, new_path: 'a.txt' })).body).toEqual({
      message: `400 Bad request - Note {:line_code=>["can't be blank", "must be a valid line code"], :position=>["is incomplete"]}`,
    });
    expect((await start({ position_type: 'text' })).body).toEqual({
      error: 'position[base_sha] is missing, position[start_sha] is missing, position[head_sha] is missing',
    });
    expect((await start({ ...refs, position_type: 'word' })).body).toEqual({
      error: 'position[position_type] does not have a valid value',
    });
    expect((await start({ ...refs, line_range: { start: { new_line: 'x' } } })).body).toEqual({
      error: 'position[line_range][start][new_line] is invalid',
    });
    expect((await start({ ...refs, position_type: 'image', new_path: 'a.txt' })).status).toBe(400);
    expect((await start('word' as never)).body).toEqual({ error: 'position is invalid' });
    expect((await api('GET', `${path}/notes`, tokens.reporter)).body).toEqual([]);
    expect(await rowOf(gateway, id)).toMatchObject({ unresolved: 0, notes_count: 0 });
    await api('POST', at(project, '/issues'), tokens.reporter, { json: { title: 'Leaks' } });
    const [issue] = await gateway.sql<{ id: number }>('select max(id) as id from issues');
    const input = `{ noteableId: "gid://gitlab/Issue/${issue!.id}", body: "x", position: { startSha: "${refs.start_sha}", headSha: "${refs.head_sha}", paths: { newPath: "a.txt" }, newLine: 1 } }`;
    const onIssue = await graphql(
      `mutation { createDiffNote(input: ${input}) { note { id } errors } }`,
      tokens.reporter,
    );
    expect(onIssue.data.createDiffNote).toEqual({ note: null, errors: ['Only merge requests have a diff.'] });
  });

  test('of a bot that names the head of the target stands in the current version', async () => {
    const { start, refs, commit, content, lines, id } = await changed();
    // Two lines more above, of which the merge request knows nothing.
    const ahead = ['x', 'y', ...lines.slice(1).map((text) => (text === 'line ten' ? 'line 10' : text))];
    const target = await commit('main', [{ action: 'update', file_path: 'a.txt', content: content(ahead) }]);
    const asked = { ...refs, base_sha: target, start_sha: target, new_path: 'a.txt' };
    const added = await start({ ...asked, new_line: 1 });
    expect(added.status, added.text).toBe(201);
    expect(added.body.notes[0].position).toMatchObject({ ...refs, old_line: null, new_line: 1 });
    // Unchanged, it has another number on the other side.
    const unchanged = await start({ ...asked, old_line: 11, new_line: 10 });
    expect(unchanged.body.notes[0].position).toMatchObject({ ...refs, old_line: 9, new_line: 10 });
    expect(await codeOf(unchanged.body.notes[0].id)).toMatch(/_9_10$/);
    expect(await rowOf(gateway, id)).toMatchObject({ unresolved: 2 });
  });

  test('follows its line through a push, or is outdated', async () => {
    const { start, refs, commit, content, lines, base, head, id, project } = await changed();
    const on = async (position: object) => (await start({ ...refs, new_path: 'a.txt', ...position })).body.notes[0].id;
    const notes = [
      await on({ new_line: 1 }),
      await on({ new_line: 11 }),
      await on({ old_line: 10 }),
      await on({ old_line: 9, new_line: 10 }),
      await on({ position_type: 'file', new_path: 'new.txt' }),
    ] as const;
    // A line more above, and the changed line changed again; another file is gone.
    const next = await commit('topic', [
      {
        action: 'update',
        file_path: 'a.txt',
        content: content(['above', ...lines].map((one) => one.replace('ten', '10!'))),
      },
      { action: 'delete', file_path: 'new.txt' },
    ]);
    const { database, git } = gateway.gateway.application;
    const [place] = await gateway.sql<{ project_id: number; author_id: number }>(
      `update merge_requests set head_sha = $2 where id = $1 returning project_id, author_id`,
      [id, next],
    );
    const from = { base, start: base, head };
    const push = (to: string, before = from) =>
      database.transaction((sql) =>
        outdateDiffNotes(
          sql,
          git.repository(place!.project_id),
          { mergeRequestId: id, from: before, to: { ...from, head: to } },
          { moves: undefined, actorId: place!.author_id },
        ),
      );
    await push(next);
    const placeOf = async (note: number) => {
      const query = `{ note(id: "gid://gitlab/Note/${note}") { outdated resolved position { oldLine newLine diffRefs { headSha } } originalPosition { newLine } } }`;
      const { outdated, resolved, position, originalPosition } = (await graphql(query, tokens.developer)).data.note;
      return [
        outdated,
        resolved,
        position.oldLine,
        position.newLine,
        position.diffRefs.headSha === next,
        originalPosition.newLine,
      ];
    };
    expect(await Promise.all(notes.map(placeOf))).toEqual([
      [false, false, null, 2, true, 1],
      [true, false, null, 11, false, 11],
      [false, false, 10, null, true, null],
      [false, false, 9, 11, true, 10],
      [true, false, null, null, false, null],
    ]);
    expect(await codeOf(notes[0])).toMatch(/_1_2$/);
    expect(await rowOf(gateway, id)).toMatchObject({ unresolved: 5 });
    // Written on the version before, a comment comes to its line in the current one.
    const late = (await start({ ...refs, new_path: 'a.txt', new_line: 1 })).body.notes[0];
    expect(late.position).toMatchObject({ new_line: 2, head_sha: next });
    // If the project says so, outdated threads are resolved.
    const json = { resolve_outdated_diff_discussions: true };
    expect((await api('PUT', at(project), tokens.owner, { json })).status).toBe(200);
    const last = await commit('topic', [{ action: 'delete', file_path: 'a.txt' }]);
    await push(last, { ...from, head: next });
    const resolved = await Promise.all(notes.map(async (note) => (await placeOf(note))[1]));
    expect(resolved).toEqual([true, false, false, true, false]);
    expect(await rowOf(gateway, id)).toMatchObject({ unresolved: 3 });
  });
});

describe('a draft note', () => {
  /** A merge request, and what its people do with drafts of theirs. */
  async function reviewed() {
    const made = await changed();
    const drafts = `${made.path}/draft_notes`;
    const draft = (json: object, token = tokens.reporter) => api('POST', drafts, token, { json });
    const list = async (token = tokens.reporter) => (await api('GET', drafts, token)).body;
    const publish = (id: number | undefined, token = tokens.reporter, json: object = {}) =>
      id === undefined
        ? api('POST', `${drafts}/bulk_publish`, token, { json })
        : api('PUT', `${drafts}/${id}/publish`, token, { json });
    const notes = async () => (await api('GET', `${made.path}/notes?sort=asc`, tokens.owner)).body;
    const events = async () =>
      (
        await gateway.sql<{ kind: string }>(
          `select kind from events where kind = 'note.created' and (ids ->> 'mergeRequestId')::int = $1 order by id`,
          [made.id],
        )
      ).map(({ kind }) => kind);
    return { ...made, drafts, draft, list, publish, notes, events };
  }

  test('is seen, changed and removed by its author alone', async () => {
    const { path, drafts, draft, list, publish, id, refs, notes } = await reviewed();
    const { status, body, text } = await draft({ note: 'Is it @the-developer’s?' });
    expect(status, text).toBe(201);
    const nowhere = { base_sha: null, new_path: null, position_type: 'text', new_line: null, line_range: null };
    expect(body).toEqual({
      id: expect.any(Number),
      author_id: expect.any(Number),
      merge_request_id: id,
      resolve_discussion: false,
      discussion_id: null,
      note: 'Is it @the-developer’s?',
      commit_id: null,
      line_code: null,
      position: expect.objectContaining(nowhere),
    });
    const one = `${drafts}/${body.id}`;
    expect(await list()).toEqual([body]);
    expect((await api('GET', one, tokens.reporter)).body).toEqual(body);
    // Text alone, and with the position that a client read.
    for (const json of [{ note: 'Two' }, { note: 'Two', position: body.position }, { note: 'Two', position: {} }])
      expect((await api('PUT', one, tokens.reporter, { json })).body).toEqual({ ...body, note: 'Two' });
    for (const token of [tokens.owner, tokens.root, tokens.developer]) {
      expect(await list(token)).toEqual([]);
      expect((await api('GET', one, token)).body).toMatchObject({ message: '404 Not found' });
      expect((await api('PUT', one, token, { json: { note: 'Mine' } })).status).toBe(404);
      expect((await api('DELETE', one, token)).status).toBe(404);
      expect((await publish(body.id, token)).status).toBe(404);
      expect((await publish(undefined, token)).status).toBe(204);
    }
    // Without a credential, also where the merge request is public.
    await gateway.sql(
      `update projects set visibility = 'PUBLIC' where id = (select project_id from merge_requests where id = $1)`,
      [id],
    );
    expect((await api('GET', path, undefined)).status).toBe(200);
    expect((await api('GET', drafts, undefined)).status).toBe(401);
    expect((await api('POST', drafts, undefined, { json: { note: 'One' } })).status).toBe(401);
    expect(await list(tokens.stranger)).toEqual([]);
    const query = `{ draftNote(id: "gid://gitlab/DraftNote/${body.id}") { body author { username } } }`;
    expect((await graphql(query, tokens.reporter)).data.draftNote).toEqual({
      body: 'Two',
      author: { username: 'the-reporter' },
    });
    expect((await graphql(query, tokens.root)).data.draftNote).toBeNull();
    const placed = { ...refs, new_path: 'a.txt', new_line: 1 };
    const moved = await api('PUT', one, tokens.reporter, { json: { position: placed } });
    expect(moved.body).toMatchObject({ note: 'Two', line_code: expect.stringMatching(/_1_1$/), position: placed });
    // Another merge request has none of it.
    expect((await api('GET', one.replace('merge_requests/1/', 'merge_requests/2/'), tokens.reporter)).status).toBe(404);
    expect((await api('DELETE', one, tokens.reporter)).status).toBe(204);
    expect((await api('DELETE', one, tokens.reporter)).status).toBe(404);
    expect(await list()).toEqual([]);
    expect(await notes()).toEqual([]);
  });

  test('is refused where a comment would be', async () => {
    const { path, drafts, draft, publish, id, refs, list } = await reviewed();
    const refused = async (json: object, status: number, message: unknown, token = tokens.reporter) => {
      const answer = await draft(json, token);
      expect([answer.status, answer.body], answer.text).toMatchObject([status, message]);
    };
    await refused({}, 400, { error: 'note is missing' });
    await refused({ note: ' ' }, 400, { message: { note: ["can't be blank"] } });
    await refused({ note: 'One' }, 404, { message: '404 Project Not Found' }, tokens.stranger);
    await refused({ note: 'One', commit_id: 'x' }, 400, { message: { commit_id: ['is invalid'] } });
    await refused({ note: 'One', in_reply_to_discussion_id: 'a'.repeat(40) }, 404, {
      message: '404 Discussion Not Found',
    });
    const noThread = { message: { base: ['User is not allowed to resolve thread'] } };
    await refused({ note: 'One', resolve_discussion: true }, 400, noThread);
    const { id: thread } = (await api('POST', `${path}/discussions`, tokens.developer, { json: { body: 'Why?' } }))
      .body;
    await refused({ note: 'One', in_reply_to_discussion_id: thread, resolve_discussion: true }, 400, noThread);
    await refused({ note: 'One', position: { ...refs, new_path: 'none.txt', new_line: 1 } }, 400, {
      message: { line_code: ["can't be blank", 'must be a valid line code'] },
    });
    const missing = await draft({ note: 'One', position: { new_line: 1 } });
    expect(missing.body.error).toMatch(/^position\[base_sha\] is missing/);
    const made = (await draft({ note: 'One' })).body.id;
    expect((await api('PUT', `${drafts}/${made}`, tokens.reporter, { json: {} })).status).toBe(400);
    const many = `insert into draft_notes (merge_request_id, author_id, body)
      select $1, author_id, 'One' from draft_notes, generate_series(1, $2) where id = $3`;
    await gateway.sql(many, [id, 98, made]);
    // Two at once: there is room for one.
    const last = await Promise.all([draft({ note: 'One' }), draft({ note: 'One' })]);
    expect(last.map(({ status }) => status).toSorted()).toEqual([201, 422]);
    expect(last.find(({ status }) => status === 422)!.text).toMatch(/at most 100 draft notes/);
    await gateway.sql('delete from draft_notes where merge_request_id = $1 and id <> $2', [id, made]);
    await gateway.sql(
      'update projects set archived = true where id = (select project_id from merge_requests where id = $1)',
      [id],
    );
    await refused({ note: 'One' }, 403, { message: '403 Forbidden' });
    expect((await publish(made)).status).toBe(403);
    expect((await publish(undefined)).status).toBe(403);
    expect(await list()).toHaveLength(1);
  });

  test('becomes a comment like one that is written at that moment', async () => {
    const { path, draft, publish, id, refs, notes, list, events } = await reviewed();
    const todos = () => gateway.sql(`select from todos where merge_request_id = $1 and state = 'PENDING'`, [id]);
    const plain = (await draft({ note: '@the-maintainer look\n/label ~none' })).body;
    expect([await notes(), await todos(), await events()]).toEqual([[], [], []]);
    expect((await publish(plain.id)).status).toBe(204);
    expect(await notes()).toMatchObject([
      { type: 'DiscussionNote', body: '@the-maintainer look', author: { username: 'the-reporter' }, resolvable: true },
    ]);
    expect([await todos(), await list()]).toEqual([[{}], []]);
    expect(await events()).toEqual(['note.created']);
    expect((await publish(plain.id)).status).toBe(404);
    const [{ id: thread }] = (await api('GET', `${path}/discussions`, tokens.owner)).body;
    const reply = { note: 'Done', in_reply_to_discussion_id: thread, resolve_discussion: true };
    const position = { ...refs, new_path: 'a.txt', new_line: 1 };
    const replied = (await draft(reply, tokens.developer)).body;
    expect(replied).toMatchObject({ discussion_id: thread, resolve_discussion: true });
    await draft({ note: 'And here', position }, tokens.developer);
    await draft({ note: '/title Pump slower' }, tokens.developer);
    expect(await rowOf(gateway, id)).toMatchObject({ notes_count: 1, unresolved: 1 });
    expect((await publish(undefined, tokens.developer, { note: 'Nearly there' })).status).toBe(204);
    const all = (await notes()).filter(({ system }: { system: boolean }) => !system);
    expect(all).toMatchObject([
      { resolved: true },
      { body: 'Done', resolved: true, resolved_by: { username: 'the-developer' } },
      { body: 'And here', type: 'DiffNote', position, resolved: false },
      { body: 'Nearly there', type: null },
    ]);
    expect(await rowOf(gateway, id)).toMatchObject({ notes_count: 4, unresolved: 1 });
    expect((await api('GET', path, tokens.owner)).body.title).toBe('Pump slower');
    expect(await events()).toHaveLength(4);
    expect(await list(tokens.developer)).toEqual([]);
    // A reply that doesn't resolve its thread opens it again.
    await draft({ note: 'Not yet', in_reply_to_discussion_id: thread }, tokens.developer);
    await publish(undefined, tokens.developer);
    const { notes: within } = (await api('GET', `${path}/discussions/${thread}`, tokens.owner)).body;
    expect(within.map(({ resolved }: { resolved: boolean }) => resolved)).toEqual([false, false, false]);
    expect(await rowOf(gateway, id)).toMatchObject({ unresolved: 2 });
  });

  test('is published with all others of its author, or none is', async () => {
    const { path, draft, publish, id, notes, list } = await reviewed();
    const { id: thread, notes: first } = (
      await api('POST', `${path}/discussions`, tokens.developer, { json: { body: 'Why?' } })
    ).body;
    await draft({ note: 'One' });
    const reply = (await draft({ note: 'Two', in_reply_to_discussion_id: thread })).body.id;
    await draft({ note: 'Of another' }, tokens.developer);
    expect((await api('DELETE', `${path}/notes/${first[0].id}`, tokens.developer)).status).toBe(204);
    const refused = await publish(undefined);
    expect(refused.status).toBe(400);
    expect(refused.body.message.base[0]).toMatch(`Draft note ${reply} can't be published`);
    expect([await notes(), (await list()).length]).toEqual([[], 2]);
    // A failure within the transaction.
    await gateway.sql('delete from draft_notes where id = $1', [reply]);
    await draft({ note: 'Three' });
    await gateway.sql(`create function refuse_three() returns trigger language plpgsql as
      $$ begin if new.body = 'Three' then raise exception 'no'; end if; return new; end $$`);
    await gateway.sql(
      'create trigger refuse_three before insert on notes for each row execute function refuse_three()',
    );
    expect((await publish(undefined)).status).toBe(500);
    expect([await notes(), (await list()).length]).toEqual([[], 2]);
    await gateway.sql('drop function refuse_three cascade');
    // Several at once store each of them once.
    const several = await Promise.all([publish(undefined), publish(undefined), publish(undefined)]);
    expect(several.map(({ status }) => status)).toEqual([204, 204, 204]);
    expect((await notes()).map(({ body }: { body: string }) => body)).toEqual(['One', 'Three']);
    expect(await rowOf(gateway, id)).toMatchObject({ notes_count: 2, unresolved: 2 });
    const single = (await draft({ note: 'Four' })).body.id;
    const both = await Promise.all([publish(single), publish(single), publish(undefined)]);
    expect(both.filter(({ status }) => status === 204).length).toBeGreaterThan(0);
    expect((await notes()).filter(({ body }: { body: string }) => body === 'Four')).toHaveLength(1);
    expect(await list(tokens.developer)).toHaveLength(1);
  });

  test('isn’t published as something that its author has changed by then', async () => {
    const { drafts, draft, publish, id, notes, list } = await reviewed();
    const first = (await draft({ note: 'One' })).body.id;
    const second = (await draft({ note: 'Two' })).body.id;
    const held = ['select from merge_requests where id = $1 for update', id] as const;
    const refused = await whileHeld(gateway, held, [() => publish(undefined), () => publish(second)], async () => {
      expect((await api('PUT', `${drafts}/${second}`, tokens.reporter, { json: { note: 'Three' } })).status).toBe(200);
    });
    const conflict = [409, 'A draft note was changed in the meantime.'];
    expect(refused.map(({ status, body }) => [status, body.message])).toEqual([conflict, conflict]);
    expect([await notes(), (await list()).length]).toEqual([[], 2]);
    // One that was removed isn't published, and the others are.
    const [all, one] = await whileHeld(gateway, held, [() => publish(undefined), () => publish(first)], async () => {
      expect((await api('DELETE', `${drafts}/${first}`, tokens.reporter)).status).toBe(204);
    });
    expect([all!.status, one!.status]).toEqual([204, 404]);
    expect((await notes()).map(({ body }: { body: string }) => body)).toEqual(['Three']);
    // The same draft twice at once becomes one comment.
    const last = (await draft({ note: 'Four' })).body.id;
    const twice = await whileHeld(gateway, held, [() => publish(last), () => publish(last)]);
    expect(twice.map(({ status }) => status).toSorted()).toEqual([204, 404]);
    expect(await notes()).toHaveLength(2);
  });

  test('is written, changed and published over GraphQL', async () => {
    const { project, draft, refs, list } = await reviewed();
    const ask = async (name: string, type: string, input: object, selected: string, token = tokens.reporter) => {
      const query = `mutation ($input: ${type}!) { done: ${name}(input: $input) { ${selected} errors } }`;
      const { data, errors } = await gateway.graphql<{ done: any }>(query, { variables: { input }, token });
      return data?.done ?? errors![0]!.extensions!.code;
    };
    const name = { projectPath: project, iid: '1' };
    const selected = 'draftNote { id body position { newPath newLine } }';
    const position = {
      baseSha: refs.base_sha,
      startSha: refs.start_sha,
      headSha: refs.head_sha,
      paths: { newPath: 'a.txt' },
      newLine: 1,
    };
    const { draftNote: made } = await ask(
      'draftNoteCreate',
      'DraftNoteCreateInput',
      { ...name, body: 'One', position },
      selected,
    );
    expect(made).toMatchObject({ body: 'One', position: { newPath: 'a.txt', newLine: 1 } });
    const change = { id: made.id, body: 'Two' };
    expect(await ask('draftNoteUpdate', 'DraftNoteUpdateInput', change, selected)).toEqual({
      draftNote: { ...made, body: 'Two' },
      errors: [],
    });
    expect(await ask('draftNoteUpdate', 'DraftNoteUpdateInput', { ...change, body: ' ' }, selected)).toEqual({
      draftNote: null,
      errors: [expect.stringContaining("can't be blank")],
    });
    const shown = 'notes { body author { username } position { newLine } }';
    const others = [tokens.owner, tokens.root];
    for (const token of others)
      expect(await ask('draftNotePublish', 'DraftNotePublishInput', { id: made.id }, shown, token)).toBe('NOT_FOUND');
    const author = { username: 'the-reporter' };
    expect(await ask('draftNotePublish', 'DraftNotePublishInput', { id: made.id }, shown)).toEqual({
      notes: [{ body: 'Two', author, position: { newLine: 1 } }],
      errors: [],
    });
    await draft({ note: 'Three' });
    await draft({ note: '/title Pump' }, tokens.developer);
    const all = { ...name, body: 'All in all', internal: true };
    expect(await ask('draftNotesPublish', 'DraftNotesPublishInput', all, 'notes { body internal }')).toEqual({
      notes: [
        { body: 'Three', internal: false },
        { body: 'All in all', internal: true },
      ],
      errors: [],
    });
    expect([await list(), (await list(tokens.developer)).length]).toEqual([[], 1]);
    // Of nothing but commands, there is no comment.
    const commands = await ask('draftNotesPublish', 'DraftNotesPublishInput', name, shown, tokens.developer);
    expect(commands).toEqual({ notes: [], errors: [] });
    const mine = '{ project(fullPath: "PATH") { mergeRequest(iid: "1") { title draftNotes { nodes { body } } } } }';
    await draft({ note: 'Four' });
    for (const [token, bodies] of [
      [tokens.reporter, [{ body: 'Four' }]],
      [tokens.owner, []],
    ] as const)
      expect((await graphql(mine.replace('PATH', project), token)).data.project.mergeRequest).toEqual({
        title: 'Pump',
        draftNotes: { nodes: bodies },
      });
  });

  test('is gone with its merge request', async () => {
    const { path, draft, id } = await reviewed();
    expect((await draft({ note: 'One' })).status).toBe(201);
    expect((await api('DELETE', path, tokens.owner)).status).toBe(204);
    expect(await gateway.sql('select from draft_notes where merge_request_id = $1', [id])).toEqual([]);
  });
});
