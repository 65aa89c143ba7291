import { existsSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser } from 'playwright-core';
import { optional } from './optional.ts';

const found = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => path !== undefined && existsSync(path),
);

/** Whether Chromium is installed. */
export const hasBrowser = optional(
  'chromium',
  found !== undefined,
  'No Chromium found: install one, or name it in CHROMIUM.',
);

/** The folder of the screenshots that tests take, for people to look at. */
export const screenshots = fileURLToPath(new URL('../screenshots/', import.meta.url));

/** Starts a Chromium without background requests. */
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
