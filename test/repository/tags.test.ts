import { describe, expect, test } from 'vitest';
import { browserSession, signIn } from '../support/pages/browser-session.ts';
import { testGateway } from '../support/gateway.ts';
import { newUser } from '../support/places/people.ts';
import { newCode } from './support/code.ts';

const gateway = await testGateway();
const { rest, graphql, tokens } = gateway;
const token = tokens.maintainer;
const { developer } = tokens;

const post = (path: string, json: unknown, by = token) => rest('POST', `${path}/repository/tags`, { token: by, json });
const names = (body: readonly { name: string }[]) => body.map(({ name }) => name);

describe('a tag', () => {
  test('is lightweight, or annotated with a message', async () => {
    const { path, commit } = await newCode(gateway);
    const id = await commit({ 'a.txt': 'a' });
    const light = await post(path, { tag_name: 'v1.0', ref: 'main' }, developer);
    expect([light.status, light.body]).toEqual([
      201,
      {
        name: 'v1.0',
        message: null,
        target: id,
        commit: expect.objectContaining({ id, title: 'Change' }),
        release: null,
        protected: false,
        created_at: null,
      },
    ]);
    const annotated = await post(path, { tag_name: 'a/b.json', ref: id.slice(0, 8), message: '  Two\nlines \n' });
    expect(annotated.status).toBe(201);
    expect(annotated.body).toMatchObject({ name: 'a/b.json', message: 'Two\nlines', commit: { id } });
    expect(annotated.body.target).toMatch(/^[0-9a-f]{40}$/);
    expect(annotated.body.target).not.toBe(id);
    expect(annotated.body.created_at).toMatch(/^20\d\d-.*\.000\+00:00$/);
    const one = await rest('GET', `${path}/repository/tags/a%2Fb.json`, { token });
    expect([one.status, one.body]).toEqual([200, annotated.body]);
    for (const name of ['nothing', 'tag*'])
      expect(await rest('GET', `${path}/repository/tags/${name}`, { token })).toMatchObject({
        status: 404,
        body: { message: '404 Tag Not Found' },
      });
    const ofTag = await post(path, { tag_name: 'again', ref: 'a/b.json' });
    expect(ofTag.body.target).toBe(id);
  });

  test('is refused with the text of the first rule that it breaks', async () => {
    const { path, commit } = await newCode(gateway, { visibility: 'public' });
    expect((await post(path, { tag_name: 'x', ref: 'main' })).body).toEqual({ message: 'Target main is invalid' });
    const id = await commit({ 'a.txt': 'a' });
    await post(path, { tag_name: 'x', ref: 'main' });
    const refused = async (tag_name: string, ref = 'main', message = '') => {
      const { status, body } = await post(path, { tag_name, ref, message });
      expect(status, JSON.stringify(body)).toBe(400);
      return body.message as string;
    };
    expect(await post(path, {})).toMatchObject({
      status: 400,
      body: { error: 'tag_name is missing, ref is missing' },
    });
    expect(await refused('new design')).toBe('Tag name invalid');
    expect(await refused('')).toBe('Tag name invalid');
    expect(await refused('x')).toBe('Tag x already exists');
    expect(await refused('x/y')).toBe('Tag x/y conflicts with the name of an existing tag');
    expect(await refused('y', 'foo')).toBe('Target foo is invalid');
    expect(await refused('main')).toBe('You cannot use default branch name to create a tag');
    for (const message of ['', 'Said'])
      expect(await refused(id, 'main', message)).toBe('You cannot create a tag with a SHA-1 or SHA-256 tag name.');
    const stranger = (await newUser(gateway, 'tagger')).token;
    expect(await post(path, {}, stranger)).toMatchObject({ status: 403, body: { message: '403 Forbidden' } });
    await rest('POST', `${path}/archive`, { token });
    expect(await refused('z')).toBe('You are not allowed to push code to this project.');
  });

  test('is deleted by those who push, unless its commit is newer than the client knows', async () => {
    const { path, commit } = await newCode(gateway, { visibility: 'public' });
    await commit({ 'a.txt': 'a' });
    await post(path, { tag_name: 'a/b', ref: 'main', message: 'x' });
    const remove = (by: string, at?: number) =>
      rest('DELETE', `${path}/repository/tags/a%2Fb`, {
        token: by,
        ...(at !== undefined && { headers: { 'if-unmodified-since': new Date(at).toUTCString() } }),
      });
    expect((await remove((await newUser(gateway, 'remover')).token)).status).toBe(403);
    expect((await remove(developer, Date.now() - 60_000)).status).toBe(412);
    expect((await remove(developer)).status).toBe(204);
    expect(await remove(developer)).toMatchObject({ status: 404, body: { message: '404 Tag Not Found' } });
  });
});

