import { beforeAll, expect, test } from 'vitest';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import { addMember, newUser, type TestUser } from '../../support/places/people.ts';
import { workspace } from '../../support/places/workspace.ts';
import { newMergeRequest } from '../../reviews/support/merge-requests.ts';

/** Search over REST: the whole instance, a group and a project, with the rights of the reader. */

let gateway: TestGateway;
let olga: TestUser;
let dan: TestUser;
beforeAll(async () => {
  gateway = await testGateway();
  const make = workspace(gateway);
  [olga, dan] = [await newUser(gateway, 'olga'), await newUser(gateway, 'dan')];
  await newUser(gateway, 'danielle');
  for (const group of ['firm', 'firm/team']) await make.group(group, 'INTERNAL');
  await make.project('firm/danube-site', 'INTERNAL');
  await make.project('firm/team/danube-shop');
  await make.project('firm/team/danube-archive');
  await make.group('other', 'PUBLIC');
  await make.project('other/danube-free', 'PUBLIC');
  await gateway.sql("update projects set archived = true where path = 'danube-archive'");
  await addMember(gateway, olga, 'OWNER', { group: 'firm' });
  await addMember(gateway, dan, 'GUEST', { group: 'firm/team' });
});

const search = (path: string, query: object = {}, token: string | undefined = olga.token) =>
  gateway.rest('GET', `/api/v4${path}`, { token, query: query as Record<string, string> });
const found = async (path: string, query: object, token?: string) => {
  const { status, body, headers } = await search(path, query, token);
  expect([status, headers.get('x-total')]).toEqual([200, String(body.length)]);
  return body.map((one: { path?: string; username?: string }) => one.path ?? one.username);
};
const paths = ['/search', '/groups/firm/search', '/projects/firm%2Fdanube-site/search'];
const also = ['/groups/firm/-/search', '/projects/firm%2Fdanube-site/-/search'];

test('finds the projects that the caller may see, with their basic fields', async () => {
  const danube = { scope: 'projects', search: 'Danube' };
  expect(await found('/search', danube)).toEqual(['danube-free', 'danube-shop', 'danube-site']);
  expect(await found('/search', { ...danube, sort: 'asc', order_by: 'created_at' })).toEqual([
    'danube-site',
    'danube-shop',
    'danube-free',
  ]);
  expect(await found('/search', { ...danube, include_archived: 'true' })).toHaveLength(4);
  const stranger = (await newUser(gateway, 'stranger')).token;
  expect(await found('/search', danube, stranger)).toEqual(['danube-free', 'danube-site']);
  for (const path of ['/groups/firm/search', '/groups/firm/-/search']) {
    expect(await found(path, danube)).toEqual(['danube-shop', 'danube-site']);
    expect(await found(path, danube, stranger)).toEqual(['danube-site']);
  }
  const [project] = (await search('/search', { scope: 'projects', search: 'danube-free' })).body;
  expect(Object.keys(project)).toEqual(
    expect.arrayContaining(['id', 'path_with_namespace', 'namespace', 'star_count']),
  );
  expect(project).not.toHaveProperty('archived');
});

test('finds people; in a group and a project its members', async () => {
  const dans = { scope: 'users', search: 'dan' };
  expect((await found('/search', dans)).toSorted()).toEqual(['dan', 'danielle']);
  expect(await found('/groups/firm/search', dans)).toEqual(['dan']);
  expect(await found('/groups/firm%2Fteam/search', { ...dans, search: 'olga' })).toEqual(['olga']);
  expect(await found('/projects/firm%2Fteam%2Fdanube-shop/search', dans)).toEqual(['dan']);
  expect(await found('/projects/firm%2Fdanube-site/search', dans)).toEqual([]);
  const [person] = (await search('/groups/firm/search', dans)).body;
  expect(person).toMatchObject({ id: Number(dan.id), username: 'dan', state: 'active', web_url: `${gateway.url}/dan` });
});

