import { beforeAll, describe, expect, test } from 'vitest';
import type { TestGateway } from '../../support/gateway.ts';
import { at, makeShop, type Shop } from '../../support/places/shop.ts';

/** Emoji on issues, snippets and notes, over REST and GraphQL. */

let gateway: TestGateway;
let tokens: Shop['tokens'];
let api: Shop['api'];
let aProject: Shop['aProject'];
beforeAll(async () => {
  ({ gateway, tokens, api, aProject } = await makeShop());
});

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

/** A project with the issue 1. */
async function withIssue(visibility: 'PRIVATE' | 'PUBLIC' = 'PRIVATE', json: object = {}) {
  const project = await aProject(visibility);
  const { body } = await api('POST', at(project, '/issues'), tokens.reporter, { json: { title: 'Pump', ...json } });
  return { project, path: at(project, '/issues/1'), id: body.id as number, projectId: body.project_id as number };
}

const award = (path: string, name: string, token = tokens.guest) =>
  api('POST', `${path}/award_emoji`, token, { form: { name } });

interface Written {
  readonly projectId: number;
  readonly issueId?: number;
  readonly snippetId?: number;
  readonly more?: { readonly system?: boolean; readonly internal?: boolean };
}

/** Writes a note into the database. */
async function aNote({ projectId, issueId, snippetId, more = {} }: Written): Promise<number> {
  const [row] = await gateway.sql<{ id: number }>(
    `insert into notes (issue_id, snippet_id, project_id, discussion_id, author_id, body, system, internal)
     select $1, $2, $3, 'x', id, 'A remark.', $4, $5 from users where username = 'the-reporter' returning id`,
    [issueId ?? null, snippetId ?? null, projectId, more.system ?? false, more.internal ?? false],
  );
  return row!.id;
}

async function aSnippet(projectId: number, visibility: string): Promise<number> {
  const [row] = await gateway.sql<{ id: number }>(
    `insert into snippets (project_id, author_id, title, visibility)
     select $1, id, 'Pipes', $2::"Visibility" from users where username = 'the-reporter' returning id`,
    [projectId, visibility],
  );
  return row!.id;
}

