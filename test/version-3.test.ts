import { beforeAll, describe, expect, test } from 'vitest';
import { migrations, type Migration } from '../src/rest/version-3/hints.ts';
import { subjects } from '../src/rest/version-3/changes.ts';
import { parametersOf } from '../src/rest/parameters.ts';
import { routes } from '../src/rest/routes/index.ts';
import { browserSession } from './support/browser-session.ts';
import { testGateway, type TestGateway } from './support/gateway.ts';
import { rawClient } from './support/raw-client.ts';

let gateway: TestGateway;
let raw: ReturnType<typeof rawClient>;
beforeAll(async () => {
  gateway = await testGateway();
  raw = rawClient(gateway.url);
});

/** A request of an old call: every name in its path stands for something that isn’t there. */
function requestOf(call: string): [method: string, path: string] {
  const [method, path] = call.split(' ') as [string, string];
  const samples: Record<string, string> = { search: 'shop', query: 'shop', subscribable_type: 'issues', noteable_type: 'issues', key: 'mit', rest: '2/more' };
  return [method === '*' ? 'GET' : method, path.replace(/:(\w+)\*?/g, (_all, name: string) => samples[name] ?? '999999')];
}

const rows = migrations.flatMap((migration) => migration.old.map((call) => [call, migration.title, migration] as const));

describe('version 3', () => {
  const gone = ['/api/v3', '/api/v3/', '/api/v3/user', '/api/v3/notification_settings', '/api/v3/no/such/thing'];
  test.each(gone)('%s is gone, by every method', async (path) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const { status, body, headers } = await gateway.rest(method, path);
      expect([status, body.error]).toEqual([410, 'API V3 is no longer supported. Use API V4 instead.']);
      expect(headers.get('link')).toBe(`<${path.replace('v3', 'v4')}>; rel="successor-version"`);
    }
  });

  /** What the interface lists as changed, with the word that a person looks for. */
  const changes: [method: string, path: string, word: string][] = [
    ['GET', '/projects/shop', '/projects?search=x'],
    ['GET', '/projects/search/shop', '/projects?search=x'],
    ['GET', '/projects/1/merge_requests', '`iids`'],
    ['GET', '/projects/1/milestones', '`iids`'],
    ['GET', '/projects/merge_request/1', '/merge_requests/'],
    ['GET', '/projects/1/merge_request/2', '/merge_requests/'],
    ['GET', '/projects/1/merge_request/2/changes', '/merge_requests/'],
    ['GET', '/projects/1/keys', '/projects/:id/deploy_keys'],
    ['DELETE', '/projects/1/keys/2', '/projects/:id/deploy_keys'],
    ['DELETE', '/projects/1/star', 'POST /api/v4/projects/:id/unstar'],
    ['GET', '/licenses', '/templates/'],
    ['GET', '/licenses/mit', '/templates/'],
    ['GET', '/gitignores', '/templates/'],
    ['GET', '/gitlab_ci_ymls/ruby', '/templates/'],
    ['GET', '/dockerfiles', '/templates/'],
    ['POST', '/projects/fork/1', 'POST /api/v4/projects/:id/fork'],
    ['DELETE', '/todos', 'POST /api/v4/todos/mark_as_done'],
    ['DELETE', '/todos/1', 'POST /api/v4/todos/:todo_id/mark_as_done'],
    ['GET', '/projects/visible', '/projects'],
    ['GET', '/projects/all', '/projects'],
    ['GET', '/projects/owned', '?owned=true'],
    ['GET', '/projects/starred', '?starred=true'],
    ['DELETE', '/projects/1/deploy_keys/2/disable', 'DELETE /api/v4/projects/:id/deploy_keys/:key_id'],
    ['PUT', '/users/1/block', 'POST /api/v4/users/:id/block'],
    ['PUT', '/users/1/unblock', '/unblock'],
    ['POST', '/projects/1/issues/2/subscription', '/subscribe'],
    ['DELETE', '/projects/1/labels/2/subscription', '/unsubscribe'],
    ['POST', '/projects/1/repository/branches', '`branch`'],
    ['POST', '/projects/1/repository/commits', '`branch`'],
    ['POST', '/projects/1/repository/files', '`branch`'],
    ['PUT', '/projects/1/repository/files', '`branch`'],
    ['DELETE', '/projects/1/repository/files', '`branch`'],
    ['PUT', '/projects/1/merge_requests/2/merge', '`merge_when_pipeline_succeeds`'],
    ['POST', '/projects/1/merge_requests/2/cancel_merge_when_build_succeeds', 'cancel_merge_when_pipeline_succeeds'],
    ['POST', '/projects', '`merge_when_pipeline_succeeds`'],
    ['POST', '/projects', '`visibility`'],
    ['POST', '/projects/user/1', '`visibility`'],
    ['PUT', '/projects/1', '`visibility`'],
    ['GET', '/groups/owned', '/groups?owned=true'],
    ['GET', '/projects/1/builds', 'jobs'],
    ['POST', '/projects/1/builds/2/retry', 'jobs'],
    ['POST', '/projects/1/trigger/builds', '/trigger/pipeline'],
    ['GET', '/projects/1/issues/2', 'iid'],
    ['GET', '/projects/1/merge_requests/2/notes', 'iid'],
    ['GET', '/projects/1/repository/files', '/repository/files/:file_path'],
    ['GET', '/projects/1/repository/commits/abc/blob', '/raw?ref=:sha'],
    ['GET', '/projects/1/repository/blobs/abc', '/raw?ref=:sha'],
    ['GET', '/projects/1/repository/tree', '`ref`'],
    ['POST', '/users', '`skip_confirmation`'],
  ];
  test.each(changes)('%s %s hints at %s', async (method, path, word) => {
    const { status, body } = await gateway.rest(method, `/api/v3${path}?a=b`);
    expect([status, body.hint]).toEqual([410, expect.stringContaining(word)]);
  });

  test.each([
    ['GET', '/user'],
    ['GET', '/projects/1'],
    ['GET', '/projects/demo%2Fstorefront'],
    ['GET', '/users/1'],
    ['PUT', '/todos'],
    ['GET', '/projects/1/deploy_keys'],
    ['GET', '/projects/1/repository/branches'],
    ['GET', '/groups/1'],
  ])('%s %s is the same under version 4, so nothing more is said', async (method, path) => {
    const { body } = await gateway.rest(method, `/api/v3${path}`);
    expect(body).toEqual({ error: 'API V3 is no longer supported. Use API V4 instead.' });
  });

  test('what a client put into the path can’t break out of the link', async () => {
    const { headers } = await raw({ path: '/api/v3/x>;rel="evil",<y' });
    expect(headers.link).toBe('</api/v4/x%3E;rel="evil",%3Cy>; rel="successor-version"');
  });
});

