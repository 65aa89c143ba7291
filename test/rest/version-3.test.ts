import { beforeAll, describe, expect, test } from 'vitest';
import { subjects, type Migration } from '../../src/rest/version-3/change.ts';
import { migrations } from '../../src/rest/version-3/hints.ts';
import { parametersOf } from '../../src/rest/engine/parameters.ts';
import { routes } from '../../src/rest/routes.ts';
import { browserSession } from '../support/pages/browser-session.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { rawClient } from '../support/requests/raw-client.ts';
import type { RestRequest } from '../support/requests/rest-client.ts';

let gateway: TestGateway;
let raw: ReturnType<typeof rawClient>;
beforeAll(async () => {
  gateway = await testGateway();
  raw = rawClient(gateway.url);
});

/** A request for an old call: the names in its path are replaced by things that don't exist. */
function requestOf(call: string): [method: string, path: string] {
  const [method, path] = call.split(' ') as [string, string];
  const samples: Record<string, string> = {
    search: 'shop',
    query: 'shop',
    subscribable_type: 'issues',
    noteable_type: 'issues',
    key: 'mit',
    rest: '2/more',
    token: '6d056f63e50fe6f8c5f8f4aa10edb7',
  };
  return [
    method === '*' ? 'GET' : method,
    // Repositories refuse those who may not write before they look at parameters.
    path
      .replace('/projects/:id/repository', '/projects/1/repository')
      .replace('/projects/:id/triggers', '/projects/1/triggers')
      .replace(/:(\w+)\*?/g, (_all, name: string) => samples[name] ?? '999999'),
  ];
}

/** Whether a route serves a path below the version. */
const isRoute = (path: string) =>
  routes.some(
    (route) =>
      new RegExp(`^/api/v4${path.replace(/[:*]\w+\*?/g, '[^/]+')}$`).test(route.path) || fits(route.path, path),
  );
const fits = (pattern: string, path: string) =>
  new RegExp(`^${pattern.replace(/:\w+\*/g, '.+').replace(/:\w+/g, '[^/]+')}$`).test(`/api/v4${path}`);

const rows = migrations.flatMap((migration) =>
  migration.old.map((call) => [call, migration.title, migration] as const),
);

describe('version 3', () => {
  const gone = ['/api/v3', '/api/v3/', '/api/v3/user', '/api/v3/notification_settings', '/api/v3/no/such/thing'];
  test.each(gone)('%s is gone, by every method', async (path) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const { status, body, headers } = await gateway.rest(method, path);
      expect([status, body.error]).toEqual([410, 'API V3 is no longer supported. Use API V4 instead.']);
      const exists = path.endsWith('user') || path.endsWith('notification_settings');
      expect(headers.get('link')).toBe(`<${exists ? path.replace('v3', 'v4') : '/api/v4'}>; rel="successor-version"`);
    }
  });

  /** The changes in GitLab's list, each with a text that the hint must contain. */
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
    ['POST', '/projects/1/ref/main/trigger/builds', '/projects/:id/ref/:ref/trigger/pipeline'],
    ['DELETE', '/projects/1/triggers/6d056f63e50fe6f8c5f8f4aa10edb7', 'GET /api/v4/projects/:id/triggers'],
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
    const named = migrations.some(({ hint, served }) => served && hint.includes(word))
      ? word
      : 'doesn’t serve that yet';
    expect([status, body.hint]).toEqual([410, expect.stringContaining(named)]);
  });

  /** The link of an old call: to the call in its hint, otherwise to the same path, otherwise to version 4 itself. */
  test.each([
    ['GET', '/projects/shop', '/projects?search=shop'],
    ['GET', '/projects/search/a+b&c', '/projects?search=a%2Bb%26c'],
    ['GET', '/projects/visible', '/projects'],
    ['GET', '/projects/owned', '/projects?owned=true'],
    ['GET', '/projects', '/projects?membership=true'],
    ['GET', '/groups/owned', '/groups?owned=true'],
    ['DELETE', '/projects/1/star', '/projects/1/unstar'],
    ['POST', '/projects/fork/1', '/projects/1/fork'],
    ['GET', '/licenses', '/templates/licenses'],
    ['GET', '/licenses/mit', '/templates/licenses/mit'],
    ['GET', '/gitignores/Node', '/templates/gitignores/Node'],
    ['PUT', '/users/1/block', '/users/1/block'],
    ['PUT', '/projects/1', '/projects/1'],
    ['POST', '/users', '/users'],
    ['GET', '/projects/demo/storefront/starrers', '/projects/demo%2Fstorefront/starrers'],
    ['GET', '/groups/demo/platform', '/groups/demo%2Fplatform'],
    ['GET', '/projects/demo/platform/api/nothing', ''],
    ['GET', '/nothing', ''],
    ['POST', '/projects/1/ref/main/trigger/builds', '/projects/1/ref/main/trigger/pipeline'],
    ['DELETE', '/projects/1/triggers/6d056f63e50fe6f8c5f8f4aa10edb7', ''],
    ['GET', '/projects/1/triggers/7', '/projects/1/triggers/7'],
  ])('%s %s leads to /api/v4%s', async (method, path, successor) => {
    const { headers } = await gateway.rest(method, `/api/v3${path}`);
    expect(headers.get('link')).toBe(`</api/v4${successor}>; rel="successor-version"`);
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
  ])('%s %s is the same in version 4, so it has no hint', async (method, path) => {
    const { body } = await gateway.rest(method, `/api/v3${path}`);
    expect(body).toEqual({ error: 'API V3 is no longer supported. Use API V4 instead.' });
  });

  test('a path can’t inject anything into the link', async () => {
    const { headers } = await raw({ path: '/api/v3/users/x>;rel="evil",<y' });
    expect(headers.link).toBe('</api/v4/users/x%3E;rel="evil",%3Cy>; rel="successor-version"');
  });
});

