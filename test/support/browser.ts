import { existsSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser } from 'playwright-core';

const found = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => path !== undefined && existsSync(path),
);

if (!found) {
  const remedy = 'No Chromium found: install one, or name it in CHROMIUM.';
  if (process.env.TEST_REQUIRE?.includes('chromium')) throw new Error(remedy);
  console.warn(`${remedy} The browser tests are left out.`);
}

/** Whether there is a browser to test with. Where it is required, its absence has failed already. */
export const hasBrowser = found !== undefined;

/** Where tests leave pictures of the pages, for people to look at. */
export const screenshots = fileURLToPath(new URL('../screenshots/', import.meta.url));

/** A Chromium that talks to nobody but the pages it is sent to. */
export async function launchBrowser(): Promise<Browser> {
  mkdirSync(screenshots, { recursive: true });
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
    ],
  });
}