describe('an award of an issue', () => {
  test('is given, read, listed and taken back', async () => {
    const { path, id } = await withIssue();
    const { status, body } = await award(path, 'rocket');
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'rocket',
      user: expect.objectContaining({ username: 'the-guest' }),
      created_at: moment,
      updated_at: moment,
      awardable_id: id,
      awardable_type: 'Issue',
      url: null,
    });
    expect((await api('GET', `${path}/award_emoji/${body.id}`, tokens.guest)).body).toEqual(body);
    const list = await api('GET', `${path}/award_emoji`, tokens.guest);
    expect(list.body).toEqual([body]);
    expect(list.headers.get('x-total')).toBe('1');
    expect((await api('DELETE', `${path}/award_emoji/${body.id}`, tokens.guest)).status).toBe(204);
    expect((await api('GET', `${path}/award_emoji/${body.id}`, tokens.guest)).body).toMatchObject({
      message: '404 Not found',
    });
  });

  test('votes are counted without a change of the time, and filters find what was given', async () => {
    const { project, path } = await withIssue();
    const before = (await api('GET', path, tokens.guest)).body;
    const { body: up } = await award(path, '+1');
    expect(up.name).toBe('thumbsup');
    await award(path, 'thumbsup', tokens.developer);
    await award(path, '-1', tokens.developer);
    const after = (await api('GET', path, tokens.guest)).body;
    expect([after.upvotes, after.downvotes]).toEqual([2, 1]);
    expect(after.updated_at).toBe(before.updated_at);
    const mine = (emoji: string, token: string) =>
      api('GET', at(project, '/issues'), token, { query: { my_reaction_emoji: emoji } });
    expect((await mine('thumbsup', tokens.guest)).body).toHaveLength(1);
    expect((await mine('+1', tokens.guest)).body).toHaveLength(1);
    expect((await mine('thumbsdown', tokens.guest)).body).toHaveLength(0);
    const without = await api('GET', at(project, '/issues'), tokens.guest, {
      query: { 'not[my_reaction_emoji]': '+1' },
    });
    expect(without.body).toHaveLength(0);
    await api('DELETE', `${path}/award_emoji/${up.id}`, tokens.guest);
    expect((await api('GET', path, tokens.guest)).body).toMatchObject({ upvotes: 1, downvotes: 1 });
    expect((await mine('Any', tokens.guest)).body).toHaveLength(0);
    // Whoever gives one takes part.
    const people = (await api('GET', `${path}/participants`, tokens.guest)).body as { username: string }[];
    expect(people.map(({ username }) => username)).toContain('the-developer');
  });

  test.each([
    ['rocket', 404, { message: '404 Award Emoji Name has already been taken Not Found' }],
    [':rocket:', 404, { message: '404 Award Emoji Name is not a valid emoji name Not Found' }],
    ['no-such', 404, { message: '404 Award Emoji Name is not a valid emoji name Not Found' }],
    ['', 404, { message: '404 Award Emoji Name is not a valid emoji name Not Found' }],
  ])('named "%s" a second time is refused', async (name, status, body) => {
    const { path } = await withIssue();
    await award(path, 'rocket');
    expect(await award(path, name)).toMatchObject({ status, body });
    expect((await api('GET', `${path}/award_emoji`, tokens.guest)).body).toHaveLength(1);
  });

  test('needs a name, a person, and an issue that they read', async () => {
    const { path } = await withIssue('PUBLIC');
    expect(await api('POST', `${path}/award_emoji`, tokens.guest)).toMatchObject({
      status: 400,
      body: { error: 'name is missing' },
    });
    expect((await api('POST', `${path}/award_emoji`, undefined, { form: { name: 'rocket' } })).status).toBe(401);
    expect((await api('GET', `${path}/award_emoji`, undefined)).status).toBe(200);
    const secret = await withIssue('PRIVATE', { confidential: true });
    const hidden = { status: 404, body: { message: '404 Award Emoji Not Found' } };
    expect(await award(secret.path, 'rocket')).toMatchObject(hidden);
    expect(await api('GET', `${secret.path}/award_emoji`, tokens.guest)).toMatchObject(hidden);
    expect(await award(at(secret.project, '/issues/9'), 'rocket')).toMatchObject(hidden);
    expect((await award(secret.path, 'rocket', tokens.stranger)).body).toMatchObject({
      message: '404 Project Not Found',
    });
  });

  test('of somebody else is taken back by administrators only', async () => {
    const { path } = await withIssue();
    const { body } = await award(path, 'rocket');
    const one = `${path}/award_emoji/${body.id}`;
    expect(await api('DELETE', one, tokens.owner)).toMatchObject({
      status: 401,
      body: { message: '401 Unauthorized' },
    });
    expect((await api('DELETE', one, tokens.root)).status).toBe(204);
    expect(await api('DELETE', one, tokens.guest)).toMatchObject({ status: 404, body: { message: '404 Not found' } });
  });

  test('isn’t taken back if it is newer than the client says', async () => {
    const { path } = await withIssue();
    const { body } = await award(path, 'rocket');
    const headers = { 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' };
    expect((await api('DELETE', `${path}/award_emoji/${body.id}`, tokens.guest, { headers })).status).toBe(412);
  });

  test('is for members where the discussion is locked, and for nobody in an archived project', async () => {
    const { project, path } = await withIssue('PUBLIC');
    await api('PUT', path, tokens.reporter, { json: { discussion_locked: true } });
    expect(await award(path, 'rocket', tokens.stranger)).toMatchObject({
      status: 404,
      body: { message: '404 Award Emoji Not Found' },
    });
    const { status, body } = await award(path, 'rocket');
    expect(status).toBe(201);
    await api('POST', at(project, '/archive'), tokens.owner);
    expect((await award(path, 'tada')).status).toBe(403);
    expect((await api('DELETE', `${path}/award_emoji/${body.id}`, tokens.guest)).status).toBe(403);
  });

  test('given ten times at once is given once, and counted once', async () => {
    const { path } = await withIssue();
    const answers = await Promise.all(Array.from({ length: 10 }, () => award(path, 'thumbsup')));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 9 }, () => 404)]);
    expect((await api('GET', path, tokens.guest)).body.upvotes).toBe(1);
    const all = await Promise.all(
      [tokens.guest, tokens.reporter, tokens.developer, tokens.owner].map((token) => award(path, 'thumbsdown', token)),
    );
    expect(all.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect((await api('GET', path, tokens.guest)).body.downvotes).toBe(4);
  });
});

