import { beforeAll, describe, expect, inject, test } from 'vitest';
import { signIn, type BrowserSession } from '../support/pages/browser-session.ts';
import { testGateway } from '../support/gateway.ts';
import { newUser } from '../support/places/people.ts';
import { bookmarkPages, placeBookmarks } from '../../src/web/bookmarks.ts';
import { pagesOfGateway } from './walk/routes.ts';

/** What the instance has, found on pages: by search, in lists, and at the addresses of GitLab. */

const gateway = await testGateway();
const token = gateway.tokens.root;
let outsider: BrowserSession;
let root: BrowserSession;

const post = (path: string, json: object) => gateway.rest('POST', `/api/v4${path}`, { token, json });

beforeAll(async () => {
  const name = 'zeppelin <b>hangar</b>';
  const { body: group } = await post('/groups', { name: 'zeppelin works', path: 'zeppelin', visibility: 'public' });
  await post('/projects', { name: 'zeppelin hidden', namespace_id: group.id, visibility: 'private' });
  const { body: open } = await post('/projects', {
    name: 'zeppelin open',
    namespace_id: group.id,
    visibility: 'public',
  });
  await post(`/projects/${open.id}/issues`, { title: name });
  await post(`/projects/${open.id}/issues`, { title: 'zeppelin plans', confidential: true });
  await newUser(gateway, 'zeppelin-pilot');
  root = await signIn(gateway, 'root', inject('passwords').root);
  outsider = await signIn(gateway, 'guest', inject('passwords').demo);
});

const counts = (text: string) =>
  /Projects (\d+) Groups (\d+) People (\d+) Issues (\d+)/.exec(text)!.slice(1).map(Number);

test('finds what its visitor may see, and nothing else', async () => {
  const all = await root.get('/search?search=zeppelin');
  expect(counts(all.text)).toEqual([2, 1, 1, 2]);
  const page = await outsider.get('/search?search=zeppelin');
  expect(counts(page.text)).toEqual([1, 1, 1, 1]);
  expect(page.text).toContain('zeppelin/zeppelin-open');
  expect(page.text).not.toContain('hidden');
  const issues = await outsider.get('/search?search=zeppelin&scope=issues');
  expect(counts(issues.text)).toEqual([1, 1, 1, 1]);
  expect(issues.html).toContain('zeppelin &lt;b>hangar&lt;/b>');
  expect(issues.html).not.toContain('zeppelin plans');
  expect((await outsider.get('/search?search=zeppelin&scope=users')).html).toContain('href="/zeppelin-pilot"');
  expect((await outsider.get('/search?search=zeppelin&scope=groups')).html).toContain('href="/groups/zeppelin"');
});

test('begins with what there is, and says when there is nothing', async () => {
  expect((await outsider.get('/search?search=zeppelin-pilot')).html).toContain('href="/zeppelin-pilot"');
  expect((await outsider.get('/search?search=no-such-thing&scope=nonsense')).text).toContain('Nothing found.');
  expect((await outsider.get('/search')).text).toContain('that you can see');
});

test('counts up to a hundred of each kind', async () => {
  const [open] = await gateway.sql<{ id: number }>(`select id from projects where path = 'zeppelin-open'`);
  await gateway.sql(
    `insert into issues (project_id, iid, author_id, title) select $1, 100 + n, 1, 'gondola ' || n from generate_series(1, 101) n`,
    [open!.id],
  );
  expect((await outsider.get('/search?search=gondola')).text).toContain('Issues 100+');
  const counted = (fields: string) => gateway.graphql(`{ issues(search: "gondola") { ${fields} } }`, { token });
  const { data } = await counted('all: count some: count(limit: 3) these: count(limit: 101)');
  expect(data!.issues).toEqual({ all: 101, some: 4, these: 101 });
  for (const limit of [0, 10_001])
    expect((await counted(`count(limit: ${limit})`)).errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }]);
  await gateway.sql(`delete from issues where project_id = $1 and iid = 201`, [open!.id]);
  expect((await outsider.get('/search?search=gondola')).text).toMatch(/Issues 100 (?!\+)/);
});

