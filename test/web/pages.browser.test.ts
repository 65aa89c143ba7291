import { parse, validate } from 'graphql';
import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { seed, type SeedPlan } from '../../src/database/seeding/index.ts';
import { publicSchema } from '../../src/schema/public.ts';
import { examples } from '../../src/web/documentation/examples.ts';
import { newCode } from '../repository/support/code.ts';
import { hasBrowser, launchBrowser, windowOf } from '../support/pages/browser.ts';
import { signIn } from '../support/pages/browser-session.ts';
import { testGateway } from '../support/gateway.ts';
import { fillWithLongNames } from './long-names.ts';

const gateway = await testGateway();
const { url, tokens, rest, sql } = gateway;

const pages = {
  start: '/',
  reference: '/docs',
  'migration guide': '/docs/migration',
  GraphiQL: '/graphql',
  group: '/groups/demo',
  project: '/demo/storefront',
  profile: '/maintainer',
  missing: '/demo/nothing',
};

describe('Pages, as any client gets them', () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(url + path, { headers: { accept: 'text/html', ...headers } });

  it.each(Object.entries(pages))(
    'the %s page allows itself nothing inline and nothing from elsewhere',
    async (_name, path) => {
      const { headers } = await get(path);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'self'; .*frame-ancestors 'none'$/,
      );
      expect(headers.get('content-security-policy')).not.toMatch(/unsafe|https?:|\*/);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    },
  );

  /** The content of a page, without its own address. */
  const contentOf = async (response: Response) => (await response.text()).replace(/(?<=\?return_to=)[^"]*/g, '');

  it('hidden and missing records have the same page', async () => {
    const texts = await Promise.all(
      ['/demo/platform/api', '/demo/platform/none', '/groups/demo/platform', '/groups/none', '/docs/none', '/5'].map(
        async (path) => {
          const response = await get(path);
          expect(response.status, path).toBe(404);
          return await contentOf(response);
        },
      ),
    );
    expect(new Set(texts).size).toBe(1);
  });

  it('a profile redirects to sign-in, whether the person exists or not, and a group’s name to the group', async () => {
    const leadsTo = async (path: string) => {
      const { status, headers } = await fetch(url + path, { redirect: 'manual' });
      return [status, headers.get('location')];
    };
    expect(await leadsTo('/maintainer')).toEqual([303, '/users/sign_in?return_to=%2Fmaintainer']);
    expect(await leadsTo('/no-such-user')).toEqual([303, '/users/sign_in?return_to=%2Fno-such-user']);
    expect(await leadsTo('/Demo')).toEqual([303, '/groups/demo']);
  });

  it.each(['/dashboard/x', '/health', '/groups/x', '/assets', '/-/x', '/admin/x', '/name.git'])(
    '%s is not a page',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );

  it('only GET and HEAD are answered', async () => {
    const refused = await fetch(`${url}/docs`, { method: 'POST', body: 'a=b' });
    expect(refused.status).toBe(405);
    expect(refused.headers.get('allow')).toBe('GET, HEAD');
    const head = await fetch(`${url}/docs`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it.each([
    ['/docs/openapi.json', 'application/json'],
    ['/docs/schema.graphql', 'text/plain; charset=utf-8'],
  ])('%s can be read from every origin, and again for free', async (path, type) => {
    const first = await get(path);
    expect(first.headers.get('content-type')).toBe(type);
    expect(first.headers.get('access-control-allow-origin')).toBe('*');
    expect((await get(path, { 'if-none-match': first.headers.get('etag')! })).status).toBe(304);
  });

  it('assets are cached permanently, and change their name with their content', async () => {
    const [path] = /\/assets\/site-[0-9a-f]{12}\.css/.exec(await (await get('/')).text())!;
    const asset = await get(path);
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(asset.headers.get('content-encoding')).toBe('gzip');
    expect(await asset.text()).toBe(await (await get(path, { 'accept-encoding': 'identity' })).text());
    expect((await get(path, { 'if-none-match': asset.headers.get('etag')! })).status).toBe(304);
    expect((await get('/assets/manifest.json')).status).toBe(404);
  });

  it('no page is larger than 100 kB', async () => {
    for (const path of Object.values(pages))
      expect((await (await get(path)).text()).length, path).toBeLessThan(100_000);
  });

  it.each(examples)('the example "$name" fits what /graphql serves', ({ query }) => {
    expect(validate(publicSchema, parse(query))).toEqual([]);
  });
});

describe.skipIf(!hasBrowser)('Pages, in a browser', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  /** Opens a page in a new browser, unless one is given, and records its errors. */
  async function open(
    path: string,
    options: BrowserContextOptions = {},
    context?: BrowserContext,
  ): Promise<{ page: Page; wrongs: string[] }> {
    const page = await (context ?? (await browser.newContext(options))).newPage();
    page.setDefaultTimeout(25_000);
    const wrongs: string[] = [];
    page.on('pageerror', ({ message }) => wrongs.push(message));
    page.on('console', (message) => {
      // Chromium reports the status of the page itself too.
      const ofPage = message.location().url === url + path && path === pages.missing;
      if (message.type() === 'error' && !ofPage) wrongs.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(`${url}/`) && !request.url().startsWith('data:'))
        wrongs.push(`asked ${request.url()}`);
    });
    await page.goto(url + path);
    // Pages with scripts continue loading.
    if (path.startsWith('/docs') || path.includes('graphql')) await page.waitForLoadState('networkidle');
    return { page, wrongs };
  }

  it('long names wrap on a phone', async () => {
    const wide: string[] = [];
    for (const [person, paths] of Object.entries(await fillWithLongNames(gateway))) {
      const { cookies } = await signIn({ url }, person, inject('passwords')[person === 'root' ? 'root' : 'demo']);
      const context = await windowOf(browser, url, cookies, { viewport: { width: 360, height: 800 } });
      const page = await context.newPage();
      for (const path of paths) {
        const answer = await page.goto(url + path);
        const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (answer!.status() !== 200 || beyond !== 0)
          wide.push(`${path.replace(/(\w)\1{9,}/g, '$1…')} ${answer!.status()} ${beyond}`);
      }
      await context.close();
    }
    expect(wide).toEqual([]);
  });

  it('dates and “Never” in the columns of a wide table break between words only', async () => {
    const { cookies } = await signIn(gateway, 'root', inject('passwords').root);
    const context = await windowOf(browser, url, cookies, { viewport: { width: 1280, height: 800 } });
    await gateway.personalToken('maintainer', ['read_api', 'read_repository']);
    await sql(`update personal_access_tokens set created_at = '2026-09-30'`);
    const page = await context.newPage();
    await page.goto(`${url}/admin/tokens?user=maintainer&search=test`);
    const cells = page.locator('td:has(time), td:has-text("Never")');
    const broken = await cells.evaluateAll((all) =>
      all.flatMap((cell) => {
        const text = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode()!;
        return [...text.textContent!.matchAll(/[a-z]+/gi)].flatMap(({ 0: word, index }) => {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          return range.getClientRects().length > 1 ? [word] : [];
        });
      }),
    );
    expect(await cells.count()).toBeGreaterThan(2);
    expect(broken).toEqual([]);
    await context.close();
  });

  it('times are those of the browser’s time zone for people who chose none', async () => {
    const { body } = await rest('POST', '/api/v4/projects/demo%2Fstorefront/issues', {
      token: tokens.maintainer,
      json: { title: 'Late in Vienna' },
    });
    const { id, iid } = body as { id: number; iid: number };
    await sql(`update issues set created_at = '2026-03-05T22:30:00Z' where id = $1`, [id]);
    const path = `/demo/storefront/-/issues/${iid}`;
    const shown = async (javaScriptEnabled: boolean) => {
      const { page } = await open('/users/sign_in', { timezoneId: 'Asia/Tokyo', javaScriptEnabled });
      await page.getByLabel('Username or e-mail').fill('maintainer');
      await page.getByLabel('Password').fill(inject('passwords').demo);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { name: 'Hello, ' }).waitFor();
      await page.goto(url + path);
      const text = await page.locator('main time').first().innerText();
      await page.context().close();
      return text;
    };
    expect([await shown(true), await shown(false)]).toEqual(['6 March 2026', '5 March 2026']);
  });

  it('the reference lists every route without JavaScript', async () => {
    const { page } = await open('/docs', { javaScriptEnabled: false });
    const { paths } = (await (await fetch(`${url}/docs/openapi.json`)).json()) as { paths: Record<string, object> };
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect((await page.locator('.routes dt').allInnerTexts()).sort()).toEqual(routes.sort());
    await page.context().close();
  });

  it('ids, addresses, commands and examples of a README are copied by a press', async () => {
    const code = await newCode(gateway, { visibility: 'public' });
    await code.commit({ 'README.md': '# Ship\n\n```sh\nmake sail\nmake land\n```\n' });
    const { page, wrongs } = await open(`/${code.fullPath}`, { permissions: ['clipboard-read', 'clipboard-write'] });
    const copies = page.getByRole('button', { name: 'Copy', exact: true });
    const copied: string[] = [];
    for (const beside of [
      page.locator('.facts dd').filter({ hasText: code.fullPath }),
      page.locator('.field').filter({ hasText: 'Clone over HTTP' }),
      page.locator('.readme'),
    ]) {
      await beside.getByRole('button', { name: 'Copy' }).click();
      await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor({ state: 'attached' });
      copied.push(await page.evaluate(() => navigator.clipboard.readText()));
    }
    expect(copied).toEqual([code.fullPath, `${url}/${code.fullPath}.git`, 'make sail\nmake land']);
    // What the last press said is over after a while, and the buttons are as before.
    await page.getByText('In the API').click();
    await page.getByText('Copied', { exact: true }).first().waitFor({ state: 'detached' });
    expect(await copies.count()).toBeGreaterThan(4);
    expect(wrongs).toEqual([]);
    await page.context().close();
  });

  it('a call can be tried in the reference, with either kind of token', async () => {
    const { page, wrongs } = await open('/docs');
    await page.click('.opblock-tag[data-tag="Users"] button');
    await page.click('.opblock:has([data-path="/api/v4/user"]) .opblock-summary-control');
    await page.click('.try-out__btn');
    for (const scheme of ['personalAccessToken', 'bearer']) {
      await page.click('.auth-wrapper > .authorize');
      // What most people have comes first, and the dialog opens there.
      expect(await page.locator('.auth-container h4').first().innerText()).toContain('personalAccessToken');
      expect(await page.evaluate(() => document.activeElement!.closest('.auth-container')!.textContent)).toContain(
        'PRIVATE-TOKEN',
      );
      const credential = page.locator('.auth-container', { has: page.getByRole('heading', { name: scheme }) });
      await credential.locator('input').fill(tokens.maintainer);
      await credential.getByRole('button', { name: 'Apply credentials' }).click();
      await page.getByRole('button', { name: 'Close' }).first().click();
      await page.click('.btn.execute');
      const answer = page.locator('.live-responses-table .response');
      await answer.getByText('"maintainer"').waitFor();
      expect([scheme, await answer.locator('.response-col_status').first().innerText()]).toEqual([
        scheme,
        expect.stringMatching(/^200/),
      ]);
      await page.click('.btn-clear');
      await page.click('.auth-wrapper > .authorize');
      await credential.getByRole('button', { name: 'Remove authorization' }).click();
      await page.getByRole('button', { name: 'Close' }).first().click();
    }
    expect(wrongs).toEqual([]);
    await page.context().close();
  });

  describe('my notifications', () => {
    /** The page of a signed-in person. */
    async function opened(): Promise<{ page: Page; wrongs: string[] }> {
      const { cookies } = await signIn({ url }, 'developer');
      const context = await windowOf(browser, url, cookies);
      return await open('/profile/notifications', {}, context);
    }

    it('shows the events where Custom is chosen, says that it isn’t saved, and saves it', async () => {
      // The page shows a level that it doesn't offer, and doesn't count as changed when it opens.
      await rest('PUT', '/api/v4/notification_settings', { token: tokens.developer, json: { level: 'global' } });
      const { page, wrongs } = await opened();
      const events = page.getByRole('group', { name: 'Custom for demo/storefront' });
      const hint = page.getByText('Not saved yet');
      expect([await events.isVisible(), await hint.isVisible()]).toEqual([false, false]);
      await page.getByLabel('Notification level for demo/storefront', { exact: true }).selectOption('Custom');
      await events.getByLabel('Pipeline succeeded').check();
      expect([await events.isVisible(), await hint.isVisible()]).toEqual([true, true]);
      await page.getByRole('button', { name: 'Save 1 change', exact: true }).click();
      await page.getByText('Your notification settings are saved.').waitFor();
      expect([await events.getByLabel('Pipeline succeeded').isChecked(), await hint.isVisible()]).toEqual([
        true,
        false,
      ]);
      const { body } = await rest('GET', '/api/v4/projects/demo%2Fstorefront/notification_settings', {
        token: tokens.developer,
      });
      expect(body).toMatchObject({ level: 'custom', events: { success_pipeline: true } });
      expect(wrongs).toEqual([]);
      await page.context().close();
      await rest('PUT', '/api/v4/notification_settings', { token: tokens.developer, json: { level: 'participating' } });
    });

    it('says what a choice will do before it is saved, and takes it back', async () => {
      for (const path of ['/groups/demo', '/projects/demo%2Fstorefront', ''])
        await rest('PUT', `/api/v4${path}/notification_settings`, {
          token: tokens.developer,
          json: { level: path === '' ? 'participating' : 'global' },
        });
      const { page, wrongs } = await opened();
      const row = (path: string) =>
        page.locator('.place', { has: page.getByLabel(`Notification level for ${path}`, { exact: true }) });
      const choose = (path: string, level: string) =>
        page.getByLabel(`Notification level for ${path}`, { exact: true }).selectOption(level);
      await choose('demo/storefront', 'Global');
      await choose('demo', 'Watch');
      expect(await row('demo').innerText()).toContain('Was Global');
      expect(await row('demo/platform').innerText()).toContain('Watch, from Demo');
      expect(await row('demo/platform/api').innerText()).toContain('Watch, from Demo');
      await choose('demo/platform', 'Disabled');
      expect(await row('demo/platform/api').innerText()).toContain('Disabled, from Platform');
      await choose('demo', 'Global');
      await choose('demo/platform', 'Global');
      await page.getByLabel('Global notification level').selectOption('On mention');
      expect(await row('demo/platform/api').innerText()).toContain('On mention, your global level');
      await choose('demo', 'Watch');
      await row('demo').getByLabel('Apply to everything in the group').check();
      await page.getByRole('button', { name: /^Save \d changes$/ }).waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      expect(await page.getByText('Not saved yet').isVisible()).toBe(false);
      expect(await page.getByText(/^Was /).count()).toBe(0);
      await choose('demo', 'Watch');
      await row('demo').getByLabel('Apply to everything in the group').check();
      await page.getByRole('button', { name: 'Save 1 change', exact: true }).click();
      await page.getByText('Your notification settings are saved.').waitFor();
      await page.getByRole('link', { name: 'Changed by me' }).click();
      expect(await page.locator('.tree .place').count()).toBe(1);
      await page.getByRole('link', { name: 'All', exact: true }).click();
      await choose('demo', 'Global');
      await page.getByRole('button', { name: 'Save 1 change', exact: true }).click();
      await page.getByText('Your notification settings are saved.').waitFor();
      expect(wrongs).toEqual([]);
      await page.context().close();
    });

    it('says what loses its level to a setting above', async () => {
      const level = async (path: string, json?: { level: string }) =>
        (
          await rest(json ? 'PUT' : 'GET', `/api/v4${path}/notification_settings`, {
            token: tokens.developer,
            ...(json && { json }),
          })
        ).body as { level: string };
      const project = '/projects/demo%2Fstorefront';
      await level(project, { level: 'watch' });
      const { page, wrongs } = await opened();
      const row = (path: string) =>
        page.locator('.place', { has: page.getByLabel(`Notification level for ${path}`, { exact: true }) });
      const choose = (path: string, chosen: string) =>
        page.getByLabel(`Notification level for ${path}`, { exact: true }).selectOption(chosen);
      await choose('demo', 'On mention');
      await row('demo').getByLabel('Apply to everything in the group').check();
      expect(await row('demo').innerText()).toContain('Applies to everything below');
      const loses = 'Loses Watch: it will be On mention, from Demo';
      expect(await row('demo/storefront').innerText()).toContain(loses);
      expect(await row('demo/platform').innerText()).not.toContain('Loses');
      // What is chosen there too is saved last, and stays.
      await choose('demo/storefront', 'Disabled');
      expect(await row('demo/storefront').innerText()).not.toContain('Loses');
      await choose('demo/storefront', 'Watch');
      expect(await row('demo/storefront').innerText()).toContain(loses);
      await page.getByRole('button', { name: 'Save 1 change', exact: true }).click();
      await page.getByText('Your notification settings are saved.').waitFor();
      expect((await level(project)).level).toBe('global');
      await level('/groups/demo', { level: 'global' });
      expect(wrongs).toEqual([]);
      await page.context().close();
    });

    it('asks before unsaved changes are lost, and only then', async () => {
      const { page } = await opened();
      const asked: string[] = [];
      page.on('dialog', async (dialog) => {
        asked.push(dialog.type());
        await dialog.accept();
      });
      await page.getByLabel('Global notification level').selectOption('Watch');
      await page.getByLabel('Global notification level').selectOption('Participate');
      await page.getByRole('link', { name: 'Overview' }).click();
      await page.waitForURL(`${url}/`);
      expect(asked).toEqual([]);
      await page.goBack();
      await page.getByLabel('Global notification level').selectOption('Watch');
      await page.getByRole('link', { name: 'Overview' }).click();
      await page.waitForURL(`${url}/`);
      expect(asked).toEqual(['beforeunload']);
      await page.context().close();
    });
  });

  it('pages of an instance with 1,000 groups have room at 200 %', async () => {
    const plan: SeedPlan = {
      users: 50,
      groups: 1_000,
      projects: 1_000,
      memberships: 100,
      settings: 0,
      tokens: 100,
      grants: 0,
      labels: 100,
      milestones: 100,
      issues: 1_000,
      notes: 1_000,
    };
    await seed(gateway.gateway.application.database, plan, 'zoom', () => undefined);
    await sql(
      `insert into group_members (user_id, group_id, access_level) select u.id, n.id, 40 from users u, namespaces n
        where u.username = 'root' and n.kind = 'GROUP' on conflict do nothing`,
    );
    const [project] = await sql<{ full_path: string }>(
      `select full_path from projects where full_path like 'zoom-%' order by id limit 1`,
    );
    const inProject = ['', '/-/issues', '/-/members', '/-/edit'].map((page) => `/${project!.full_path}${page}`);
    const inGroup = ['', '/-/members', '/-/sharing'].map((page) => `/groups/zoom-group-1${page}`);
    const anywhere = [
      '/',
      '/profile/notifications',
      '/-/groups/new',
      '/dashboard/issues',
      '/search?search=zoom&scope=groups',
    ];
    const ofInstance = ['', '/users', '/groups', '/projects', '/tokens', '/audit_log'].map((page) => `/admin${page}`);
    const { cookies } = await signIn({ url }, 'root', inject('passwords').root);
    // A window of 1280 by 800 pixels
    const options = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 };
    const context = await windowOf(browser, url, cookies, options);
    const page = await context.newPage();
    const wrongs: string[] = [];
    for (const path of [...anywhere, ...inProject, ...inGroup, ...ofInstance]) {
      const answer = await page.goto(url + path);
      const { length } = await answer!.body();
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (answer!.status() !== 200 || beyond !== 0 || length >= 100_000)
        wrongs.push(`${path} ${answer!.status()}: ${beyond} pixels beyond, ${length} bytes`);
    }
    expect(wrongs).toEqual([]);
    await context.close();
  }, 60_000);

  describe('GraphiQL', () => {
    const editor = (page: Page, within: string) =>
      page.evaluate(
        (selector) =>
          document
            .querySelector<HTMLElement & { CodeMirror: { getValue(): string } }>(`${selector} .CodeMirror`)!
            .CodeMirror.getValue(),
        within,
      );

    /** A subscription shows each result until it is stopped. */
    async function followedThere(page: Page, request: Request): Promise<void> {
      expect((await request.response())!.headers()['content-type']).toMatch(/^text\/event-stream/);
      for (const level of ['mention', 'watch']) {
        await rest('PUT', '/api/v4/notification_settings', { token: tokens.maintainer, json: { level } });
        await vi.waitFor(
          async () => expect(await editor(page, '.result-window')).toContain(`"level": "${level.toUpperCase()}"`),
          { timeout: 20_000 },
        );
      }
      await Promise.all([
        page.waitForEvent('requestfailed', (failed) => failed === request),
        page.getByRole('button', { name: /^Stop query/ }).click(),
      ]);
    }

    // The same page at each address: what it does with an answer needs no second look.
    const short = examples.filter(({ query }, index) => index === 0 || query.startsWith('subscription'));
    it.each([
      ['/graphql', examples],
      ['/api/graphql', short],
      ['/-/graphql-explorer', short],
    ] as const)('at %s runs examples with the token from its field', async (path, run) => {
      const { page, wrongs } = await open(path);
      await page.getByLabel('Token').fill(` ${tokens.maintainer}\t`);
      for (const { name, query } of run) {
        await page.getByRole('button', { name: 'Examples' }).click();
        await page.getByRole('menuitem', { name }).click();
        expect(await editor(page, '.graphiql-query-editor')).toContain(query);
        const [request] = await Promise.all([
          page.waitForRequest((one) => one.method() === 'POST'),
          page.getByRole('button', { name: /^Execute query/ }).click(),
        ]);
        expect(new URL(request.url()).pathname).toBe(path);
        expect(await request.headerValue('authorization')).toBe(`Bearer ${tokens.maintainer}`);
        if (query.startsWith('subscription')) {
          await followedThere(page, request);
          continue;
        }
        const answer = (await (await request.response())!.json()) as { errors?: unknown };
        // Token info doesn't cover personal access tokens.
        if (query.includes('tokenInfo'))
          expect(answer.errors).toMatchObject([{ extensions: { code: 'INVALID_TOKEN' } }]);
        else expect(answer.errors, name).toBeUndefined();
        expect(await page.locator('.CodeMirror-lint-mark-error').count()).toBe(0);
      }
      expect(wrongs).toEqual([]);
      await page.context().close();
    });

    it('stores the token for the tab only', async () => {
      const { page } = await open('/graphql');
      await page.getByLabel('Token').fill(tokens.maintainer);
      await Promise.all([
        page.waitForResponse((answer) => answer.request().method() === 'POST'),
        page.getByRole('button', { name: /^Execute query/ }).click(),
      ]);
      await page.reload();
      expect(await page.getByLabel('Token').inputValue()).toBe(tokens.maintainer);
      const kept = () =>
        page.evaluate(() => ({ tab: Object.values(sessionStorage), browser: Object.values(localStorage).join('\n') }));
      expect((await kept()).tab).toContain(tokens.maintainer);
      expect((await kept()).browser).not.toContain(tokens.maintainer);
      await page.getByLabel('Token').fill('');
      expect((await kept()).tab).toEqual([]);
      await page.context().close();
    });

    it('shows the schema even with an invalid token', async () => {
      const { page } = await open('/graphql');
      await page.getByLabel('Token').fill('not a token');
      await page.reload();
      await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
      await page.getByText('NotificationLevel', { exact: true }).waitFor();
      await page.context().close();
    });

    it('lets the tab key leave its editors', async () => {
      const { page } = await open('/graphql');
      const visited: (string | null)[] = [];
      for (let step = 0; step < 25; step++) {
        await page.keyboard.press('Tab');
        const label = await page.evaluate(() => document.activeElement!.getAttribute('aria-label'));
        visited.push(label);
        // Until they are open, Tab passes by the variables.
        if (label === 'Show editor tools') await page.keyboard.press('Enter');
      }
      expect(visited).toEqual(expect.arrayContaining(['Query', 'Variables', 'Result', 'Open settings dialog']));
      await page.context().close();
    });
  });
});
