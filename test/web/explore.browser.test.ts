import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, launchBrowser, windowOf } from '../support/pages/browser.ts';
import { signIn } from '../support/pages/browser-session.ts';
import { testGateway } from '../support/gateway.ts';

/** Exploring the API as oneself, in a browser. */

const gateway = await testGateway();
const { url } = gateway;

describe.skipIf(!hasBrowser)('GraphiQL and the API reference', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(async () => await browser.close());

  async function opened(path: string): Promise<{ page: Page; wrongs: string[] }> {
    const { cookies } = await signIn(gateway, 'developer');
    const context = await windowOf(browser, url, cookies, { permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    const wrongs: string[] = [];
    page.on('pageerror', (error) => wrongs.push(String(error)));
    await page.goto(url + path);
    return { page, wrongs };
  }
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
  const result = (page: Page) => page.locator('.result-window');

  test('GraphiQL runs a query as the person, by one press, and stores no token', async () => {
    const { page, wrongs } = await opened('/graphql');
    const middleOf = async (selector: string) =>
      await page.locator(selector).evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return Math.round((top + bottom) / 2);
      });
    const isWithin = async (width: number) => {
      await page.setViewportSize({ width, height: 740 });
      return await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    };
    await button(page, 'Explore as developer').waitFor();
    await page.getByLabel('Token').waitFor();
    expect(await isWithin(360)).toBe(true);
    const { x, width } = (await page.getByLabel('Token').boundingBox())!;
    expect(x + width).toBeLessThanOrEqual(360);
    await button(page, 'Explore as developer').click();
    await page.getByText('As developer, reading only').waitFor();
    expect(await isWithin(360)).toBe(true);
    expect(await isWithin(1280)).toBe(true);
    expect(await middleOf('.top nav')).toBeCloseTo(await middleOf('.top .brand'), -1);
    expect(await page.getByLabel('Token').isVisible()).toBe(false);
    await button(page, /^Execute query/).click();
    await page.waitForFunction(() =>
      /"username": "developer"/.test(document.querySelector('.result-window')!.textContent!),
    );
    const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(stored).not.toContain('cwpat_');
    await button(page, 'Stop').click();
    await button(page, 'Explore as developer').waitFor();
    expect(wrongs).toEqual([]);
    await page.context().close();
  });

  test('a link fills in a document, runs nothing, and a mutation of it asks once more', async () => {
    const query = 'mutation { updateNotificationSettings(input: {level: WATCH}) { errors } }';
    const { page, wrongs } = await opened(`/graphql#${new URLSearchParams({ query }).toString()}`);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/graphql')) sent.push(request.postData() ?? '');
    });
    const asked: string[] = [];
    let answer = false;
    page.on('dialog', async (dialog) => {
      asked.push(dialog.message());
      await (answer ? dialog.accept() : dialog.dismiss());
    });
    await page.locator('.query-editor, .graphiql-query-editor').getByText('updateNotificationSettings').waitFor();
    await button(page, 'Explore as developer').click();
    await button(page, 'Allow changes').click();
    await page.getByText('As developer, with changes').waitFor();
    await button(page, /^Execute query/).click();
    await result(page).getByText('It wasn’t run').first().waitFor();
    expect(await result(page).innerText()).not.toContain('stack');
    expect(asked).toHaveLength(1);
    expect(sent.filter((body) => body.includes('updateNotificationSettings'))).toEqual([]);
    answer = true;
    await button(page, /^Execute query/).click();
    await expect.poll(() => sent.filter((body) => body.includes('updateNotificationSettings'))).toHaveLength(1);
    await result(page).getByText('It wasn’t run').first().waitFor({ state: 'detached' });
    await result(page).getByText('"errors"').waitFor();

    await button(page, 'Copy as').click();
    await page.getByRole('menuitem', { name: 'Link' }).click();
    await page.getByText('Copied', { exact: true }).waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(new URLSearchParams(new URL(link).hash.slice(1)).get('query')).toBe(query);
    await button(page, 'Copy as').click();
    await page.getByRole('menuitem', { name: 'curl' }).click();
    await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith('curl'));
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('$TOKEN');
    await button(page, 'Copy as').click();
    await page.getByRole('menuitem', { name: 'REST call' }).click();
    await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes('-X PUT'));
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('{"level":"watch"}');
    await page.getByText(/^Cost \d+ of 100,000$/).waitFor();
    expect(wrongs).toEqual([]);
    await page.context().close();
  });

  test('the reference says in view of every call who one is, and what to do after a 401', async () => {
    const { page, wrongs } = await opened('/docs#/Users');
    // The link leads to its subject, whose calls are open.
    const subject = page.locator('#operations-tag-Users');
    await page.locator('#operations-Users-getApiV4User').waitFor();
    await page.waitForFunction(() => {
      const { top } = document.getElementById('operations-tag-Users')!.getBoundingClientRect();
      return top >= 0 && top < innerHeight;
    });
    expect(await subject.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    const isInView = async () =>
      await page.locator('#explorer').evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        const over = document.elementFromPoint(element.getBoundingClientRect().left + 5, (top + bottom) / 2);
        return top >= 0 && bottom <= innerHeight && element.contains(over);
      });
    expect(await isInView()).toBe(true);

    const call = page.locator('#operations-Users-getApiV4User');
    await call.locator('.opblock-summary-control').click();
    await call.getByRole('button', { name: 'Try it out' }).click();
    const execute = call.getByRole('button', { name: 'Execute' });
    await execute.click();
    await page.getByText('This call needs to know you: explore as developer.').waitFor();
    await button(page, 'Explore as developer').click();
    await page.getByText('As developer, reading only').waitFor();
    await execute.scrollIntoViewIfNeeded();
    expect(await isInView()).toBe(true);
    await gateway.sql(
      'update personal_access_tokens set revoked_at = now() where id = (select max(id) from personal_access_tokens)',
    );
    await execute.click();
    await page.getByText('The token of this page is over. Explore again.').waitFor();
    await button(page, 'Explore as developer').waitFor();
    expect(wrongs).toEqual([]);
    await page.context().close();
  });

  test('keeps the focus, and says what a call needs that changes something', async () => {
    const { page } = await opened('/docs#/Notification%20settings/putApiV4NotificationSettings');
    await button(page, 'Explore as developer').press('Enter');
    await page.getByText('As developer, reading only').waitFor();
    const focused = () => page.evaluate(() => document.activeElement!.textContent);
    expect(await focused()).toBe('Allow changes');
    const call = page.locator('#operations-Notification_settings-putApiV4NotificationSettings');
    await call.getByRole('button', { name: 'Try it out' }).click();
    await call.locator('textarea').fill('{"level": "watch"}');
    await call.getByRole('button', { name: 'Execute' }).click();
    await page.getByText('This call changes something: allow changes first.').waitFor();
    await button(page, 'Allow changes').press('Enter');
    await page.getByText('As developer, with changes').waitFor();
    expect(await focused()).toBe('Stop');
    await page.context().close();
  });

  test('leads to sign in after the person signed out in another tab', async () => {
    const { page, wrongs } = await opened('/graphql');
    await button(page, 'Explore as developer').click();
    await page.getByText('As developer, reading only').waitFor();
    const other = await page.context().newPage();
    await other.goto(url);
    await button(other, 'developer').click();
    await button(other, 'Sign out').click();
    await other.getByText('You are signed out.').waitFor();
    await button(page, /^Execute query/).click();
    await page.getByText('You are signed out.').waitFor();
    await page.getByRole('link', { name: 'Sign in to explore as yourself' }).waitFor();
    expect(wrongs).toEqual([]);
    await page.context().close();
  });

  test('offers the person who is signed in now, if the one of the page isn’t any more', async () => {
    const { page } = await opened('/graphql');
    await button(page, 'Explore as developer').waitFor();
    const { cookies } = await signIn(gateway, 'maintainer');
    await page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url })));
    await button(page, 'Explore as developer').click();
    await button(page, 'Explore as maintainer').click();
    await page.getByText('As maintainer, reading only').waitFor();
    await page.context().close();
  });

  test('a link into the plain list of routes leads to the same subject', async () => {
    const { page } = await opened('/docs#merge-requests');
    await page.waitForFunction(() => {
      const heading = document.getElementById('operations-tag-Merge_requests');
      return (
        heading !== null &&
        heading.contains(document.activeElement) &&
        heading.getBoundingClientRect().top < innerHeight
      );
    });
    await page.context().close();
  });

  test('the reference opens the call of a link, finds others, and calls as the person with a plain path', async () => {
    const { page, wrongs } = await opened('/docs#/Projects/getApiV4ProjectsId');
    const call = page.locator('#operations-Projects-getApiV4ProjectsId');
    await call.getByText('Errors: 400').waitFor();
    expect(await call.evaluate((element) => Math.abs(element.getBoundingClientRect().top) < innerHeight)).toBe(true);
    await button(page, 'Explore as developer').click();
    await page.getByText('As developer, reading only').waitFor();
    await call.getByRole('button', { name: 'Try it out' }).click();
    await call.getByPlaceholder('id', { exact: true }).fill('demo/storefront');
    const [request] = await Promise.all([
      page.waitForRequest(/\/api\/v4\/projects\//),
      call.getByRole('button', { name: 'Execute' }).click(),
    ]);
    expect(new URL(request.url()).pathname).toBe('/api/v4/projects/demo%2Fstorefront');
    expect((await request.response())!.status()).toBe(200);
    expect(await page.content()).not.toContain('cwpat_');

    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press('/');
    await page.keyboard.type('award emoji issue delete');
    const first = page.locator('.find-call a').first();
    expect(await first.innerText()).toMatch(/^DELETE .*award_emoji/);
    const focused = async () => await page.evaluate(() => document.activeElement!.textContent);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe(await page.locator('.find-call a').nth(1).textContent());
    await page.keyboard.press('ArrowUp');
    expect(await focused()).toBe(await first.textContent());
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.locator('.opblock.is-open.opblock-delete').waitFor();
    expect(wrongs).toEqual([]);
    await page.context().close();
  });
});
