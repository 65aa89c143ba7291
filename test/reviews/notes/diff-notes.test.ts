import { beforeAll, describe, expect, test } from 'vitest';
import { outdateDiffNotes } from '../../../src/schema/reviews/diff-notes/outdate.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { at, makeShop, type Shop } from '../../support/places/shop.ts';
import { newMergeRequest, rowOf } from '../support/merge-requests.ts';

/** Comments in the diff of a merge request. */

let gateway: TestGateway;
let tokens: Shop['tokens'];
let api: Shop['api'];
let aProject: Shop['aProject'];
beforeAll(async () => {
  ({ gateway, tokens, api, aProject } = await makeShop());
});

const graphql = async (query: string, token: string) => (await gateway.graphql(query, { token })) as { data: any };

describe('a comment in the diff', () => {
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
