import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { optional } from '../run/optional.ts';

const found = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => path !== undefined && existsSync(path),
);

/** Whether Chromium is installed. */
export const hasBrowser = optional(
  'chromium',
  found !== undefined,
  'No Chromium found: install one, or name it in CHROMIUM.',
);

const screenshots = fileURLToPath(new URL('../../screenshots/', import.meta.url));

/**
 * Takes a screenshot for people to look at, into `test/screenshots`. Only with `SCREENSHOTS=on`: nothing is judged by
 * it, and it takes a third of a visit.
 */
export async function screenshot(page: Page, name: string, fullPage = true): Promise<void> {
  if (process.env.SCREENSHOTS === 'on') await page.screenshot({ path: `${screenshots}${name}.png`, fullPage });
}

/**
 * Parts of Chromium that are off. The last of these switches counts, so this has what Playwright turns off too. The three
 * of the address bar are pages of the browser's own, which each window loads and nobody sees: without them a page costs
 * half as much.
 */
const withoutFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxAimPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/** A window where a person is signed in. @param cookies of their session. @param url of the gateway */
export async function windowOf(
  browser: Browser,
  url: string,
  cookies: ReadonlyMap<string, string>,
  options?: BrowserContextOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url })));
  return context;
}

/** Starts a Chromium without background requests. */
export async function launchBrowser(): Promise<Browser> {
  return await chromium.launch({
    executablePath: found!,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${withoutFeatures.join(',')}`,
    ],
  });
}