test('finds people who have their role by a share too, while it lasts', async () => {
  const [rolf, vera, ines] = [
    await newUser(gateway, 'rolf'),
    await newUser(gateway, 'vera'),
    await newUser(gateway, 'ines'),
  ];
  const make = workspace(gateway);
  const ids: Record<string, string> = {};
  for (const group of ['guild', 'crew', 'crew/night']) ids[group] = await make.group(group, 'INTERNAL');
  await addMember(gateway, rolf, 'REPORTER', { group: 'guild' });
  await addMember(gateway, vera, 'REPORTER', { group: 'crew' });
  // Members of groups below an invited one have no role.
  await addMember(gateway, ines, 'REPORTER', { group: 'crew/night' });
  const share = async (path: string, group: string) => {
    const json = { group_id: ids[group], group_access: 30 };
    expect((await gateway.rest('POST', `/api/v4${path}/share`, { token: gateway.tokens.root, json })).status).toBe(201);
  };
  const shop = '/projects/firm%2Fteam%2Fdanube-shop';
  await share('/groups/firm', 'guild');
  await share(shop, 'crew');
  const people = async (path: string) =>
    (
      await Promise.all(
        ['rolf', 'vera', 'ines'].map((name) => found(`${path}/search`, { scope: 'users', search: name })),
      )
    ).flat();
  expect(await people('/groups/firm')).toEqual(['rolf']);
  expect(await people('/groups/firm%2Fteam')).toEqual(['rolf']);
  expect(await people(shop)).toEqual(['rolf', 'vera']);
  expect(await people('/projects/firm%2Fdanube-site')).toEqual(['rolf']);
  for (const table of ['group_shares', 'project_shares'])
    await gateway.sql(`update ${table} set expires_at = current_date`);
  expect([...(await people('/groups/firm')), ...(await people(shop))]).toEqual([]);
});

test('pages like a list', async () => {
  const { body, headers } = await search('/search', { scope: 'projects', search: 'danube', per_page: '1', page: '2' });
  expect(body.map((one: { path: string }) => one.path)).toEqual(['danube-shop']);
  expect(['x-total', 'x-total-pages', 'x-page', 'x-next-page'].map((name) => headers.get(name))).toEqual([
    '3',
    '3',
    '2',
    '3',
  ]);
  expect(headers.get('link')).toContain('scope=projects');
});

test('finds issues, merge requests and milestones as their lists show them', async () => {
  const shop = '/projects/firm%2Fteam%2Fdanube-shop';
  const write = async (path: string, json: object) => {
    const { status, body } = await gateway.rest('POST', `/api/v4${path}`, { token: olga.token, json });
    expect(status, path).toBe(201);
    return body;
  };
  const issue = await write(`${shop}/issues`, { title: 'Elbe floods', labels: 'wet' });
  await write(`${shop}/issues`, { title: 'Rhine' });
  await write(`${shop}/milestones`, { title: 'Elbe crossing' });
  const { iid } = await newMergeRequest(gateway, 'firm/team/danube-shop', { title: 'Dam the Elbe', author: 'olga' });
  const stranger = await newUser(gateway, 'elbe-stranger');
  const titles = async (path: string, query: object, token?: string) => {
    const { status, body, headers } = await search(path, { search: 'elbe', ...query }, token);
    expect([status, headers.get('x-total')]).toEqual([200, String(body.length)]);
    return body.map(({ title }: { title: string }) => title);
  };
  const everywhere = ['/search', '/groups/firm/search', `${shop}/search`];
  for (const path of everywhere) {
    expect(await titles(path, { scope: 'issues' })).toEqual(['Elbe floods']);
    expect(await titles(path, { scope: 'issues', state: 'closed' })).toEqual([]);
    expect(await titles(path, { scope: 'issues', state: 'merged' })).toEqual([]);
    expect(await titles(path, { scope: 'issues', confidential: 'true' })).toEqual([]);
    expect(await titles(path, { scope: 'merge_requests' })).toEqual(['Dam the Elbe']);
    expect(await titles(path, { scope: 'merge_requests', state: 'merged' })).toEqual([]);
  }
  for (const path of everywhere.slice(1))
    expect(await titles(path, { scope: 'milestones' })).toEqual(['Elbe crossing']);
  expect(await titles('/search', { scope: 'issues' }, stranger.token)).toEqual([]);
  const [found] = (await search('/search', { scope: 'issues', search: 'elbe' })).body;
  expect(found).toEqual(
    (await gateway.rest('GET', `/api/v4${shop}/issues?iids[]=${issue.iid}`, { token: olga.token })).body[0],
  );
  const [merging] = (await search(`${shop}/search`, { scope: 'merge_requests', search: 'elbe' })).body;
  const listed = await gateway.rest('GET', `/api/v4${shop}/merge_requests`, { token: olga.token });
  expect(merging).toEqual(listed.body.find((one: { iid: number }) => one.iid === iid));
});