describe('an award of a note', () => {
  test('doesn’t count as a vote for the issue', async () => {
    const { path, id, projectId } = await withIssue();
    const note = await aNote({ projectId, issueId: id });
    const { status, body } = await award(`${path}/notes/${note}`, 'thumbsup');
    expect(status).toBe(201);
    expect(body).toMatchObject({ awardable_id: note, awardable_type: 'Note' });
    expect((await api('GET', path, tokens.guest)).body.upvotes).toBe(0);
    expect((await api('GET', `${path}/award_emoji`, tokens.guest)).body).toEqual([]);
    expect((await api('GET', `${path}/notes/${note}/award_emoji`, tokens.guest)).body).toEqual([body]);
    expect((await api('GET', `${path}/award_emoji/${body.id}`, tokens.guest)).status).toBe(404);
    expect((await api('DELETE', `${path}/notes/${note}/award_emoji/${body.id}`, tokens.guest)).status).toBe(204);
  });

  test('is refused on a note of the system, on an internal one, and on one of elsewhere', async () => {
    const { project, path, id, projectId } = await withIssue();
    const system = await aNote({ projectId, issueId: id, more: { system: true } });
    const internal = await aNote({ projectId, issueId: id, more: { internal: true } });
    const refused = { status: 404, body: { message: '404 Award Emoji Not Found' } };
    expect(await award(`${path}/notes/${system}`, 'rocket')).toMatchObject(refused);
    expect(await award(`${path}/notes/${internal}`, 'rocket')).toMatchObject(refused);
    expect((await award(`${path}/notes/${internal}`, 'rocket', tokens.reporter)).status).toBe(201);
    await api('POST', at(project, '/issues'), tokens.reporter, { json: { title: 'Other' } });
    expect(await award(at(project, `/issues/2/notes/${system}`), 'rocket')).toMatchObject(refused);
  });
});

describe('an award of a snippet', () => {
  test('is given by those who read the snippet', async () => {
    const { project, projectId } = await withIssue('PUBLIC');
    const [open, closed] = [await aSnippet(projectId, 'PUBLIC'), await aSnippet(projectId, 'PRIVATE')];
    const path = (id: number) => at(project, `/snippets/${id}`);
    expect((await award(path(open), 'rocket', tokens.stranger)).body).toMatchObject({
      awardable_id: open,
      awardable_type: 'Snippet',
    });
    expect((await award(path(closed), 'rocket', tokens.stranger)).status).toBe(404);
    expect((await award(path(closed), 'rocket')).status).toBe(201);
    const note = await aNote({ projectId, snippetId: open });
    expect((await award(`${path(open)}/notes/${note}`, 'rocket', tokens.stranger)).status).toBe(201);
    expect((await api('GET', `${path(open)}/notes/${note}/award_emoji`, undefined)).body).toHaveLength(1);
    await api('PUT', at(project), tokens.owner, { json: { snippets_access_level: 'private' } });
    expect((await award(path(open), 'tada', tokens.stranger)).status).toBe(404);
    expect((await award(path(open), 'tada')).status).toBe(201);
  });
});

