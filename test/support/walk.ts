import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { inject } from 'vitest';
import { signIn } from './browser-session.ts';
import { screenshots } from './browser.ts';
import type { TestGateway } from './gateway.ts';
import { runs } from './runs.ts';

export const roles = ['anonymous', 'guest', 'developer', 'maintainer', 'root'] as const;
export type Role = (typeof roles)[number];

/** A page to look at, or a state of one. */
export interface Stop {
  /** The route of the web door that it is of; groups, projects and people have none. */
  readonly route?: string;
  /** Its address, asked for when everything is set up. */
  readonly at: () => string;
  /** What is done there until the page to look at is there. Must work without JavaScript. */
  readonly steps?: (page: Page) => Promise<unknown>;
  /** For whom it is a page of its own; others get an answer that has its own stop. Everyone by default. */
  readonly as?: readonly Role[];
  /** What it answers them. */
  readonly status?: number;
  /** Goes on loading by scripts of its own. */
  readonly busy?: boolean;
}

export interface Look {
  readonly role: Role;
  readonly scheme: 'light' | 'dark';
  readonly width: 360 | 1280;
  readonly javaScript: boolean;
}

const schemes = ['light', 'dark'] as const;
const widths = [360, 1280] as const;

/**
 * How a stop is looked at: in every way in the long run. Otherwise as each of its
 * people, and in any two of scheme, width and JavaScript together at least once.
 * @param index of the stop, by which its people meet the ways in turn
 */
export function looksAt({ as = roles }: Stop, index: number): Look[] {
  if (runs > 1) {
    return roles.flatMap((role) =>
      schemes.flatMap((scheme) => widths.flatMap((width) => [true, false].map((javaScript) => ({ role, scheme, width, javaScript })))),
    );
  }
  const pairs = [
    { scheme: 'light', width: 360, javaScript: true },
    { scheme: 'light', width: 1280, javaScript: false },
    { scheme: 'dark', width: 360, javaScript: false },
    { scheme: 'dark', width: 1280, javaScript: true },
  ] as const;
  return Array.from({ length: Math.max(pairs.length, as.length) }, (_, turn) => ({
    role: as[(turn + index) % as.length]!,
    ...pairs[turn % pairs.length]!,
  }));
}

export const inWords = ({ role, scheme, width, javaScript }: Look): string => `${role}, ${scheme}, ${width}, ${javaScript ? 'with' : 'without'} JavaScript`;

/** Opens stops in one browser, each person signed in once. */
export class Walk {
  readonly #gateway: Pick<TestGateway, 'url'>;
  readonly #browser: Browser;
  readonly #cookies = new Map<Role, Promise<{ name: string; value: string; url: string }[]>>();

  constructor(gateway: Pick<TestGateway, 'url'>, browser: Browser) {
    this.#gateway = gateway;
    this.#browser = browser;
  }

  /** Opens a stop, and says what is wrong with it. */
  async look(name: string, stop: Stop, look: Look): Promise<string[]> {
    const context = await this.#context(look);
    try {
      return await this.#lookAround(await context.newPage(), name, stop, look);
    } finally {
      await context.close();
    }
  }

  async #context({ role, scheme, width, javaScript }: Look): Promise<BrowserContext> {
    const context = await this.#browser.newContext({ colorScheme: scheme, viewport: { width, height: 800 }, javaScriptEnabled: javaScript });
    context.setDefaultTimeout(25_000);
    if (role !== 'anonymous') await context.addCookies(await this.#session(role));
    return context;
  }

  #session(role: Exclude<Role, 'anonymous'>) {
    let cookies = this.#cookies.get(role);
    if (!cookies) {
      const { url } = this.#gateway;
      const password = inject('passwords')[role === 'root' ? 'root' : 'demo'];
      cookies = signIn(this.#gateway, role, password).then((browser) => [...browser.cookies].map(([name, value]) => ({ name, value, url })));
      this.#cookies.set(role, cookies);
    }
    return cookies;
  }

  async #lookAround(page: Page, name: string, stop: Stop, { role, scheme, width, javaScript }: Look): Promise<string[]> {
    const { url } = this.#gateway;
    const wrongs: string[] = [];
    const wrong = (what: string) => void wrongs.push(what);
    page.on('pageerror', ({ message }) => wrong(message));
    page.on('console', (message) => {
      // Chromium reports the status of the page itself too.
      const ofPage = /the server responded with a status of 4\d\d/.test(message.text()) && message.location().url === page.url();
      if (message.type() === 'error' && !ofPage) wrong(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(`${url}/`) && !request.url().startsWith('data:')) wrong(`asked ${request.url()}`);
    });

    const response = await page.goto(url + stop.at());
    const own = (stop.as ?? roles).includes(role);
    if (own && response!.status() !== (stop.status ?? 200)) wrong(`answered ${response!.status()}`);
    if (response!.status() >= 500) wrong(`answered ${response!.status()}`);
    if (own && stop.steps) await stop.steps(page);
    if (stop.busy && javaScript) await page.waitForLoadState('networkidle');

    const size = stop.steps ? (await page.content()).length : (await response!.body()).length;
    if (size > 60_000) wrong(`is ${size} bytes long`);
    await page.screenshot({
      path: `${screenshots}${name}-${role}-${scheme}-${width}${javaScript ? '' : '-plain'}.png`,
      // What goes on loading fills the window, and scrolls inside.
      fullPage: !stop.busy,
    });
    const seen = await page.evaluate(() => ({
      language: document.documentElement.lang,
      headings: document.querySelectorAll('h1').length,
      mains: document.querySelectorAll('main').length,
      beyond: document.documentElement.scrollWidth - innerWidth,
    }));
    if (!(await page.title()).endsWith('Causeway')) wrong(`has the title ${await page.title()}`);
    if (JSON.stringify(seen) !== JSON.stringify({ language: 'en', headings: 1, mains: 1, beyond: 0 })) wrong(JSON.stringify(seen));
    // axe waits by timers, which don't run without JavaScript; what it looks at is the same document.
    if (javaScript) for (const finding of await findings(page)) wrong(finding);
    return wrongs;
  }
}

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** What axe finds against WCAG 2.2 at level AA, and against good practice. It is injected past the page's policy, which stays as it is. */
export async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(
    (): Promise<AxeResults> => (globalThis as unknown as { axe: typeof import('axe-core') }).axe.run(document, { resultTypes: ['violations'] }),
  );
  return violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`));
}