describe('each line of the table', () => {
  test.each(rows)('%s (%s) is hinted at by version 3', async (call, _title, { hint }) => {
    const [method, path] = requestOf(call);
    const { status, body, headers } = await gateway.rest(method, `/api/v3${path}`);
    expect([status, body.hint, headers.get('link')]).toEqual([
      410,
      expect.stringContaining(hint),
      `</api/v4${path}>; rel="successor-version"`,
    ]);
  });

  const refused = rows.filter(([, , migration]) => migration.refused !== undefined);
  test.each(refused)('%s (%s) is refused by version 4 with the same hint', async (call, _title, migration) => {
    const [method, path] = requestOf(call);
    const { status, body } = await gateway.rest(method, `/api/v4${path}`, { token: gateway.tokens.root });
    // What nothing is served in place of is no path at all.
    const expected = migration.served ? [migration.refused] : [404, migration.refused];
    expect(expected).toContain(status);
    expect(body.hint).toContain(migration.hint);
  });

  test('says so where the new call isn’t served, and only there', () => {
    for (const { served, hint, title } of migrations) expect([title, hint.includes('doesn’t serve')]).toEqual([title, !served]);
  });

  test('is served as soon as there is a route for every new call, with the parameter that matters', () => {
    const isRoute = (call: string) => {
      const [method, rest] = call.split(' ') as [string, string];
      const [path, parameter] = rest.split(/\?(?=\w)/) as [string, string | undefined];
      const form = new RegExp(`^/api/v4${path.replace(/:\w+/g, '[^/]+')}$`);
      const name = parameter?.replace(/(\[\])?=.*/, '');
      return routes.some((route) => route.method === method && form.test(route.path) && (!name || parametersOf(route.parameters).some((one) => one.name === name)));
    };
    expect(migrations.filter(({ served }) => served).map(({ title }) => title)).toEqual(
      migrations.filter(({ now }) => now.every(isRoute)).map(({ title }) => title),
    );
  });

  test('has a subject of the guide, and no two are called the same there', () => {
    const titles = migrations.map(({ subject, title }) => `${subject}: ${title}`);
    expect(new Set(titles).size).toBe(titles.length);
    expect([...new Set(migrations.map(({ subject }) => subject))].sort()).toEqual([...subjects].sort());
  });
});

describe('a refusal by version 4', () => {
  test.each([
    ['of a path that was never one', 'GET', '/nothing'],
    ['of the same path by another method', 'PATCH', '/todos'],
    ['of a credential', 'GET', '/user'],
  ])('%s has no hint', async (_what, method, path) => {
    const { status, body } = await gateway.rest(method, `/api/v4${path}`, { token: 'garbage' });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(body.hint).toBeUndefined();
  });
});

describe('the migration guide', () => {
  const text = (words: string) => words.replaceAll('`', '').replaceAll('&', '&amp;');

  test('is led to from the reference, and has every line with its calls', async () => {
    const browser = browserSession(gateway);
    expect((await browser.get('/docs')).html).toContain('href="/docs/migration"');
    const guide = await browser.get('/docs/migration');
    expect(guide.status).toBe(200);
    const plain = guide.html.replace(/<\/?code>/g, '');
    for (const migration of migrations) {
      expect(plain).toContain(text(migration.title));
      expect(plain).toContain(text(migration.says ?? ''));
    }
    const isNew = ({ old, now }: Migration) => old.length > 0 && old.join() !== now.join();
    for (const call of migrations.filter(isNew).flatMap(({ now }) => now)) expect(plain).toContain(call.replaceAll('&', '&amp;').replace(/:\w+\*$/, '…'));
    expect(guide.text.match(/Not served here yet/g)?.length ?? 0).toBe(migrations.filter(({ served }) => !served).length);
  });
});
