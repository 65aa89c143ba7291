import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { testGateway } from '../support/gateway.ts';
import { newProject } from './support/project.ts';

const gateway = await testGateway();
const { rest, tokens } = gateway;
const token = tokens.maintainer;

/** Makes a commit over REST. */
const commit = (path: string, actions: unknown[], further: Record<string, unknown> = {}) =>
  rest('POST', `${path}/repository/commits`, {
    token,
    json: { branch: 'main', commit_message: 'Change', actions, ...further },
  });

describe('an empty repository', () => {
  test('answers reads as such, and the first commit makes its default branch, which is protected', async () => {
    const { path } = await newProject(gateway);
    const read = async (rest_: string) => (await rest('GET', `${path}${rest_}`, { token })).body;
    expect(await read('/repository/tree')).toEqual({ message: '404 Tree Not Found' });
    expect(await read('/repository/commits')).toEqual([]);
    expect(await read('/repository/files/a.txt?ref=main')).toEqual({ message: '404 Commit Not Found' });
    const made = await commit(path, [{ action: 'create', file_path: 'a/b.txt', content: 'hello\n' }], {
      branch: 'trunk',
    });
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({
      title: 'Change',
      parent_ids: [],
      stats: { additions: 1, deletions: 0, total: 1 },
    });
    expect(await read('/repository/tree')).toMatchObject([{ name: 'a', type: 'tree', path: 'a', mode: '040000' }]);
    expect(await read('/repository/tree?path=a&ref=trunk')).toMatchObject([{ name: 'b.txt', type: 'blob' }]);
    const file = await rest('GET', `${path}/repository/files/a%2Fb.txt?ref=trunk`, { token });
    expect(file.body).toMatchObject({
      file_name: 'b.txt',
      file_path: 'a/b.txt',
      size: 6,
      content: Buffer.from('hello\n').toString('base64'),
      commit_id: made.body.id,
      last_commit_id: made.body.id,
    });
    expect(file.headers.get('x-gitlab-size')).toBe('6');
  });
});