describe('each line of the table', () => {
  test.each(rows)('%s (%s) has a hint in version 3', async (call, _title, { hint }) => {
    const [method, path] = requestOf(call);
    const { status, body, headers } = await gateway.rest(method, `/api/v3${path}`);
    expect([status, body.hint]).toEqual([410, expect.stringContaining(hint)]);
    const [, successor] = /^<\/api\/v4([^?]*).*>; rel="successor-version"$/.exec(headers.get('link')!)!;
    expect(successor === '' || isRoute(successor!)).toBe(true);
  });

  const refused = rows.filter(([, , migration]) => migration.refused !== undefined);
  test.each(refused)('%s (%s) is refused by version 4 with the same hint', async (call, _title, migration) => {
    const [method, path] = requestOf(call);
    const query = Object.fromEntries((migration.parameters ?? []).map((name) => [name, 'x']));
    const { status, body } = await gateway.rest(method, `/api/v4${path}`, { token: gateway.tokens.root, query });
    // Without a served successor, the path is unknown.
    const expected = migration.served && isRoute(path) ? [migration.refused] : [404, migration.refused];
    expect(expected).toContain(status);
    expect(body.hint).toContain(migration.hint);
  });

  test('names no call that isn’t served', () => {
    const named = migrations.flatMap(({ hint }) =>
      [...hint.matchAll(/\/api\/v4(\/[^\s?,;.`]+)/g)].map(([, path]) => path!),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((path) => !isRoute(path))).toEqual([]);
  });

  test('says “doesn’t serve” if, and only if, the new call isn’t served', () => {
    for (const { served, hint, title } of migrations)
      expect([title, hint.includes('doesn’t serve')]).toEqual([title, !served]);
  });

  test('counts as served once every new call has a route with the relevant parameter', () => {
    const answers = (call: string) => {
      const [method, rest] = call.split(' ') as [string, string];
      const [path, parameter] = rest.split(/\?(?=\w)/) as [string, string | undefined];
      const form = new RegExp(`^/api/v4${path.replace(/[:*]\w+\*?/g, '[^/]+')}$`);
      const name = parameter?.replace(/(\[\])?=.*/, '');
      return routes.some(
        (route) =>
          route.method === method &&
          form.test(route.path) &&
          (!name || parametersOf(route.parameters).some((one) => one.name === name)),
      );
    };
    expect(migrations.filter(({ served }) => served).map(({ title }) => title)).toEqual(
      migrations.filter(({ now }) => now.every(answers)).map(({ title }) => title),
    );
  });

  test('has a subject in the guide, and a unique title there', () => {
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

describe('the API of runners before 9.0', () => {
  const hint =
    'Runners before 9.0 are no longer served: jobs are handed out by POST /api/v4/jobs/request, and runners register by POST /api/v4/runners.';

  test.each([
    ['POST', '/builds/register.json'],
    ['POST', '/builds/register'],
    ['PUT', '/builds/7.json'],
    ['PATCH', '/builds/7/trace.txt'],
    ['POST', '/builds/7/artifacts'],
    ['GET', '/builds/7/artifacts'],
    ['POST', '/runners/register.json'],
    ['DELETE', '/runners/delete'],
  ])('%s /ci/api/v1%s is unknown, with a hint', async (method, path) => {
    const bodies = method === 'GET' ? [] : [{ json: { token: 'x' } }, { form: { token: 'x' } }];
    for (const request of [{}, ...bodies]) {
      const { status, body, headers } = await gateway.rest(method, `/ci/api/v1${path}`, request);
      expect([status, body]).toEqual([404, { error: '404 Not Found', hint }]);
      expect(headers.get('content-type')).toBe('application/json');
    }
  });

  test('is not mixed up with pages of a project of that name', async () => {
    for (const path of ['/ci/api/v1', '/ci/api/v1/builds', '/ci/api/v1/builds/-/tree/main']) {
      const { headers } = await fetch(`${gateway.url}${path}`);
      expect(headers.get('content-type')).toMatch('text/html');
    }
  });
});

describe('a trigger', () => {
  test.each(['6d056f63e50fe6f8c5f8f4aa10edb7', '123456789012345678901234567890', `glptt-${'ab12'.repeat(10)}`])(
    'that is named by its token, as %s, gets a hint without it',
    async (token) => {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const { status, body } = await gateway.rest(method, `/api/v4/projects/demo%2Fstorefront/triggers/${token}`, {
          token: gateway.tokens.root,
        });
        expect([status, body.error]).toEqual([400, 'trigger_id is invalid']);
        expect(body.hint).toContain('Triggers are named by their id');
        expect(JSON.stringify(body)).not.toContain(token);
      }
    },
  );

  test('that is named by another wrong name gets none', async () => {
    const { status, body } = await gateway.rest('GET', '/api/v4/projects/demo%2Fstorefront/triggers/nightly', {
      token: gateway.tokens.root,
    });
    expect([status, body]).toEqual([400, { error: 'trigger_id is invalid' }]);
  });
});

describe('a removed parameter', () => {
  const hintOf = async (method: string, path: string, request: RestRequest) => {
    const { status, body, headers } = await gateway.rest(method, `/api/v4${path}`, {
      token: gateway.tokens.root,
      ...request,
    });
    return [status, headers.get('x-causeway-hint'), (body as { hint?: string }).hint];
  };
  const ofPublic =
    'The parameters `public` and `visibility_level` are ignored; `visibility` is one of `private`, `internal` and `public`, here and everywhere else.';
  const ofMerging = 'The parameter `merge_when_build_succeeds` is called `merge_when_pipeline_succeeds`.';

  test('of a successful call is named in the header, however it was sent, and changes nothing', async () => {
    const project = '/projects/demo%2Fplatform%2Fapi';
    for (const request of [
      { query: { public: 'true', description: 'x' } },
      { form: { public: 'true', description: 'x' } },
      { json: { public: true, description: 'x' } },
    ]) {
      expect(await hintOf('PUT', project, request)).toEqual([200, ofPublic, undefined]);
    }
    expect((await gateway.rest('GET', `/api/v4${project}`, { token: gateway.tokens.root })).body.visibility).toBe(
      'private',
    );
    const [status, header] = await hintOf('PUT', project, {
      form: { merge_when_build_succeeds: 'true', public: 'true', description: 'x' },
    });
    expect([status, header]).toEqual([200, expect.stringContaining(ofPublic)]);
    expect(header).toContain(ofMerging.slice(0, -1));
    expect(header).toMatch(/^[ -~]+$/);
  });

  test('is readable from other origins', async () => {
    const { headers } = await gateway.rest('GET', '/api/v4/version', {
      token: gateway.tokens.root,
      headers: { origin: 'https://pages.example' },
    });
    expect(headers.get('access-control-expose-headers')!.split(', ')).toContain('X-Causeway-Hint');
  });

  test('of a refused call is named in the body', async () => {
    expect(await hintOf('PUT', '/projects/demo%2Fstorefront', { form: { public: 'true' } })).toEqual([
      400,
      null,
      ofPublic,
    ]);
    expect(await hintOf('POST', '/projects', { query: { public: 'true' } })).toEqual([400, null, ofPublic]);
    const [status, , hint] = await hintOf('POST', '/projects/1/repository/branches', {
      form: { branch_name: 'x', ref: 'main' },
    });
    expect([status, hint]).toEqual([
      expect.toSatisfy((one: number) => one === 400 || one === 404),
      expect.stringContaining('`branch_name`'),
    ]);
  });

  test('that wasn’t sent isn’t mentioned', async () => {
    expect(await hintOf('PUT', '/projects/demo%2Fstorefront', { form: { description: 'The shop.' } })).toEqual([
      200,
      null,
      undefined,
    ]);
    expect(await hintOf('PUT', '/projects/demo%2Fstorefront', {})).toEqual([400, null, undefined]);
    expect(await hintOf('POST', '/projects', { form: { visibility: 'public' } })).toEqual([400, null, undefined]);
    for (const path of ['/projects/1/repository/branches', '/projects/1/repository/commits'])
      expect((await hintOf('POST', path, {}))[2]).toBeUndefined();
    // An unreadable body has no parameters.
    expect(
      (
        await hintOf('POST', '/projects/1/repository/commits', {
          raw: '{"branch_name"',
          headers: { 'content-type': 'application/json' },
        })
      )[2],
    ).toBeUndefined();
  });

  test('of another call isn’t mentioned either', async () => {
    expect(await hintOf('GET', '/projects', { query: { public: 'true', branch_name: 'x' } })).toEqual([
      200,
      null,
      undefined,
    ]);
    expect(await hintOf('POST', '/projects/demo%2Fstorefront/star', { form: { public: 'true' } })).toEqual([
      201,
      null,
      undefined,
    ]);
    await gateway.rest('POST', '/api/v4/projects/demo%2Fstorefront/unstar', { token: gateway.tokens.root });
  });
});

describe('a full path that isn’t escaped', () => {
  const rule = 'A full path is one segment of the address, with %2F for each slash';

  test.each([
    ['GET', '/projects/demo/storefront', `${rule}: use GET /api/v4/projects/demo%2Fstorefront.`],
    [
      'GET',
      '/projects/demo/storefront/notification_settings',
      `${rule}: use GET /api/v4/projects/demo%2Fstorefront/notification_settings.`,
    ],
    [
      'PUT',
      '/projects/demo/platform/api/notification_settings/',
      `${rule}: use PUT /api/v4/projects/demo%2Fplatform%2Fapi/notification_settings.`,
    ],
    [
      'PATCH',
      '/projects/demo/storefront/error_tracking/settings',
      `${rule}: use PATCH /api/v4/projects/demo%2Fstorefront/error_tracking/settings.`,
    ],
    ['GET', '/groups/demo/platform/members', `${rule}: use GET /api/v4/groups/demo%2Fplatform/members.`],
    // Ambiguous: the path of a project, or a call that isn't served.
    ['GET', '/projects/demo/platform/api', `${rule}, as in group%2Fproject.`],
    ['PATCH', '/projects/demo/storefront', `${rule}, as in group%2Fproject.`],
  ])('%s %s isn’t served, and has a hint', async (method, path, hint) => {
    const { status, body } = await gateway.rest(method, `/api/v4${path}`, { token: gateway.tokens.root });
    expect([status, body]).toEqual([404, { error: '404 Not Found', hint }]);
  });

  test.each([
    '/projects/1/nothing',
    '/projects/demo%2Fstorefront/nothing',
    '/users/a/b',
    '/projects//b',
    '/groups/1/x/y',
  ])('%s gets no such hint', async (path) => {
    const { status, body } = await gateway.rest('GET', `/api/v4${path}`, { token: gateway.tokens.root });
    expect([status, body]).toEqual([404, { error: '404 Not Found' }]);
  });
});

describe('the migration guide', () => {
  const text = (words: string) => words.replaceAll('`', '').replaceAll('&', '&amp;');

  test('is linked from the reference, and has every line with its calls', async () => {
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
    for (const call of migrations.filter(isNew).flatMap(({ now }) => now))
      expect(plain).toContain(call.replaceAll('&', '&amp;').replace(/:\w+\*$/, '…'));
    expect(guide.text.match(/Not available yet/g)?.length ?? 0).toBe(migrations.filter(({ served }) => !served).length);
  });
});
