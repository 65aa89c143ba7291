import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserSession, signIn, type BrowserSession, type WebPage } from '../../support/browser-session.ts';
import { hasBrowser, launchBrowser } from '../../support/browser.ts';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import { linksOf } from '../../support/page.ts';
import { looksAt, Walk, type Stop } from '../../support/walk.ts';

/**
 * The pages of planning, in the project `demo/storefront`: Mary is its maintainer, Gus a guest. One gateway serves the
 * sessions without a browser and the browser.
 */

let gateway: TestGateway;
let mary: BrowserSession;
let gus: BrowserSession;
const anyone = () => browserSession(gateway);
beforeAll(async () => {
  gateway = await testGateway();
  mary = await signIn(gateway, 'maintainer');
  gus = await signIn(gateway, 'guest');
  await write('POST', '/groups/demo/labels', { name: 'urgent', color: '#FFFFFF', description: 'Before anything else' });
  await write('POST', `${shop}/labels`, { name: 'bug', color: '#d9534f' });
  await write('POST', `${shop}/milestones`, { title: 'Opening', due_date: '2030-05-01' });
  const issues = [
    { title: 'Cart loses an item', labels: 'bug,urgent', milestone_id: 1, assignee_id: await idOf('developer') },
    { title: 'Prices without cents', labels: 'bug', description: 'See the **cart**.\n\n- [x] one\n- [ ] two' },
    { title: 'Greeting is wrong', confidential: true },
    { title: 'Done long ago' },
  ];
  for (const issue of issues) await write('POST', `${shop}/issues`, issue);
  await write('PUT', `${shop}/issues/4`, { state_event: 'close' });
});

const shop = '/projects/demo%2Fstorefront';
const write = async (method: string, path: string, json: object): Promise<Record<string, unknown>> => {
  const { status, body } = await gateway.rest(method, `/api/v4${path}`, { token: gateway.tokens.maintainer, json });
  expect([method, path, status, body]).toEqual([method, path, method === 'POST' ? 201 : 200, body]);
  return body as Record<string, unknown>;
};
const idOf = async (username: string) => {
  const [user] = await gateway.sql<{ id: number }>('select id from users where username = $1', [username]);
  return user!.id;
};

/** The titles of a list, in its order. */
const titlesOf = ({ html }: WebPage) =>
  [...html.matchAll(/<li class="line"><div><a href="[^"]*"><bdi>([^<]*)</g)].map(([, title]) => title);

const issues = '/demo/storefront/-/issues';

describe('the list of issues', () => {
  const listed = async (query = '', who: BrowserSession = mary) => titlesOf(await who.get(issues + query));

  test('has open issues, the newest first, and counts of all states', async () => {
    const page = await mary.get(issues);
    expect(page.status).toBe(200);
    expect(titlesOf(page)).toEqual(['Greeting is wrong', 'Prices without cents', 'Cart loses an item']);
    expect(page.text).toContain('Open 3 Closed 1 All 4');
    expect(page.text).toContain('1 of 2 tasks');
  });

  test('hides confidential issues, also from the counts', async () => {
    for (const who of [gus, anyone()]) {
      const page = await who.get(`${issues}?state=all`);
      expect(titlesOf(page)).toEqual(['Done long ago', 'Prices without cents', 'Cart loses an item']);
      expect(page.text).toContain('Open 2 Closed 1 All 3');
    }
  });

  test.each([
    ['?state=closed', ['Done long ago']],
    ['?search=cart', ['Prices without cents', 'Cart loses an item']],
    ['?label_name=bug', ['Prices without cents', 'Cart loses an item']],
    ['?label_name=bug,+urgent', ['Cart loses an item']],
    ['?label_name%5B%5D=bug&label_name%5B%5D=urgent', ['Cart loses an item']],
    ['?label_name=None', ['Greeting is wrong']],
    ['?milestone_title=Opening', ['Cart loses an item']],
    ['?milestone_title=None&search=cart', ['Prices without cents']],
    ['?milestone_title=%23upcoming', ['Cart loses an item']],
    ['?assignee_username=developer', ['Cart loses an item']],
    ['?assignee_username=None', ['Greeting is wrong', 'Prices without cents']],
    ['?assignee_id=Any', ['Cart loses an item']],
    ['?author_username=maintainer&state=closed', ['Done long ago']],
    ['?author_username=guest', []],
    ['?sort=title_asc', ['Cart loses an item', 'Greeting is wrong', 'Prices without cents']],
    ['?state=nonsense&sort=nonsense&page=7', ['Greeting is wrong', 'Prices without cents', 'Cart loses an item']],
  ])('%s', async (query, expected) => {
    expect(await listed(query)).toEqual(expected);
  });

  test('keeps its filters in tabs, in labels and in the form', async () => {
    const { html } = await mary.get(`${issues}?label_name=bug&sort=title_asc&assignee_username=developer`);
    const kept = 'label_name=bug&assignee_username=developer&sort=title_asc';
    expect(linksOf(html)).toContain(`${issues}?state=closed&${kept}`);
    expect(linksOf(html)).toContain(`${issues}?${kept.replace('bug', 'bug%2Curgent')}`);
    expect(html).toMatch(/<option (?=[^>]*value="title_asc")[^>]*selected/);
    expect(html).toMatch(/name="assignee_username"[^>]* value="developer"/);
  });

  test('says why there is no button', async () => {
    expect((await anyone().get(issues)).text).toContain('Sign in to create an issue.');
    expect((await gus.get(issues)).text).toContain('New issue');
  });

  test('is missing where the project is', async () => {
    expect((await anyone().get('/demo/nothing/-/issues')).status).toBe(404);
    expect((await anyone().get('/demo/platform/api/-/issues')).status).toBe(404);
    expect((await mary.get('/demo/storefront/-/nothing')).status).toBe(404);
  });

  test('of a group has those of everything below it, with their projects', async () => {
    const page = await mary.get('/groups/demo/-/issues?search=cents');
    expect(titlesOf(page)).toEqual(['Prices without cents']);
    expect(page.text).toContain('demo/storefront#2');
  });
});

const stops: Record<string, Stop> = {
  'planning-issues': { at: () => issues },
  'planning-issues-filtered': { at: () => `${issues}?label_name=bug&state=all`, as: ['maintainer'] },
  'planning-group-issues': { at: () => '/groups/demo/-/issues', as: ['guest', 'maintainer'] },
};

describe.skipIf(!hasBrowser)('every page of planning, on a phone and on a desk, light and dark', () => {
  let browser: Browser;
  let walk: Walk;
  beforeAll(async () => {
    browser = await launchBrowser();
    walk = new Walk(gateway, browser);
  });
  afterAll(() => browser?.close());

  test.each(Object.keys(stops).map((name, index) => ({ name, index })))('$name', async ({ name, index }) => {
    const wrongs: string[] = [];
    for (const look of looksAt(stops[name]!, index)) wrongs.push(...(await walk.look(name, stops[name]!, look)));
    expect(wrongs).toEqual([]);
  });
});
