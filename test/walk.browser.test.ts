import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { schema } from '../src/schema/index.ts';
import { pageRoutes } from '../src/web/routes.tsx';
import { hasBrowser, launchBrowser } from './support/browser.ts';
import { testGateway } from './support/gateway.ts';
import { inWords, looksAt, Walk, type Role, type Stop } from './support/walk.ts';

const gateway = await testGateway();
const members: readonly Role[] = ['guest', 'maintainer'];

/** Every page, and the states of pages that look different. A page of a new route goes here. */
const stops: Record<string, Stop> = {
  start: { route: '/', at: () => '/' },
  reference: { route: '/docs', at: () => '/docs', as: ['anonymous'], busy: true },
  graphiql: { at: () => '/graphql', as: ['anonymous'], busy: true },
  missing: { at: () => '/demo/nothing', as: ['anonymous', 'guest'], status: 404 },
  group: { at: () => '/groups/demo' },
  'private-group': { at: () => '/groups/demo/platform', as: ['developer', 'maintainer', 'root'] },
  project: { at: () => '/demo/storefront' },
  person: { at: () => '/developer', as: ['guest', 'developer'] },
  'sign-in': { route: '/users/sign_in', at: () => '/users/sign_in', as: ['anonymous'] },
  'sign-in-wrong': {
    at: () => '/users/sign_in',
    as: ['anonymous'],
    async steps(page) {
      await page.getByLabel('Username or e-mail').fill('mary');
      await page.getByLabel('Password').fill('wrong');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('Name or password is wrong.').waitFor();
    },
  },
  'confirm-password': { route: '/users/confirm_password', at: () => '/users/confirm_password', as: members },
  'error-tracking': { at: () => '/demo/storefront/-/settings/error_tracking', as: ['maintainer', 'root'] },
  'error-tracking-wrong': {
    at: () => '/demo/storefront/-/settings/error_tracking',
    as: ['maintainer'],
    async steps(page) {
      await page.getByLabel('API address').fill('ftp://tracker.example');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByText('must be an http or https URL').waitFor();
    },
  },
  profile: { route: '/profile', at: () => '/profile', as: members },
  applications: { route: '/profile/applications', at: () => '/profile/applications', as: members },
  'authorized-applications': { route: '/profile/authorized_applications', at: () => '/profile/authorized_applications', as: members },
  notifications: { route: '/profile/notifications', at: () => '/profile/notifications', as: ['guest', 'developer', 'maintainer', 'root'] },
};

/** Routes that show no page of their own. */
const onward = ['/login', '/-/user_settings/applications', '/-/user_settings/applications/new', '/-/user_settings/applications/:id', '/-/user_settings/applications/:id/edit'];

it.todo('the walk comes by every page that there is', () => {
  const pages = pageRoutes(schema, {}).flatMap(({ path, get }) => (get ? [path] : []));
  const walked = Object.values(stops).flatMap(({ route }) => route ?? []);
  expect([...new Set(pages)].sort()).toEqual([...new Set([...walked, ...onward])].sort());
});

describe.skipIf(!hasBrowser)('Every page, as everyone, light and dark, on a phone and on a desk, with and without JavaScript', () => {
  let browser: Browser;
  let walk: Walk;
  beforeAll(async () => {
    browser = await launchBrowser();
    walk = new Walk(gateway, browser);
  });
  afterAll(() => browser?.close());

  test.each(Object.keys(stops).map((name, index) => ({ name, index })))('$name', async ({ name, index }) => {
    const stop = stops[name]!;
    const wrongs: Record<string, string[]> = {};
    for (const look of looksAt(stop, index)) {
      const found = await walk.look(name, stop, look);
      if (found.length > 0) wrongs[inWords(look)] = found;
    }
    expect(wrongs).toEqual({});
  });
});
