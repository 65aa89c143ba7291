import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signIn } from '../support/pages/browser-session.ts';
import { hasBrowser, launchBrowser, windowOf } from '../support/pages/browser.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { keyboardTour } from '../support/pages/tour.ts';
import { interleaved, looksAt, Walk } from '../support/pages/walk.ts';
import { accountStops } from './walk/account.ts';
import { administrationStops } from './walk/administration.ts';
import { pipelineStops } from './walk/pipelines.ts';
import { placesStops } from './walk/places.ts';
import { planningStops } from './walk/planning.ts';
import { fillForWalk, type Records, type Stops } from './walk/records.ts';
import { repositoryStops } from './walk/repository.ts';
import { reviewStops } from './walk/reviews.ts';
import { exceptions, pagesOfGateway } from './walk/routes.ts';
import { siteStops } from './walk/site.ts';

/** Every page, and every state of a page that looks different. Add the page of a new route to one of these. */
const stops: Stops = {
  ...siteStops,
  ...accountStops,
  ...placesStops,
  ...repositoryStops,
  ...pipelineStops,
  ...planningStops,
  ...reviewStops,
  ...administrationStops,
};

describe.skipIf(!hasBrowser)(
  'Every page, as everyone, light and dark, on a phone and on a desk, with and without JavaScript',
  () => {
    let browser: Browser;
    let walk: Walk<Records>;
    let gateway: TestGateway;
    beforeAll(async () => {
      gateway = await testGateway({ CAUSEWAY_INBOX: 'on' });
      browser = await launchBrowser();
      walk = new Walk(gateway, browser, await fillForWalk(gateway));
    });
    afterAll(() => browser?.close());

    test('is a stop of the walk, or left out for a reason', () => {
      const { all, find } = pagesOfGateway();
      const walked = Object.values(stops).flatMap((stop) => find(walk.addressOf(stop)) ?? []);
      expect([...new Set([...walked, ...exceptions.keys()])].sort()).toEqual([...new Set(all)].sort());
      expect(walked.filter((route) => exceptions.has(route))).toEqual([]);
    });

    const visits = Object.entries(stops).map(([name, stop], index) => ({ name, stop, looks: looksAt(stop, index) }));
    test.concurrent.each(interleaved(visits))('$name', async ({ name, stop, looks }) => {
      const wrongs: string[] = [];
      for (const look of looks) wrongs.push(...(await walk.look(name, stop, look)));
      expect(wrongs).toEqual([]);
    });

    /** Pages that people work on most. */
    const main = [
      'start',
      'notifications',
      'notifications-custom',
      'tokens',
      'applications',
      'issue',
      'merge-request',
      'code-file',
      'pipeline',
      'reference',
      'graphiql',
    ] as const;
    test.each(main)('Tab leads through %s on a phone, and shows where it is', async (name) => {
      const { at, steps, busy } = stops[name]!;
      const { cookies } = await signIn(gateway, 'maintainer');
      const options = { viewport: { width: 360, height: 800 }, reducedMotion: 'reduce' } as const;
      const context = await windowOf(browser, gateway.url, cookies, options);
      const page = await context.newPage();
      page.setDefaultTimeout(25_000);
      page.on('dialog', (dialog) => void dialog.accept());
      // Without `#…`: from a part of a page, Tab leads on from there.
      const [address] = walk.addressOf({ at }).split('#');
      await page.goto(gateway.url + address);
      if (busy) await page.waitForLoadState('networkidle');
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement!.className)).toBe('skip');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.querySelector('main')!.contains(document.activeElement))).toBe(true);
      await steps?.(page);
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
      expect(await keyboardTour(page)).toEqual([]);
      await context.close();
    });
  },
);
