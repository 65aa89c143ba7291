import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newCode, type Code } from '../repository/support/code.ts';
import { hasBrowser, launchBrowser, screenshot } from '../support/browser.ts';
import { signIn } from '../support/browser-session.ts';
import { testGateway } from '../support/gateway.ts';
import { registerApplication, sessionOf, tokensFor } from '../support/oauth.ts';
import { allTold } from '../support/told.ts';
import { axeFindings } from '../support/walk.ts';

/** What people come for, from the first page to the end, on a phone and by keyboard. */

const gateway = await testGateway({ CAUSEWAY_INBOX: 'on' });
const { url } = gateway;

let browser: Browser;
beforeAll(async () => {
  if (hasBrowser) browser = await launchBrowser();
});
afterAll(() => browser?.close());

describe.skipIf(!hasBrowser)('On a phone, by keyboard, a maintainer', () => {
  let page: Page;
  let code: Code;
  const wrongs: string[] = [];

  beforeAll(async () => {
    const { cookies } = await signIn(gateway, 'maintainer');
    const context = await browser.newContext({ viewport: { width: 360, height: 800 }, reducedMotion: 'reduce' });
    context.setDefaultTimeout(25_000);
    await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url })));
    page = await context.newPage();
    page.on('pageerror', ({ message }) => void wrongs.push(message));
    const mary = sessionOf(gateway, 'maintainer', cookies.get('causeway_session')!);
    const application = await registerApplication(mary, {
      name: 'Weather',
      redirectUris: ['https://weather.example/callback'],
    });
    await tokensFor(mary, application, 'read_user');
    code = await newCode(gateway, { visibility: 'public' });
    await code.commit({ 'README.md': 'one\n' }, { commit_message: 'Begin' });
    await code.branch('topic');
    await code.commit({ 'topic.txt': 'two\n' }, { branch: 'topic', commit_message: 'Add a topic' });
    const json = { source_branch: 'topic', target_branch: 'main', title: 'Add a topic' };
    await gateway.rest('POST', `${code.path}/merge_requests`, { token: gateway.tokens.maintainer, json });
  });

  /** Presses Enter on a link or a button of the page. */
  const go = async (role: 'link' | 'button', name: string | RegExp) =>
    await page.locator('main').getByRole(role, { name }).first().press('Enter');
  const ofHeader = async (name: string) =>
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).press('Enter');
  /** Opens the account menu, and follows a link of it. */
  async function ofMenu(name: string): Promise<void> {
    await page.getByRole('banner').getByRole('button', { name: 'maintainer' }).press('Enter');
    await page
      .getByRole('navigation', { name: 'Account menu' })
      .getByRole('link', { name, exact: true })
      .press('Enter');
  }
  /** The page is accessible, fits the phone, and isn't large. */
  async function isSound(name: string): Promise<void> {
    expect(await axeFindings(page, true), name).toEqual([]);
    const [width, size] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.outerHTML.length,
    ]);
    expect([name, width]).toEqual([name, 360]);
    expect(size, name).toBeLessThan(100_000);
    await screenshot(page, `task-${name}`);
  }

  test('mutes everything but mentions in a group, except one project', async () => {
    await page.goto(url);
    await ofHeader('Notifications');
    await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor();
    await page.getByLabel('Notification level for demo', { exact: true }).selectOption({ label: 'On mention' });
    await page.getByLabel('Notification level for demo/storefront').selectOption({ label: 'Watch' });
    await go('button', 'Save 2 changes');
    await page.getByText('Your notification settings are saved.').waitFor();
    await isSound('notifications');
    const settings = async (place: string) =>
      (await gateway.rest('GET', `/api/v4/${place}/notification_settings`, { token: gateway.tokens.maintainer })).body;
    expect(await settings('groups/demo')).toMatchObject({ level: 'mention' });
    expect(await settings('projects/demo%2Fstorefront')).toMatchObject({ level: 'watch' });
  });

  test('finds a token and revokes it', async () => {
    const token = await gateway.personalToken('maintainer', ['read_user']);
    await page.goto(url);
    await ofMenu('Access tokens');
    await page.getByRole('heading', { name: 'Access tokens', level: 1 }).waitFor();
    await isSound('tokens');
    await go('link', 'Revoke test');
    await go('button', 'Revoke');
    await page.getByRole('status').waitFor();
    const { status } = await gateway.rest('GET', '/api/v4/user', { token });
    expect(status).toBe(401);
  });

  test('cuts an application off', async () => {
    await page.goto(url);
    await ofMenu('Authorized applications');
    await page.getByText('Weather').first().waitFor();
    await isSound('authorized-applications');
    await go('link', /^Revoke/);
    await go('button', 'Revoke');
    await page.getByText('The application can no longer act for you.').waitFor();
  });

  test('opens an issue, comments on it and closes it', async () => {
    await page.goto(`${url}/demo/storefront/-/issues`);
    await go('link', /^New issue/);
    await page.getByLabel('Title').fill('The cart forgets what is in it');
    await page.getByLabel('Title').press('Enter');
    await page.getByRole('heading', { name: /The cart forgets/ }).waitFor();
    await page.getByRole('textbox', { name: /omment/ }).fill('Since this morning.');
    await go('button', /^Comment/);
    await page.getByText('Since this morning.').waitFor();
    await isSound('issue');
    await go('button', 'Close issue');
    await page.getByRole('button', { name: 'Reopen issue' }).waitFor();
  });

  test('merges what is ready', async () => {
    await page.goto(`${url}/${code.fullPath}/-/merge_requests`);
    await go('link', 'Add a topic');
    await page.getByRole('button', { name: 'Merge', exact: true }).waitFor();
    await isSound('merge-request');
    await page.getByRole('button', { name: 'Merge', exact: true }).press('Enter');
    await page.getByText('The merge request is merged.').first().waitFor();
  });

  test('sets custom events from the reference, and looks at the settings in GraphiQL', async () => {
    await page.goto(url);
    await ofHeader('API');
    await page.getByRole('button', { name: 'Explore as maintainer' }).press('Enter');
    await page.getByRole('button', { name: 'Allow changes' }).press('Enter');
    await page.getByText('As maintainer, with changes').waitFor();
    await page.locator('.docs-menu summary').press('Enter');
    await page.locator('.docs-menu').getByRole('link', { name: 'Notification settings' }).press('Enter');
    const call = page.locator('#operations-Notification_settings-putApiV4NotificationSettings');
    await call.locator('button').first().press('Enter');
    await call.getByRole('button', { name: 'Try it out' }).press('Enter');
    const body = call.locator('textarea');
    await body.fill('{"level": "custom", "new_note": true}');
    const [request] = await Promise.all([
      page.waitForRequest((sent) => sent.method() === 'PUT'),
      call.getByRole('button', { name: 'Execute' }).press('Enter'),
    ]);
    expect((await request.response())!.status()).toBe(200);
    await page.goto(`${url}/graphql`);
    await page.getByRole('button', { name: 'Explore as maintainer' }).press('Enter');
    await page.getByRole('button', { name: /^Execute query/ }).press('Enter');
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
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    context.setDefaultTimeout(25_000);
    await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url })));
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
