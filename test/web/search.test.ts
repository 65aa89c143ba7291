import { beforeAll, expect, inject, test } from 'vitest';
import { signIn, type BrowserSession } from '../support/pages/browser-session.ts';
import { testGateway } from '../support/gateway.ts';
import { newUser } from '../support/places/people.ts';

/** Search of the whole instance, on a page. */

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