test('is for people who are signed in', async () => {
  const response = await fetch(`${gateway.url}/search?search=zeppelin`, { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([303, expect.stringContaining('/users/sign_in')]);
});

describe('what there is to see', () => {
  beforeAll(async () => {
    await post('/projects/zeppelin%2Fzeppelin-open/star', {});
    const { body: late } = await post('/projects', { name: 'airship', visibility: 'public' });
    await post(`/projects/${late.id}/archive`, {});
  });
  const anonymous = async (path: string) => {
    const response = await fetch(gateway.url + path, { redirect: 'manual' });
    return { status: response.status, html: await response.text(), leadsTo: response.headers.get('location') };
  };

  test('is shown to everyone, as far as they see it', async () => {
    const { status, html } = await anonymous('/explore/projects');
    expect(status).toBe(200);
    expect(html).toContain('href="/zeppelin/zeppelin-open"');
    expect(html).toContain('1 star');
    expect(html).not.toContain('zeppelin-hidden');
    // What is archived changes no more.
    expect(html).not.toContain('airship');
    expect((await root.get('/explore/projects')).html).toContain('zeppelin-hidden');
    expect((await anonymous('/explore/groups')).html).toContain('href="/groups/zeppelin"');
    expect((await anonymous('/')).html).toContain('href="/explore/projects"');
  });

  test('is found by words, and put in an order', async () => {
    const { html } = await anonymous('/explore/projects?search=zeppelin&sort=name_asc');
    expect(html).toContain('zeppelin-open');
    expect(html).not.toContain('storefront');
    expect((await anonymous('/explore/projects?search=no-such-thing')).html).toContain('No projects match.');
    expect((await anonymous('/explore/projects?sort=nonsense&scope=nonsense')).status).toBe(200);
    const stars = (await root.get('/explore/projects?sort=stars_desc')).html;
    expect(stars.indexOf('/zeppelin/zeppelin-open"')).toBeLessThan(stars.indexOf('/demo/storefront"'));
  });

  test('can be what one is a member of', async () => {
    const mine = await outsider.get('/explore/projects?scope=mine');
    expect(mine.html).toContain('href="/demo/storefront"');
    expect(mine.html).not.toContain('zeppelin');
    const groups = await outsider.get('/explore/groups?scope=mine');
    expect(groups.html).toContain('href="/groups/demo"');
    expect(groups.html).not.toContain('zeppelin');
    // Without an account nothing is one’s own.
    expect((await anonymous('/explore/groups?scope=mine')).leadsTo).toMatch(/^\/users\/sign_in\?/);
  });

  test.each([
    ['/explore', '/explore/projects'],
    ['/public?search=a+b', '/explore/projects?search=a+b'],
    ['/dashboard', '/'],
    ['/dashboard/projects', '/explore/projects?scope=mine'],
    ['/dashboard/groups', '/explore/groups?scope=mine'],
    ['/dashboard/merge_requests/reviewers', null],
    ['/projects/new?namespace_id=1', '/-/projects/new?namespace_id=1'],
    ['/groups/new', '/-/groups/new'],
    ['/help', '/docs'],
    ['/help/api/rest/index.md', '/docs'],
    ['/-/profile', '/profile'],
    ['/-/profile/keys', '/profile/keys'],
    ['/-/user_settings/ssh_keys', '/profile/keys'],
    ['/-/profile/notifications', '/profile/notifications'],
    ['/-/user_settings/active_sessions', '/profile/sessions'],
    ['/-/profile/two_factor_auth', '/profile/second_factor'],
    ['/-/user_settings/password/edit', '/profile/password'],
    ['/-/user_settings/personal_access_tokens?name=a&scopes=api', '/profile/personal_access_tokens?name=a&scopes=api'],
    ['/-/user_settings/applications/3/edit', '/profile/applications/3/edit'],
    ['/users/guest/projects', '/guest'],
  ])('%s, an address of GitLab’s, leads to %s', async (from, to) => {
    expect((await anonymous(from)).leadsTo).toBe(to);
  });

  test('each of those addresses leads to a page', async () => {
    const { find } = pagesOfGateway();
    const below = placeBookmarks.flatMap(({ of, path }) => {
      const project = `/demo/storefront/-${path}`;
      return of === 'project'
        ? [project]
        : of === 'group'
          ? [`/groups/demo/-${path}`]
          : [project, `/groups/demo/-${path}`];
    });
    const fixed = bookmarkPages.map(({ path }) =>
      path.replace(/:username.*/, 'evil%2F.example/projects').replace(':id', '3'),
    );
    for (const from of [...fixed, ...below]) {
      const { leadsTo } = await anonymous(from);
      if (from.startsWith('/users/')) expect(leadsTo, from).toBe('/evil%2F.example');
      else expect(find(leadsTo!), from).toBeDefined();
    }
  });
});