describe('over GraphQL', () => {
  const payload = 'awardEmoji { name emoji unicode unicodeVersion description user { username } } errors';
  const send = (field: string, id: string, name: string, more = '') =>
    gateway.graphql(
      `mutation ($id: AwardableID!, $name: String!) { result: ${field}(input: { awardableId: $id, name: $name }) { ${payload} ${more} } }`,
      { token: tokens.guest, variables: { id, name } },
    );
  const sent = async (...given: Parameters<typeof send>) => (await send(...given)).data!.result;

  test('awards are added, removed and toggled', async () => {
    const { project, id } = await withIssue();
    const gid = `gid://gitlab/Issue/${id}`;
    expect(await sent('awardEmojiAdd', gid, '+1')).toEqual({
      awardEmoji: {
        name: 'thumbsup',
        emoji: '👍',
        unicode: '👍',
        unicodeVersion: '6.0',
        description: 'thumbsup',
        user: { username: 'the-guest' },
      },
      errors: [],
    });
    expect(await sent('awardEmojiAdd', gid, 'thumbsup')).toEqual({
      awardEmoji: null,
      errors: ['Name has already been taken'],
    });
    expect(await sent('awardEmojiToggle', gid, 'thumbsup', 'toggledOn')).toMatchObject({ toggledOn: false });
    expect(await sent('awardEmojiToggle', gid, 'thumbsup', 'toggledOn')).toMatchObject({ toggledOn: true });
    const query = `{ project(fullPath: "${project}") { issue(iid: "1") { upvotes awardEmoji { nodes { name } } } } }`;
    const { data: read } = await gateway.graphql(query, { token: tokens.guest });
    expect(read).toEqual({ project: { issue: { upvotes: 1, awardEmoji: { nodes: [{ name: 'thumbsup' }] } } } });
    expect(await sent('awardEmojiRemove', gid, 'thumbsup')).toMatchObject({ errors: [] });
    expect(await sent('awardEmojiRemove', gid, 'thumbsup')).toMatchObject({
      errors: ['You have not awarded emoji of type thumbsup on the awardable'],
    });
  });

  test('a note shows its own, and so does each note of a page', async () => {
    const { project, projectId, id } = await withIssue();
    const [one, other] = [await aNote({ projectId, issueId: id }), await aNote({ projectId, issueId: id })];
    expect(await sent('awardEmojiAdd', `gid://gitlab/Note/${one}`, '+1')).toMatchObject({ errors: [] });
    const query = `{ project(fullPath: "${project}") { issue(iid: "1") { awardEmoji { count } notes { nodes { id awardEmoji { nodes { name user { username } } } } } } } }`;
    const { data, errors } = await gateway.graphql(query, { token: tokens.guest });
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      project: {
        issue: {
          awardEmoji: { count: 0 },
          notes: {
            nodes: [
              {
                id: `gid://gitlab/Note/${one}`,
                awardEmoji: { nodes: [{ name: 'thumbsup', user: { username: 'the-guest' } }] },
              },
              { id: `gid://gitlab/Note/${other}`, awardEmoji: { nodes: [] } },
            ],
          },
        },
      },
    });
  });

  test('what is hidden is refused with GitLab’s text, and a number is no id', async () => {
    const { id } = await withIssue('PRIVATE', { confidential: true });
    const { errors } = await send('awardEmojiAdd', `gid://gitlab/Issue/${id}`, 'rocket');
    expect(errors![0]!.message).toContain('does not exist or you don');
    expect((await send('awardEmojiAdd', String(id), 'rocket')).errors![0]!.message).toContain(
      'is not a valid GitLab ID',
    );
  });

  test('a personal snippet is awarded by those who read it', async () => {
    const [row] = await gateway.sql<{ id: number }>(
      `insert into snippets (author_id, title, visibility) select id, 'Own', 'PRIVATE' from users where username = 'the-reporter' returning id`,
    );
    const gid = `gid://gitlab/PersonalSnippet/${row!.id}`;
    expect((await send('awardEmojiAdd', gid, 'rocket')).errors).toHaveLength(1);
    await gateway.sql(`update snippets set visibility = 'PUBLIC' where id = $1`, [row!.id]);
    expect(await sent('awardEmojiAdd', gid, 'rocket')).toMatchObject({ errors: [] });
  });
});