test('finds milestones everywhere, titles of snippets, and comments, with the rights of the reader', async () => {
  const shop = '/projects/firm%2Fteam%2Fdanube-shop';
  const write = async (path: string, json: object) => {
    const { status, body } = await gateway.rest('POST', `/api/v4${path}`, { token: olga.token, json });
    expect(status, path).toBe(201);
    return body;
  };
  await write(`${shop}/milestones`, { title: 'Loire bridge' });
  await write('/groups/firm/milestones', { title: 'Above', description: 'Near the Loire' });
  const file = { file_name: 'loire.txt', content: 'Loire' };
  await write('/snippets', { ...file, title: 'Loire, public', visibility: 'public' });
  await write('/snippets', { ...file, title: 'Loire, private', visibility: 'private' });
  await write('/snippets', { ...file, title: 'Only in its file', visibility: 'public' });
  await write(`${shop}/snippets`, { ...file, title: 'Loire of the shop', visibility: 'private' });
  const open = await write(`${shop}/issues`, { title: 'Open' });
  const hidden = await write(`${shop}/issues`, { title: 'Hidden', confidential: true });
  const { id: merging } = await newMergeRequest(gateway, 'firm/team/danube-shop', { iid: 2, author: 'olga' });
  await write(`${shop}/issues/${open.iid}/notes`, { body: 'The Loire is low' });
  await write(`${shop}/issues/${open.iid}/notes`, { body: 'Low Loire, internally', internal: true });
  await write(`${shop}/issues/${hidden.iid}/notes`, { body: 'A hidden Loire, low' });
  await gateway.sql(
    `insert into notes (merge_request_id, project_id, discussion_id, author_id, body)
     select m.id, m.project_id, decode(repeat('cd', 20), 'hex'), m.author_id, 'Merging low Loire' from merge_requests m where m.id = $1`,
    [merging],
  );
  // Notes of the system aren't searched.
  await gateway.rest('PUT', `/api/v4${shop}/issues/${open.iid}`, { token: olga.token, json: { title: 'Loire, low' } });

  const stranger = (await newUser(gateway, 'loire-stranger')).token;
  const texts = async (path: string, query: object, token?: string) => {
    const { status, body, headers } = await search(path, query, token);
    expect([status, headers.get('x-total')]).toEqual([200, String(body.length)]);
    return body.map(({ title, body: text }: { title?: string; body?: string }) => title ?? text);
  };
  const milestones = { scope: 'milestones', search: 'loire' };
  expect((await texts('/search', milestones)).sort()).toEqual(['Above', 'Loire bridge']);
  expect((await texts('/groups/firm/search', milestones)).sort()).toEqual(['Above', 'Loire bridge']);
  expect(await texts(`${shop}/search`, milestones)).toEqual(['Loire bridge']);
  expect(await texts('/search', milestones, stranger)).toEqual(['Above']);

  const snippets = { scope: 'snippet_titles', search: 'loire' };
  expect(await texts('/search', snippets)).toEqual(['Loire of the shop', 'Loire, private', 'Loire, public']);
  expect(await texts('/search', snippets, stranger)).toEqual(['Loire, public']);
  const [first] = (await search('/search', { ...snippets, search: 'public loire' })).body;
  expect(first).toEqual((await gateway.rest('GET', `/api/v4/snippets/${first.id}`, { token: olga.token })).body);

  const notes = { scope: 'notes', search: 'low loire' };
  expect(await texts(`${shop}/search`, { ...notes, sort: 'asc', order_by: 'created_at' })).toEqual([
    'The Loire is low',
    'Low Loire, internally',
    'A hidden Loire, low',
    'Merging low Loire',
  ]);
  // A guest reads neither internal comments, nor confidential issues, nor merge requests.
  expect(await texts(`${shop}/search`, notes, dan.token)).toEqual(['The Loire is low']);
});