describe('the list of tags', () => {
  test('is searched, sorted and paged', async () => {
    const { path, commit } = await newCode(gateway);
    const list = (query: Record<string, string> = {}) => rest('GET', `${path}/repository/tags`, { token, query });
    expect((await list()).body).toEqual([]);
    await commit({ 'a.txt': 'a' });
    for (const tag_name of ['v1.10.0', 'v1.9.0']) await post(path, { tag_name, ref: 'main' });
    // Dates of commits are whole seconds.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await commit({ 'b.txt': 'b' });
    for (const tag_name of ['v1.10.0-rc1', 'other']) await post(path, { tag_name, ref: 'main', message: 'x' });
    const found = async (query?: Record<string, string>) => names((await list(query)).body);
    expect(await found()).toEqual(['other', 'v1.10.0-rc1', 'v1.10.0', 'v1.9.0']);
    expect(await found({ sort: 'asc' })).toEqual(['v1.10.0', 'v1.9.0', 'other', 'v1.10.0-rc1']);
    expect(await found({ order_by: 'name', sort: 'asc' })).toEqual(['other', 'v1.10.0', 'v1.10.0-rc1', 'v1.9.0']);
    expect(await found({ order_by: 'version', sort: 'desc' })).toEqual(['v1.10.0', 'v1.10.0-rc1', 'v1.9.0', 'other']);
    expect(await found({ search: '^V1' })).toHaveLength(3);
    expect(await found({ search: '.0$' })).toEqual(['v1.10.0', 'v1.9.0']);
    expect((await list({ order_by: 'size' })).body).toEqual({ error: 'order_by does not have a valid value' });
    const page = await list({ per_page: '3', page: '2' });
    expect([names(page.body), page.headers.get('x-total')]).toEqual([['v1.9.0'], '4']);
    const keyset = await list({ pagination: 'keyset', per_page: '3' });
    const next = /<([^>]+)>; rel="next"/.exec(keyset.headers.get('link')!)![1]!;
    const last = await rest('GET', next, { token });
    expect([names(last.body), last.headers.get('link')]).toEqual([['v1.9.0'], null]);
    expect(await list({ pagination: 'keyset', page_token: 'x' })).toMatchObject({
      status: 422,
      body: { message: 'Invalid page token: refs/tags/x' },
    });
  });

  test('is forbidden where the repository is switched off', async () => {
    const { path } = await newCode(gateway, { visibility: 'public' });
    const levels = { repository: 'private', merge_requests: 'private', builds: 'private' };
    const json = Object.fromEntries(Object.entries(levels).map(([name, level]) => [`${name}_access_level`, level]));
    expect((await rest('PUT', path, { token, json })).status).toBe(200);
    expect(await rest('GET', `${path}/repository/tags`)).toMatchObject({ status: 403 });
  });
});

test('over GraphQL, tags are read, made and deleted', async () => {
  const { fullPath, commit } = await newCode(gateway);
  const id = await commit({ 'a.txt': 'a' });
  const create = `mutation ($input: TagCreateInput!) {
    tagCreate(input: $input) { tag { name message commit { sha } } errors }
  }`;
  const make = (name: string) =>
    graphql(create, { token, variables: { input: { projectPath: fullPath, name, ref: 'main', message: 'Said' } } });
  expect((await make('x')).data).toEqual({
    tagCreate: { tag: { name: 'x', message: 'Said', commit: { sha: id } }, errors: [] },
  });
  expect((await make('x')).data).toEqual({ tagCreate: { tag: null, errors: ['Tag x already exists'] } });
  const read = `query ($path: ID!) { project(fullPath: $path) { repository {
    tag(name: "x") { name protected } tags(sort: NAME_ASC) { count nodes { name message } }
  } } }`;
  const { data } = await graphql(read, { token, variables: { path: fullPath } });
  expect(data).toEqual({
    project: {
      repository: { tag: { name: 'x', protected: false }, tags: { count: 1, nodes: [{ name: 'x', message: 'Said' }] } },
    },
  });
  const remove = 'mutation ($input: TagDeleteInput!) { tagDelete(input: $input) { errors } }';
  const gone = await graphql(remove, { token, variables: { input: { projectPath: fullPath, name: 'x' } } });
  expect(gone.data).toEqual({ tagDelete: { errors: [] } });
});

test('pages make branches and tags, and keep what was typed when they are refused', async () => {
  const own = await newCode(gateway, { visibility: 'public' });
  const page = (path: string) => `/${own.fullPath}/-/${path}`;
  await own.commit({ 'a.txt': 'a' });
  const dave = await signIn(gateway, 'developer');
  const list = await dave.get(page('branches'));
  expect(list.html).toContain(`href="${page('branches/new')}"`);
  const form = (await dave.get(page('branches/new?ref=main'))).form('Create branch');
  expect(form.fields.ref).toBe('main');
  const made = await dave.press(form, { name: 'new/way' });
  expect([made.status, made.location]).toEqual([303, page('tree/new/way')]);
  expect((await dave.get(page('tree/new/way'))).text).toContain('The branch is created.');

  const again = await dave.press(form, { name: 'new/way' });
  expect([again.status, again.text.includes('Branch already exists')]).toEqual([422, true]);
  const unknown = await dave.press(form, { name: 'x', ref: 'nowhere' });
  expect(unknown.status).toBe(422);
  expect(unknown.text).toContain("invalid reference name 'nowhere'");
  expect(unknown.form('Create branch').fields).toMatchObject({ name: 'x', ref: 'nowhere' });

  const tag = (await dave.get(page('tags/new'))).form('Create tag');
  expect((await dave.press(tag, { name: 'v2', ref: 'new/way', message: 'Two\r\nlines' })).status).toBe(303);
  expect((await dave.get(page('tags'))).text).toContain('The tag is created.');
  const { body } = await rest('GET', `${own.path}/repository/tags/v2`, { token: tokens.developer });
  expect(body.message).toBe('Two\nlines');
  expect((await dave.press(tag, { name: 'v3', ref: 'nowhere' })).text).toContain('Target nowhere is invalid');

  const guest = await signIn(gateway, 'guest');
  expect((await guest.get(page('branches/new'))).status).toBe(403);
  expect((await guest.get(page('branches'))).html).not.toContain('branches/new');
  expect((await guest.post(form.action, form.fields)).status).toBeGreaterThanOrEqual(400);
  expect((await browserSession(gateway).get(page('tags/new'))).location).toContain('/users/sign_in');
});
