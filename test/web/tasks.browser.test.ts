import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newCode, type Code } from '../repository/support/code.ts';
import { authenticator, withSecondFactor } from '../support/oauth/authenticator.ts';
import { hasBrowser, launchBrowser, screenshot, windowOf } from '../support/pages/browser.ts';
import { signIn } from '../support/pages/browser-session.ts';
import { clientApp } from '../support/oauth/client-app.ts';
import { testGateway } from '../support/gateway.ts';
import {
  account,
  codeForm,
  registerApplication,
  session,
  token,
  tokensOf,
  type RegisteredApplication,
} from '../support/oauth/oauth.ts';
import { allTold } from '../support/mail/told.ts';
import { axeFindings } from '../support/pages/walk.ts';

/** What people come for, from the first page to the end: on a phone by touch, and on a desk by keyboard alone. */

const gateway = await testGateway({ CAUSEWAY_INBOX: 'on' });
const { url } = gateway;

let browser: Browser;
beforeAll(async () => {
  if (hasBrowser) browser = await launchBrowser();
});
afterAll(() => browser?.close());

const ways = [
  { way: 'On a phone, by touch', width: 360, byTouch: true },
  { way: 'On a desk, by keyboard', width: 1280, byTouch: false },
];

describe.skipIf(!hasBrowser).each(ways)('$way, a newcomer', ({ width, byTouch }) => {
  /** Names of people and records differ between the ways. */
  const named = (name: string) => `${name}-${width}`;
  let page: Page;
  let code: Code;
  let weather: RegisteredApplication;
  let app: Awaited<ReturnType<typeof clientApp>>;
  const wrongs: string[] = [];

  beforeAll(async () => {
    page = await opened((await signIn(gateway, 'maintainer')).cookies);
    app = await clientApp();
    weather = await registerApplication(await session(gateway, named('weather-owner')), {
      name: 'Weather',
      redirectUris: [app.redirectUri],
    });
    code = await newCode(gateway, { visibility: 'public' });
    await code.commit({ 'README.md': 'one\n' }, { commit_message: 'Begin' });
    await code.branch('topic');
    await code.commit({ 'topic.txt': 'two\n' }, { branch: 'topic', commit_message: 'Add a topic' });
    const json = { source_branch: 'topic', target_branch: 'main', title: 'Add a topic' };
    await gateway.rest('POST', `${code.path}/merge_requests`, { token: gateway.tokens.maintainer, json });
    for (const place of ['/groups/demo', '/projects/demo%2Fstorefront', ''])
      await gateway.rest('PUT', `/api/v4${place}/notification_settings`, {
        token: gateway.tokens.maintainer,
        json: { level: place === '' ? 'participating' : 'global' },
      });
  });
  /** A window of its own. */
  async function opened(cookies: ReadonlyMap<string, string> = new Map()): Promise<Page> {
    const context = await windowOf(browser, url, cookies, {
      viewport: { width, height: 800 },
      hasTouch: byTouch,
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(25_000);
    const made = await context.newPage();
    made.on('pageerror', ({ message }) => void wrongs.push(message));
    return made;
  }

  /**
   * Presses Tab until something has the focus. What has it on the way can be seen, and comes in the order of the page.
   * @throws Error if it isn’t reached
   */
  async function reach(target: Locator): Promise<void> {
    const wanted = (await target.elementHandle())!;
    const place = await page.evaluateHandle(() => ({ last: document.activeElement }));
    for (let presses = 0; presses < 300; presses++) {
      const [isThere, wrong] = await page.evaluate(
        ([way, element]) => {
          const { last } = way;
          const focused = (way.last = document.activeElement);
          if (last === focused || !(focused instanceof HTMLElement) || focused === document.body)
            return [focused === element, ''] as const;
          const { top, bottom, width: w, height } = focused.getBoundingClientRect();
          const shown = focused.outerHTML.slice(0, 150);
          if (w === 0 || height === 0 || bottom <= 0 || top >= innerHeight)
            return [false, `can’t be seen: ${shown}`] as const;
          const isBack =
            last instanceof HTMLElement &&
            last !== document.body &&
            last.isConnected &&
            Boolean(last.compareDocumentPosition(focused) & Node.DOCUMENT_POSITION_PRECEDING) &&
            // From the end of a page, Tab leads to its beginning.
            Boolean(document.querySelector('main')?.contains(focused));
          return [focused === element, isBack ? `comes before ${last.outerHTML.slice(0, 150)}: ${shown}` : ''] as const;
        },
        [place, wanted] as const,
      );
      expect(wrong).toBe('');
      if (isThere) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab doesn’t lead to ${String(target)}`);
  }

  async function press(target: Locator): Promise<void> {
    await target.waitFor();
    if (byTouch) return await target.tap();
    await reach(target);
    await page.keyboard.press('Enter');
  }
  async function type(field: Locator, text: string): Promise<void> {
    if (byTouch) await field.tap();
    else await reach(field);
    await field.fill(text);
  }
  async function choose(field: Locator, label: string): Promise<void> {
    if (!byTouch) await reach(field);
    await field.selectOption({ label });
  }

  /** Presses a link or a button of the page. */
  const go = async (role: 'link' | 'button', name: string | RegExp) =>
    await press(page.locator('main').getByRole(role, { name }).first());
  const ofHeader = async (name: string) =>
    await press(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }));
  /** Opens the account menu, and follows a link of it. */
  async function ofMenu(username: string, name: string): Promise<void> {
    await press(page.getByRole('banner').getByRole('button', { name: username }));
    await press(page.getByRole('navigation', { name: 'Account menu' }).getByRole('link', { name, exact: true }));
  }
  /** The page is accessible, fits the window, and isn't large. */
  async function isSound(name: string): Promise<void> {
    // The walk looks at pages of every width.
    if (byTouch) expect(await axeFindings(page, true), name).toEqual([]);
    const [wide, size] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.outerHTML.length,
    ]);
    expect([name, wide]).toEqual([name, width]);
    expect(size, name).toBeLessThan(100_000);
    await screenshot(page, `task-${name}-${width}`);
  }

  /** Carries out a task in a window without a session. */
  async function asVisitor(task: () => Promise<void>): Promise<void> {
    const own = page;
    page = await opened();
    try {
      await task();
    } finally {
      await page.context().close();
      page = own;
    }
  }
  /** Signs in on the page that is there. */
  async function typePassword(username: string, password: string): Promise<void> {
    await type(page.getByLabel('Username or e-mail'), username);
    await type(page.getByLabel('Password'), password);
    await press(page.getByRole('button', { name: 'Sign in', exact: true }));
  }

  test('mutes everything but mentions in a group, except one project', async () => {
    await page.goto(url);
    await ofHeader('Notifications');
    await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor();
    await choose(page.getByLabel('Notification level for demo', { exact: true }), 'On mention');
    await choose(page.getByLabel('Notification level for demo/storefront'), 'Watch');
    await go('button', 'Save 2 changes');
    await page.getByText('Your notification settings are saved.').waitFor();
    await isSound('notifications');
    const settings = async (place: string) =>
      (await gateway.rest('GET', `/api/v4/${place}/notification_settings`, { token: gateway.tokens.maintainer })).body;
    expect(await settings('groups/demo')).toMatchObject({ level: 'mention' });
    expect(await settings('projects/demo%2Fstorefront')).toMatchObject({ level: 'watch' });
  });

  test('finds a token and revokes it', async () => {
    const secret = await gateway.personalToken('maintainer', ['read_user']);
    await page.goto(url);
    await ofMenu('maintainer', 'Access tokens');
    await page.getByRole('heading', { name: 'Access tokens', level: 1 }).waitFor();
    await isSound('tokens');
    await go('link', 'Revoke test');
    await go('button', 'Revoke');
    await page.getByRole('status').waitFor();
    const { status } = await gateway.rest('GET', '/api/v4/user', { token: secret });
    expect(status).toBe(401);
  });

  test('connects an application and cuts it off', async () => {
    const { username, password } = await account(gateway, named('connecting'));
    const authorize = `${url}/oauth/authorize?${new URLSearchParams({
      client_id: weather.clientId,
      redirect_uri: app.redirectUri,
      response_type: 'code',
      scope: 'read_user',
      state: 'a state',
    }).toString()}`;
    app.pages.set(
      '/',
      () => `<!doctype html><title>Weather</title><a href="${authorize.replaceAll('&', '&amp;')}">Connect</a>`,
    );
    app.pages.set('/callback', async ({ searchParams }) => {
      tokensOf(await token(gateway, codeForm(weather, searchParams.get('code')!)));
      return '<!doctype html><title>Weather</title><h1>Connected</h1>';
    });
    await asVisitor(async () => {
      await page.goto(app.origin);
      await press(page.getByRole('link', { name: 'Connect' }));
      await page.getByText('Then you can approve or deny the application.').waitFor();
      await isSound('connect-sign-in');
      await typePassword(username, password);
      await page.getByRole('heading', { name: 'Authorize Weather?' }).waitFor();
      await isSound('connect-consent');
      // It takes a press a second after the page came to the front, which a first key does here.
      if (!byTouch) await page.keyboard.press('Tab');
      const approve = page.getByRole('button', { name: 'Authorize Weather' });
      await approve.click({ trial: true });
      await press(approve);
      await page.getByRole('heading', { name: 'Connected' }).waitFor();

      await page.goto(url);
      await ofMenu(username, 'Authorized applications');
      await page.getByText('Weather').first().waitFor();
      await isSound('authorized-applications');
      await go('link', /^Revoke/);
      await go('button', 'Revoke');
      await page.getByText('The application can no longer act for you.').waitFor();
    });
  });

  test('signs in without the lost phone, and sets up another one', async () => {
    const { username, password, recoveryCodes } = await withSecondFactor(gateway, named('lost'));
    await asVisitor(async () => {
      await page.goto(`${url}/users/sign_in`);
      await typePassword(username, password);
      await page.getByText('Without your phone, use a recovery code.').waitFor();
      await isSound('second-step');
      await type(page.getByRole('textbox', { name: 'Code' }), recoveryCodes[0]!);
      await press(page.getByRole('button', { name: 'Verify code' }));
      await page.getByText('You signed in with a recovery code.').waitFor();
      await press(page.getByRole('status').getByRole('link', { name: 'Two-factor authentication' }));
      await page.getByText('9 left').waitFor();
      await isSound('second-factor');
      await go('link', 'Disable');
      await go('button', 'Disable');
      await page.getByText('Two-factor authentication is disabled.').waitFor();
      await go('button', 'Enable two-factor authentication');
      const seed = await page.locator('code.secret').innerText();
      await isSound('second-factor-new');
      await type(page.getByRole('textbox', { name: 'Code' }), authenticator(seed.replaceAll(' ', '')).code());
      await go('button', 'Enable');
      await page.getByRole('heading', { name: 'Two-factor authentication is enabled' }).waitFor();
      await go('link', 'I have saved them');
      await page.getByText('10 left').waitFor();
    });
  });

  test('opens an issue, comments on it and closes it', async () => {
    await page.goto(`${url}/demo/storefront/-/issues`);
    await go('link', /^New issue/);
    await type(page.getByLabel('Title'), 'The cart forgets what is in it');
    await page.getByLabel('Title').press('Enter');
    await page.getByRole('heading', { name: /The cart forgets/ }).waitFor();
    await type(page.getByRole('textbox', { name: /omment/ }), 'Since this morning.');
    await go('button', /^Comment/);
    await page.getByText('Since this morning.').waitFor();
    await isSound('issue');
    await go('button', 'Close issue');
    await page.getByRole('button', { name: 'Reopen issue' }).waitFor();
  });

  test('merges what is ready', async () => {
    await page.goto(`${url}/${code.fullPath}/-/merge_requests`);
    await go('link', 'Add a topic');
    const merge = page.getByRole('button', { name: 'Merge', exact: true });
    await merge.waitFor();
    await isSound('merge-request');
    await press(merge);
    await page.getByText('The merge request is merged.').first().waitFor();
  });

  test('sets custom events from the reference, and looks at the settings in GraphiQL', async () => {
    await page.goto(url);
    await ofHeader('API');
    await press(page.getByRole('button', { name: 'Explore as maintainer' }));
    await press(page.getByRole('button', { name: 'Allow changes' }));
    await page.getByText('As maintainer, with changes').waitFor();
    const call = page.locator('#operations-Notification_settings-putApiV4NotificationSettings');
    if (byTouch) {
      await press(page.locator('.docs-menu summary'));
      await press(page.locator('.docs-menu').getByRole('link', { name: 'Notification settings' }));
      await page.waitForFunction(() => document.activeElement?.closest('#operations-tag-Notification_settings'));
      await press(call.locator('button').first());
    } else {
      await page.keyboard.press('/');
      await page.keyboard.type('custom events');
      await press(page.locator('.find-call a').first());
    }
    // It has its place once its errors are there.
    await call.getByText(/^Errors: /).waitFor();
    await press(call.getByRole('button', { name: 'Try it out' }));
    await type(call.locator('textarea'), '{"level": "custom", "new_note": true}');
    await call.getByRole('button', { name: 'Reset' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    const [request] = await Promise.all([
      page.waitForRequest((sent) => sent.method() === 'PUT'),
      press(call.getByRole('button', { name: 'Execute' })),
    ]);
    expect((await request.response())!.status()).toBe(200);
    await page.goto(`${url}/graphql`);
    await press(page.getByRole('button', { name: 'Explore as maintainer' }));
    await press(page.getByRole('button', { name: /^Execute query/ }));
    await page.locator('.result-window').getByText('"CUSTOM"').waitFor();
    await page.getByText(/^Cost \d+ of 100,000$/).waitFor();
    expect(wrongs).toEqual([]);
  });
});

describe.skipIf(!hasBrowser)('Two people, each in a browser,', () => {
  const project = 'demo/storefront';
  const title = 'The shelf is empty';

  /** A browser of its own in which a person is signed in. */
  async function browserOf(username: string, password?: string): Promise<Page> {
    const { cookies } = await signIn(gateway, username, password);
    const context = await windowOf(browser, url, cookies, { reducedMotion: 'reduce' });
    context.setDefaultTimeout(25_000);
    return await context.newPage();
  }

  test('one mutes a group but for mentions: one message of two comes, with its reason, and a click ends them', async () => {
    const dan = await browserOf('developer');
    await dan.goto(`${url}/profile/notifications`);
    await dan.getByLabel('Notification level for demo', { exact: true }).selectOption({ label: 'On mention' });
    await dan.getByRole('button', { name: /^Save/ }).click();
    await dan.getByText('Your notification settings are saved.').waitFor();

    const mary = await browserOf('maintainer');
    await mary.goto(`${url}/${project}/-/issues/new`);
    await mary.getByLabel('Title').fill(title);
    await mary.getByRole('textbox', { name: 'Description' }).fill('@developer, since this morning.');
    await mary.getByRole('button', { name: 'Create issue' }).click();
    await mary.getByRole('heading', { name: title }).waitFor();
    await mary.getByRole('textbox', { name: /omment/ }).fill('It is filled again.');
    await mary.getByRole('button', { name: /^Comment/ }).click();
    await mary.getByText('It is filled again.').waitFor();
    const [, iid] = /issues\/(\d+)/.exec(mary.url())!;

    const root = await browserOf('root', inject('passwords').root);
    const messages = root.getByRole('row', { name: title });
    await allTold(gateway);
    await expect
      .poll(async () => {
        await root.goto(`${url}/-/mail`);
        return await messages.allInnerTexts();
      })
      .toEqual([expect.stringContaining('developer@')]);
    await messages.getByRole('link').click();
    const message = root.frameLocator('iframe');
    await message.getByText('you are mentioned').waitFor();
    await message.getByText('since this morning').waitFor();
    await screenshot(root, 'task-message');

    await dan.goto((await message.getByRole('link', { name: /unsubscribe/i }).getAttribute('href'))!);
    await dan.getByRole('button', { name: 'Unsubscribe' }).click();
    await dan.getByRole('heading', { name: 'Unsubscribed' }).waitFor();
    const { body } = await gateway.rest('GET', `/api/v4/projects/${encodeURIComponent(project)}/issues/${iid}`, {
      token: gateway.tokens.developer,
    });
    expect(body).toMatchObject({ subscribed: false });

    // Why the third person got none.
    const { data } = await gateway.graphql<{ why: { notified: boolean; steps: { step: string; passed: boolean }[] } }>(
      `{ why: notificationDecision(event: NEW_ISSUE, project: "${project}", iid: "${iid}") { notified level source steps { step passed } } }`,
      { token: gateway.tokens.guest },
    );
    expect(data!.why).toMatchObject({ notified: false, level: 'PARTICIPATING', source: 'DEFAULT' });
    expect(data!.why.steps.at(-1)).toMatchObject({ passed: false });
  });
});