test('a project that begins with a README has its first commit at once', async () => {
  const { path } = await newProject(gateway, {
    initialize_with_readme: true,
    default_branch: 'trunk',
    description: 'About it',
  });
  expect((await rest('GET', path, { token })).body).toMatchObject({ default_branch: 'trunk', empty_repo: false });
  const { text } = await rest('GET', `${path}/repository/files/README.md/raw`, { token });
  expect(text).toMatch(/^# code-\d+\n\nAbout it\n$/);
  const bad = { name: 'Bad branch', initialize_with_readme: true, default_branch: 'a b' };
  expect((await rest('POST', '/api/v4/projects', { token, json: bad })).body).toEqual({
    message: { default_branch: ['is invalid'] },
  });
});

test('the README of a new project is on the branch that its group names for first ones', async () => {
  const { body: group } = await rest('POST', '/api/v4/groups', {
    token,
    json: { name: 'trunks', path: 'trunks', default_branch: 'stem' },
  });
  const begun = async (more: object = {}) => {
    const { path } = await newProject(gateway, { namespace_id: group.id, initialize_with_readme: true, ...more });
    return (await rest('GET', path, { token })).body.default_branch;
  };
  expect(await begun()).toBe('stem');
  expect(await begun({ default_branch: 'trunk' })).toBe('trunk');
  const { path } = await newProject(gateway, { initialize_with_readme: true });
  expect((await rest('GET', path, { token })).body.default_branch).toBe('main');
});

describe('files over REST', () => {
  test('are created, changed and deleted, and each is a commit', async () => {
    const { path } = await newProject(gateway);
    const file = `${path}/repository/files/src%2Fadder.py`;
    const send = (method: string, json: unknown) => rest(method, file, { token, json });
    const basics = { branch: 'main', commit_message: 'Try' };
    const created = await send('POST', { ...basics, content: 'print(1)\n' });
    expect([created.status, created.body]).toEqual([201, { file_path: 'src/adder.py', branch: 'main' }]);
    expect((await send('POST', { ...basics, content: '' })).body).toEqual({
      message: 'A file with this name already exists',
    });
    const changed = await send('PUT', {
      ...basics,
      content: Buffer.from([0, 255]).toString('base64'),
      encoding: 'base64',
    });
    expect([changed.status, changed.body]).toEqual([200, { file_path: 'src/adder.py', branch: 'main' }]);
    const raw = await rest('GET', `${file}/raw`, { token });
    expect(raw.headers.get('content-type')).toBe('application/octet-stream');
    expect((await send('DELETE', basics)).status).toBe(204);
    expect((await rest('GET', `${file}?ref=main`, { token })).body).toEqual({ message: '404 File Not Found' });
    const { body: log } = await rest('GET', `${path}/repository/commits`, { token });
    expect(log).toHaveLength(3);
  });

  test('contain what was sent, also if that is blank', async () => {
    const { path } = await newProject(gateway);
    const basics = { branch: 'main', commit_message: 'Try' };
    const raw = async (name: string) => (await rest('GET', `${path}/repository/files/${name}/raw`, { token })).text;
    const file = (method: string, json: object) =>
      rest(method, `${path}/repository/files/blank`, { token, json: { ...basics, ...json } });
    for (const [method, content] of [
      ['POST', '\n'],
      ['PUT', '  \n\t\n'],
      ['PUT', ''],
    ] as const) {
      expect((await file(method, { content })).status).toBeLessThan(300);
      expect(await raw('blank')).toBe(content);
    }
    const actions = [
      { action: 'create', file_path: 'one', content: '\n' },
      { action: 'create', file_path: 'two', content: 'two\n' },
      { action: 'update', file_path: 'blank', content: ' ' },
    ];
    expect((await commit(path, actions)).status).toBe(201);
    expect([await raw('one'), await raw('blank')]).toEqual(['\n', ' ']);
    const moved = [{ action: 'move', previous_path: 'two', file_path: 'three', content: null }];
    expect((await commit(path, moved)).status).toBe(201);
    expect(await raw('three')).toBe('two\n');
  });

  test('missing parameters come after the right to write', async () => {
    const { path } = await newProject(gateway, { visibility: 'public' });
    const url = `${path}/repository/commits`;
    expect((await rest('POST', url, { json: {} })).status).toBe(401);
    expect((await rest('POST', url, { token: tokens.guest, json: {} })).body).toEqual({ message: '403 Forbidden' });
    expect((await rest('POST', url, { token, json: {} })).body).toEqual({
      error: 'branch is missing, branch is empty, commit_message is missing, actions is missing',
    });
  });
});

test('a tree is read page by page, from an entry on, or at once', async () => {
  const { path } = await newProject(gateway);
  const files = ['a/one', 'a/two', 'b/one', 'c'].map((file_path) => ({ action: 'create', file_path, content: 'same' }));
  expect((await commit(path, files)).status).toBe(201);
  const url = `${path}/repository/tree`;
  const get = (query: Record<string, string>) => rest('GET', url, { token, query });
  const paths = ({ body }: { body: { path: string }[] }) => body.map((entry) => entry.path);
  const all = ['a', 'b', 'a/one', 'a/two', 'b/one', 'c'];

  const whole = await get({ recursive: 'true', pagination: 'none', per_page: '2' });
  expect(paths(whole)).toEqual(all);
  expect(Object.keys(whole.body[0])).toEqual(['id', 'name', 'type', 'path', 'mode']);
  expect([whole.headers.get('link'), whole.headers.get('x-page')]).toEqual([null, null]);
  for (const recursive of ['', 'false'])
    expect(await get({ pagination: 'none', recursive })).toMatchObject({
      status: 400,
      body: { error: 'pagination cannot be "none" unless "recursive" is true' },
    });
  expect((await get({ pagination: 'some' })).body).toEqual({ error: 'pagination does not have a valid value' });
  expect((await get({ recursive: 'true', pagination: 'none', path: 'nowhere' })).status).toBe(404);

  let next: string | undefined = `${url}?recursive=true&pagination=keyset&per_page=2`;
  const seen: string[] = [];
  for (let pages = 0; next !== undefined && pages < 5; pages++) {
    const page = await rest('GET', next, { token });
    seen.push(...paths(page));
    expect(page.headers.get('x-page')).toBeNull();
    next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
  }
  expect(seen).toEqual(all);
  const [{ id }] = whole.body;
  expect(paths(await get({ pagination: 'keyset', page_token: id }))).toEqual(['b', 'c']);
  expect(await get({ pagination: 'keyset', page_token: 'gone' })).toMatchObject({
    status: 422,
    body: { message: 'Invalid page token: gone' },
  });
  const legacy = await get({ recursive: 'true', per_page: '2', page: '2' });
  expect([paths(legacy), legacy.headers.get('x-total')]).toEqual([['a/one', 'a/two'], '6']);
});

describe('the record of a project', () => {
  test('has the branch, the README and the sizes, and a fork gets a copy of its own', async () => {
    const { id, path } = await newProject(gateway, { visibility: 'public' });
    const record = async (of = path, query = 'statistics=true') =>
      (await rest('GET', `${of}?${query}`, { token })).body;
    expect(await record()).toMatchObject({ default_branch: null, empty_repo: true, readme_url: null });
    await commit(path, [
      { action: 'create', file_path: 'README', content: 'old' },
      { action: 'create', file_path: 'readme.md', content: '# Hello' },
    ]);
    expect(await record()).toMatchObject({ default_branch: 'main', empty_repo: false });
    await expect
      .poll(() => record(), { timeout: 20_000 })
      .toMatchObject({
        readme_url: expect.stringMatching(/\/-\/blob\/main\/readme\.md$/),
        statistics: { commit_count: 1 },
      });
    expect((await record()).statistics.repository_size).toBeGreaterThan(0);
    const { body: fork } = await rest('POST', `${path}/fork`, {
      token,
      json: { path: `fork-of-${id}`, name: `Fork ${id}` },
    });
    const copy = `/api/v4/projects/${fork.id}`;
    await expect.poll(() => record(copy), { timeout: 20_000 }).toMatchObject({ import_status: 'finished' });
    expect(await record(copy)).toMatchObject({ default_branch: 'main', empty_repo: false });
    // Clients that fork a project wait here.
    const copied = (of: string) => rest('GET', `${of}/import`, { token });
    expect((await copied(path)).body.import_status).toBe('none');
    expect((await copied(copy)).body).toEqual({
      id: fork.id,
      description: fork.description,
      name: fork.name,
      name_with_namespace: fork.name_with_namespace,
      path: fork.path,
      path_with_namespace: fork.path_with_namespace,
      created_at: fork.created_at,
      import_status: 'finished',
      import_type: null,
      correlation_id: null,
      failed_relations: [],
      import_error: null,
      stats: null,
    });
    await commit(copy, [{ action: 'create', file_path: 'more.txt', content: 'more' }]);
    expect((await rest('GET', `${copy}/repository/tree`, { token })).body).toHaveLength(3);
    expect((await rest('GET', `${path}/repository/tree`, { token })).body).toHaveLength(2);
  });

  test('has the licence on request, for those who read the code', async () => {
    const { path } = await newProject(gateway, { visibility: 'public' });
    const licence = async (reader: string | undefined = token) => {
      const { body } = await rest('GET', `${path}?license=true`, reader === '' ? {} : { token: reader });
      return { url: body.license_url, license: body.license };
    };
    expect((await rest('GET', path, { token })).body).not.toHaveProperty('license');
    expect(await licence()).toEqual({ url: null, license: null });
    const { body: mit } = await rest('GET', '/api/v4/templates/licenses/mit?fullname=Ada&project=x');
    await commit(path, [
      { action: 'create', file_path: 'COPYING', content: 'Do what you like.' },
      { action: 'create', file_path: 'docs/LICENSE', content: 'No licence of the whole.' },
    ]);
    expect(await licence()).toEqual({
      url: expect.stringMatching(/\/-\/blob\/main\/COPYING$/),
      license: { key: 'other', name: 'Other', nickname: null, html_url: null, source_url: null },
    });
    const content = String(mit.content).replace('MIT License', 'The licence of this program').replaceAll('\n', '\r\n');
    await commit(path, [{ action: 'create', file_path: 'LICENSE', content }]);
    const found = {
      url: expect.stringMatching(/\/-\/blob\/main\/LICENSE$/),
      license: {
        key: 'mit',
        name: 'MIT License',
        nickname: null,
        html_url: 'https://choosealicense.com/licenses/mit/',
        source_url: 'https://spdx.org/licenses/MIT.html',
      },
    };
    expect([await licence(), await licence('')]).toEqual([found, found]);
    const levels = {
      repository_access_level: 'private',
      merge_requests_access_level: 'private',
      builds_access_level: 'private',
    };
    expect((await rest('PUT', path, { token, json: levels })).status).toBe(200);
    expect([await licence(), await licence('')]).toEqual([found, { url: undefined, license: undefined }]);
  });

  test('knows licences from those that are much like them', async () => {
    const { path } = await newProject(gateway);
    const alike = 'gpl-2.0 gpl-3.0 agpl-3.0 lgpl-2.1 lgpl-3.0 bsd-2-clause bsd-3-clause isc 0bsd mit apache-2.0';
    let action = 'create';
    for (const key of alike.split(' ')) {
      const { content } = (await rest('GET', `/api/v4/templates/licenses/${key}?fullname=Ada`)).body;
      expect((await commit(path, [{ action, file_path: 'LICENSE.md', content: String(content) }])).status).toBe(201);
      expect((await rest('GET', `${path}?license=1`, { token })).body.license).toMatchObject({ key });
      action = 'update';
    }
  });

  test('of a fork shows the one branch that it was to copy, with the tags of that', async () => {
    const { id, path } = await newProject(gateway, { visibility: 'public' });
    await commit(path, [{ action: 'create', file_path: 'first', content: '1' }]);
    await rest('POST', `${path}/repository/branches`, { token, json: { branch: 'stable/1', ref: 'main' } });
    await rest('POST', `${path}/repository/tags`, { token, json: { tag_name: 'v1', ref: 'main' } });
    await commit(path, [{ action: 'create', file_path: 'second', content: '2' }]);
    await rest('POST', `${path}/repository/tags`, { token, json: { tag_name: 'v2', ref: 'main' } });
    const fork = (branches: string) =>
      rest('POST', `${path}/fork`, {
        token,
        json: { path: `of-one-${id}`, name: `Of one ${id}`, branches, mr_default_target_self: true },
      });
    for (const branch of ['stable', '../x', 'v1'])
      expect(await fork(branch)).toMatchObject({ status: 400, body: { message: { branches: ['is invalid'] } } });
    const { status, body } = await fork('stable/1');
    expect([status, body.mr_default_target_self]).toEqual([201, true]);
    const copy = `/api/v4/projects/${body.id}`;
    await expect
      .poll(async () => (await rest('GET', copy, { token })).body, { timeout: 20_000 })
      .toMatchObject({ import_status: 'finished', default_branch: 'stable/1' });
    const names = async (what: string) =>
      ((await rest('GET', `${copy}/repository/${what}`, { token })).body as { name: string }[]).map(({ name }) => name);
    expect([await names('branches'), await names('tags')]).toEqual([['stable/1'], ['v1']]);
  });
});

describe('bytes', () => {
  test('of large files are streamed, and HEAD tells their size', async () => {
    const { path } = await newProject(gateway);
    // Larger than other bodies may be, and than what is sent at once.
    const content = Buffer.alloc(3 * 2 ** 20, 'abc');
    const file = { action: 'create', file_path: 'b i"g.bin', content: content.toString('base64'), encoding: 'base64' };
    expect((await commit(path, [file])).status).toBe(201);
    const url = `${gateway.url}${path}/repository/files/b%20i%22g.bin`;
    const raw = await fetch(`${url}/raw`, { headers: { 'private-token': token } });
    expect(Buffer.compare(Buffer.from(await raw.arrayBuffer()), content)).toBe(0);
    expect(raw.headers.get('content-disposition')).toBe(`inline; filename="b i?g.bin"; filename*=UTF-8''b%20i%22g.bin`);
    expect(raw.headers.get('x-content-type-options')).toBe('nosniff');
    expect(raw.headers.get('content-length')).toBe(String(content.length));
    const blob = await fetch(`${gateway.url}${path}/repository/blobs/${raw.headers.get('x-gitlab-blob-id')}/raw`, {
      headers: { 'private-token': token },
    });
    expect(Buffer.compare(Buffer.from(await blob.arrayBuffer()), content)).toBe(0);
    expect(blob.headers.get('content-disposition')).toBe('inline');
    expect(raw.headers.get('content-security-policy')).toMatch(/sandbox/);
    const head = await fetch(`${url}?ref=main`, { method: 'HEAD', headers: { 'private-token': token } });
    expect([head.status, head.headers.get('x-gitlab-size')]).toEqual([200, String(content.length)]);
    const missing = await fetch(`${url}x?ref=main`, { method: 'HEAD', headers: { 'private-token': token } });
    expect(missing.status).toBe(404);
  });

  test('of all files are one archive, below a folder of its name', async () => {
    const { path } = await newProject(gateway);
    const made = await commit(path, [
      { action: 'create', file_path: 'a.txt', content: 'a' },
      { action: 'create', file_path: 'docs/b.txt', content: 'b' },
    ]);
    const get = async (query: string) =>
      await fetch(`${gateway.url}${path}/repository/${query}`, { headers: { 'private-token': token } });
    const answer = await get('archive.tar.gz');
    const name = String.raw`code-\d+-main-${made.body.id}`;
    expect(answer.headers.get('content-disposition')).toMatch(new RegExp(`attachment; filename="${name}.tar.gz"`));
    const tar = gunzipSync(Buffer.from(await answer.arrayBuffer())).toString('latin1');
    expect(tar).toMatch(new RegExp(`${name}/docs/b.txt`));
    const head = await fetch(answer.url, { method: 'HEAD', headers: { 'private-token': token } });
    expect(head.headers.get('content-type')).toBe(answer.headers.get('content-type'));
    expect(head.headers.get('content-length')).toBeNull();
    const less = await (await get('archive.tar?exclude_paths=docs/,nowhere')).text();
    expect([less.includes('a.txt'), less.includes('docs')]).toEqual([true, false]);
    const zip = await get('archive.zip?path=docs&sha=main');
    expect(
      Buffer.from(await zip.arrayBuffer())
        .subarray(0, 2)
        .toString(),
    ).toBe('PK');
    expect(await (await get('archive?sha=nowhere')).json()).toEqual({ message: '404 File Not Found' });
    expect(await (await get('archive?path=nowhere')).json()).toEqual({ message: '404 File Not Found' });
    expect((await get('archive?format=exe')).status).toBe(404);
  });
});