test('finds commits by their message, and files by what is in them', async () => {
  const { body: made } = await gateway.rest('POST', '/api/v4/projects', {
    token: olga.token,
    json: { name: 'Mills', initialize_with_readme: true },
  });
  const mills = `/projects/${made.id}`;
  const commit = async (message: string, path: string, content: string, more: object = {}) => {
    const { status, body } = await gateway.rest('POST', `/api/v4${mills}/repository/commits`, {
      token: olga.token,
      json: {
        branch: 'main',
        commit_message: message,
        actions: [{ action: 'create', file_path: path, content }],
        ...more,
      },
    });
    expect(status).toBe(201);
    return body.id as string;
  };
  const wheel = ['one', 'two', 'three', 'The Wheel turns', 'five', 'six', 'seven', 'A wheel', ''].join('\n');
  const first = await commit('Turn the wheel\n\nFaster.', 'src/wheel.test.ts', wheel);
  const second = await commit('Stop the WHEEL', '.wheel', 'wheel');
  await commit('On a branch', 'other.txt', 'no wheel here', { branch: 'branch', start_branch: 'main' });
  const ids = async (query: object) =>
    (await search(`${mills}/search`, { scope: 'commits', ...query })).body.map(({ id }: { id: string }) => id);
  expect(await ids({ search: 'wheel' })).toEqual([second, first]);
  expect(await ids({ search: 'faster Wheel' })).toEqual([first]);
  expect(await ids({ search: 'wheel.*' })).toEqual([]);
  expect(await ids({ search: 'On a', ref: 'nowhere' })).toEqual([]);
  expect(await ids({ search: 'On a', ref: 'branch' })).toHaveLength(1);
  const [found] = (await search(`${mills}/search`, { scope: 'commits', search: 'faster' })).body;
  const whole = (await gateway.rest('GET', `/api/v4${mills}/repository/commits/${first}`, { token: olga.token })).body;
  expect(found).toEqual({ ...whole, trailers: {} });

  const files = async (query: object) => {
    const { status, body, headers } = await search(`${mills}/search`, { scope: 'blobs', ...query });
    expect([status, headers.get('x-total')]).toEqual([200, String(body.length)]);
    return body;
  };
  expect(await files({ search: 'the wheel' })).toEqual([
    {
      basename: 'src/wheel.test',
      data: 'two\nthree\nThe Wheel turns\nfive\nsix\n',
      path: 'src/wheel.test.ts',
      filename: 'src/wheel.test.ts',
      id: null,
      ref: 'main',
      startline: 2,
      project_id: made.id,
    },
  ]);
  const paths = async (query: object) => (await files(query)).map(({ path }: { path: string }) => path);
  expect(await paths({ search: 'wheel' })).toEqual(['.wheel', 'src/wheel.test.ts']);
  expect(await paths({ search: 'wheel', ref: 'branch' })).toEqual(['.wheel', 'other.txt', 'src/wheel.test.ts']);
  for (const odd of ['--help', '-e', 'wh..l', ':(top)wheel', '$', '\u{1f30a}'])
    expect(await files({ search: odd })).toEqual([]);
  // Those who don't read the code find nothing in it.
  for (const scope of ['commits', 'blobs'])
    expect((await search(`${mills}/search`, { scope, search: 'wheel' }, dan.token)).status).toBe(404);
});

test('finds nothing in projects without a repository, and in wikis', async () => {
  for (const scope of ['commits', 'blobs', 'wiki_blobs'])
    expect(await found(paths[2]!, { scope, search: 'danube' }), scope).toEqual([]);
});

test('refuses what is missing or unknown', async () => {
  const unlisted = 'scope does not have a valid value';
  for (const path of [...paths, ...also]) {
    const refused = async (query: object) => {
      const { status, body } = await search(path, query);
      return [status, body];
    };
    expect(await refused({})).toEqual([400, { error: `search is missing, scope is missing, ${unlisted}` }]);
    expect(await refused({ search: 'x' })).toEqual([400, { error: `scope is missing, ${unlisted}` }]);
    expect(await refused({ scope: 'users' })).toEqual([400, { error: 'search is missing' }]);
    for (const scope of ['groups', 'epics', ''])
      expect(await refused({ search: 'x', scope })).toEqual([400, { error: unlisted }]);
    expect(await refused({ search: 'x', scope: 'issues', state: 'x', order_by: 'x' })).toEqual([
      400,
      { error: 'state does not have a valid value, order_by does not have a valid value' },
    ]);
    expect(await refused({ search: 'x'.repeat(4_097), scope: 'users' })).toMatchObject([400, {}]);
    const anonymous = await gateway.rest('GET', `/api/v4${path}`, { query: { search: 'x', scope: 'users' } });
    expect([anonymous.status, anonymous.body]).toEqual([401, { message: '401 Unauthorized' }]);
  }
  const query = { search: 'x', scope: 'issues' };
  expect((await search('/groups/nothing/search', query)).body).toEqual({ message: '404 Group Not Found' });
  expect(
    (await search('/projects/firm%2Fteam%2Fdanube-shop/search', query, (await newUser(gateway, 'far')).token)).body,
  ).toEqual({ message: '404 Project Not Found' });
});
