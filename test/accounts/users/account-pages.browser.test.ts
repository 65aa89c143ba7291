import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { aWhileLater, authenticator } from '../../support/oauth/authenticator.ts';
import { hasBrowser, launchBrowser, screenshot } from '../../support/pages/browser.ts';
import { testGateway } from '../../support/gateway.ts';
import { mailbox } from '../../support/mail/mailbox.ts';
import { account } from '../../support/oauth/oauth.ts';
import { axeFindings } from '../../support/pages/walk.ts';

const mails = await mailbox();
const gateway = await testGateway({ ...mails.settings, CAUSEWAY_SIGN_UP: 'on' });
const { url } = gateway;

describe.skipIf(!hasBrowser)('Account pages, in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  const wrongs: string[] = [];
  async function someone(javaScriptEnabled: boolean): Promise<{ context: BrowserContext; page: Page }> {
    const context = await browser.newContext({ javaScriptEnabled });
    context.setDefaultTimeout(25_000);
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' && !/the server responded with a status of 4/.test(message.text()))
        wrongs.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(`${url}/`) && !request.url().startsWith('data:'))
        wrongs.push(`asked ${request.url()}`);
    });
    return { context, page };
  }

  const press = (page: Page, name: string) => page.locator('main').getByRole('button', { name }).click();

  async function typePassword(page: Page, username: string, password: string): Promise<void> {
    await page.goto(`${url}/users/sign_in`);
    await page.getByLabel('Username or e-mail').fill(username);
    await page.getByLabel('Password').fill(password);
    await press(page, 'Sign in');
  }

  async function signOut(page: Page): Promise<void> {
    await page.getByRole('banner').getByRole('button', { name: 'keeper' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
  }

  test('two-factor authentication is enabled, asked for, and replaced by a recovery code, without JavaScript', async () => {
    const { username, password } = await account(gateway, 'keeper');
    const { context, page } = await someone(false);
    await typePassword(page, username, password);
    await page.goto(`${url}/profile/second_factor`);
    await press(page, 'Enable two-factor');
    await page.getByRole('img', { name: /^QR code/ }).waitFor();
    const app = authenticator((await page.locator('code.secret').innerText()).replaceAll(' ', ''));
    await page.getByRole('textbox', { name: 'Code' }).fill(app.code());
    await press(page, 'Enable');
    await page.getByRole('heading', { name: 'Two-factor authentication is enabled' }).waitFor();
    const codes = await page.locator('.recovery-codes code').allInnerTexts();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Save as a file' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('recovery-codes.txt');
    expect((await readFile(await file.path(), 'utf8')).split('\n').filter((line) => codes.includes(line))).toEqual(
      codes,
    );

    await signOut(page);
    await aWhileLater(gateway);
    await typePassword(page, username, password);
    await page.getByRole('textbox', { name: 'Code' }).fill(app.code());
    await page.keyboard.press('Enter');
    await page.getByRole('banner').getByRole('button', { name: username }).waitFor();

    await signOut(page);
    await typePassword(page, username, password);
    await page.getByRole('textbox', { name: 'Code' }).fill(codes[3]!);
    await press(page, 'Verify code');
    await page.getByRole('banner').getByRole('button', { name: username }).waitFor();
    await page.goto(`${url}/profile/second_factor`);
    await page.getByText('9 left').waitFor();
    expect(wrongs).toEqual([]);
    await context.close();
  });

  test('a new password is judged while it is typed, as the server will', async () => {
    const { context, page } = await someone(true);
    await page.goto(`${url}/users/sign_up`);
    const lists: string[] = [];
    page.on('request', (request) => void (request.url().includes('/assets/strength') && lists.push(request.url())));
    const said = page.locator('.strength').getByRole('status');
    const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);
    await fill('Name', 'Ada Lovelace');
    await fill('Username', 'countess');
    await fill('E-mail', 'ada@difference.example');
    expect(lists).toEqual([]);
    for (const [password, judgement] of [
      ['short', '3 more'],
      ['password123', 'Easy to guess: many people choose it'],
      ['lovelace2026', 'Easy to guess: it is made of'],
      ['difference1', 'Easy to guess: it is made of'],
      ['countess1', 'Easy to guess: it is made of'],
      ['kettle77q', 'Good enough.'],
      ['a lantern on the quay', 'Hard to guess.'],
      ['a'.repeat(129), '1 too many'],
      ['', ''],
    ] as const) {
      await fill('Password', password);
      await vi.waitFor(
        async () => expect([password, await said.innerText()]).toEqual([password, expect.stringContaining(judgement)]),
        { timeout: 20_000, interval: 50 },
      );
    }
    expect(lists).toHaveLength(1);
    await fill('Password', 'lovelace2026');
    await press(page, 'Register');
    await page.getByText('must not be made of the name, the username').waitFor();
    // On the page of one's own password, the page knows who one is.
    const { username, password, email } = await account(gateway, 'meter-reader');
    await typePassword(page, username, password);
    await page.goto(`${url}/profile/password`);
    await page.getByLabel('New password', { exact: true }).fill(email);
    await said.getByText('Easy to guess: it is made of').waitFor();
    expect(wrongs).toEqual([]);
    await context.close();
  });

  // Those that test/web/walk doesn’t come to.
  test('every page fits a light desktop and a dark phone, and passes axe', async () => {
    const { username, password, email } = await account(gateway, 'seen');
    await gateway.sql(
      `insert into emails (user_id, address, verified_at) select id, 'seen@work.example', now() from users where username = 'seen'
       union all select id, 'a-rather-long-name-of-a-person@a-rather-long-name-of-a-company.example', null from users where username = 'seen'`,
    );
    const { context, page } = await someone(true);

    async function look(name: string): Promise<void> {
      expect([name, await page.locator('h1').count(), await page.locator('main').count()]).toEqual([name, 1, 1]);
      expect((await page.content()).length, name).toBeLessThan(60_000);
      for (const [colorScheme, width] of [
        ['light', 1280],
        ['dark', 390],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 844 });
        await screenshot(page, `${name}-${colorScheme}-${width}`);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `${name} ${width}`).toBe(
          0,
        );
        expect([name, colorScheme, await axeFindings(page, colorScheme === 'light')]).toEqual([name, colorScheme, []]);
      }
    }
    const see = async (name: string, path: string) => {
      await page.goto(url + path);
      await look(name);
    };

    await page.goto(`${url}/users/sign_up`);
    for (const [label, text] of [
      ['Name', ' '],
      ['Username', 'admin'],
      ['E-mail', 'no@where'],
      ['Password', 'short'],
    ] as const) {
      await page.getByLabel(label, { exact: true }).fill(text);
    }
    await press(page, 'Register');
    await page.getByText('Nothing is saved yet').waitFor();
    await look('sign-up-wrong');
    for (const [label, text] of [
      ['Name', 'Hasty'],
      ['Username', 'hasty'],
      ['E-mail', 'hasty@new.example'],
      ['Password', 'a lantern on the quay'],
    ] as const) {
      await page.getByLabel(label, { exact: true }).fill(text);
    }
    await press(page, 'Register');
    await page.getByText('Check your mail').waitFor();
    await page.getByLabel('Username or e-mail').fill('hasty');
    await page.getByLabel('Password').fill('a lantern on the quay');
    await press(page, 'Sign in');
    await page.getByText('Your password is right.').waitFor();
    await look('unconfirmed');
    await page.goto(`${url}/users/password/new`);
    await page.getByLabel('Username or e-mail').fill(username);
    await press(page, 'Send the link');
    await page.getByText('If the account exists').waitFor();
    await page.goto((await mails.latest(email, 'Choose a new password')).link);
    expect(page.url()).toBe(`${url}/users/password/edit`);
    await look('new-password');

    await typePassword(page, username, password);
    await page.goto(`${url}/profile/emails`);
    await page.getByLabel('Address').fill('root@example.com');
    await press(page, 'Add the address');
    await page.getByText('has already been taken').waitFor();
    await look('emails-wrong');
    await press(page, 'Send the link again');
    await page.goto(
      (await mails.latest('a-rather-long-name-of-a-person@a-rather-long-name-of-a-company.example', 'Confirm')).link,
    );
    await look('confirm-address');
    await page.goto(`${url}/profile`);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Typed before the session ended');
    await gateway.sql('delete from sessions');
    await press(page, 'Save changes');
    await page.getByText('Your session has ended.').waitFor();
    await look('session-ended');
    await page.getByLabel('Username or e-mail').fill(username);
    await page.getByLabel('Password').fill(password);
    await press(page, 'Sign in');
    await page.getByText('What you typed is restored').waitFor();
    await look('restored');
    await page.goto(`${url}/profile/second_factor`);
    await press(page, 'Enable two-factor');
    await page.getByRole('img', { name: /^QR code/ }).waitFor();
    await page
      .getByRole('textbox', { name: 'Code' })
      .fill(authenticator((await page.locator('code.secret').innerText()).replaceAll(' ', '')).code());
    await press(page, 'Enable');
    await page.getByRole('heading', { name: 'Two-factor authentication is enabled' }).waitFor();
    await look('recovery-codes');
    await gateway.sql('update recovery_codes set used_at = now() where id % 5 > 0');
    await see('second-factor-on', '/profile/second_factor');
    await context.clearCookies();
    await typePassword(page, username, password);
    await look('second-step');
    expect(wrongs).toEqual([]);
    await context.close();
  });
});
