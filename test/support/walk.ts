import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { inject } from 'vitest';
import { signIn, type BrowserSession } from './browser-session.ts';
import { screenshot } from './browser.ts';
import type { TestGateway } from './gateway.ts';
import { runs } from './runs.ts';

export const roles = ['anonymous', 'guest', 'developer', 'maintainer', 'root'] as const;
export type Role = (typeof roles)[number];

/** A page, or a state of a page, that the accessibility walk checks. */
export interface Stop {
  /** Its route in the web door; pages of groups, projects and people have none. */
  readonly route?: string;
  /** Its address; called after the setup. */
  readonly at: () => string;
  /** The steps that lead to the state. They must work without JavaScript. */
  readonly steps?: (page: Page) => Promise<unknown>;
  /** The roles that see this page; the answer to other roles is another stop. All roles by default. */
  readonly as?: readonly Role[];
  /** The expected status. */
  readonly status?: number;
  /** Whether its scripts keep loading content. */
  readonly busy?: boolean;
  /** Rules of axe that third-party content on it breaks, with the reason. */
  readonly except?: Readonly<Record<string, string>>;
}

interface View {
  readonly scheme: 'light' | 'dark';
  readonly width: 360 | 1280;
}

/** One visit of a stop, in several views. */
export interface Look {
  readonly role: Role;
  readonly javaScript: boolean;
  readonly views: readonly View[];
}

const [lightPhone, lightDesk, darkPhone, darkDesk] = (['light', 'dark'] as const).flatMap((scheme) =>
  ([360, 1280] as const).map((width): View => ({ scheme, width })),
) as [View, View, View, View];

/** Combinations of scheme, width and JavaScript; each stop gets one of them in turn. */
const pairs: readonly Omit<Look, 'role'>[] = [
  { javaScript: true, views: [lightPhone, darkDesk] },
  { javaScript: false, views: [lightDesk, darkPhone] },
];

/**
 * The visits of a stop: all roles in all views in the long run, otherwise one role and one combination.
 * @param index of the stop, which selects them in turn
 */
export function looksAt({ as = roles }: Stop, index: number): Look[] {
  if (runs > 1) {
    const views = [lightPhone, lightDesk, darkPhone, darkDesk];
    return roles.flatMap((role) => [true, false].map((javaScript) => ({ role, javaScript, views })));
  }
  return [{ role: as[index % as.length]!, ...pairs[Math.floor(index / as.length) % pairs.length]! }];
}

/** The value for a key, created on first use. */
function once<Key, Value>(values: Map<Key, Promise<Value>>, key: Key, make: () => Promise<Value>): Promise<Value> {
  const value = values.get(key) ?? make();
  values.set(key, value);
  return value;
}

/** Visits stops in one browser. Each role signs in once. */
export class Walk {
  readonly #gateway: Pick<TestGateway, 'url'>;
  readonly #browser: Browser;
  readonly #sessions = new Map<Role, Promise<BrowserSession>>();
  readonly #pages = new Map<string, Promise<Page>>();

  constructor(gateway: Pick<TestGateway, 'url'>, browser: Browser) {
    this.#gateway = gateway;
    this.#browser = browser;
  }

  /** Signs in over the page, once. */
  async signedIn(role: Exclude<Role, 'anonymous'>): Promise<BrowserSession> {
    return await once(this.#sessions, role, () =>
      signIn(this.#gateway, role, inject('passwords')[role === 'root' ? 'root' : 'demo']),
    );
  }

  /** Visits a stop. @returns its problems */
  async look(name: string, stop: Stop, look: Look): Promise<string[]> {
    const { role, javaScript } = look;
    const whose = `${role} ${javaScript}`;
    // Reuse pages: a new one is a new process, which takes longer than the check.
    const page = await once(this.#pages, whose, () => this.#open(role, javaScript));
    try {
      return await this.#lookAround(page, name, stop, look);
    } finally {
      page.removeAllListeners();
      // A page with unsaved input may ask before it is left, so close it.
      if (stop.steps) {
        this.#pages.delete(whose);
        await page.context().close();
      }
    }
  }

  async #open(role: Role, javaScriptEnabled: boolean): Promise<Page> {
    const context = await this.#browser.newContext({ javaScriptEnabled, reducedMotion: 'reduce' });
    context.setDefaultTimeout(25_000);
    if (role !== 'anonymous') {
      const { cookies } = await this.signedIn(role);
      await context.addCookies(
        [...cookies].map(([cookie, value]) => ({ name: cookie, value, url: this.#gateway.url })),
      );
    }
    return await context.newPage();
  }

  async #lookAround(page: Page, name: string, stop: Stop, { role, javaScript, views }: Look): Promise<string[]> {
    const { url } = this.#gateway;
    const as = `${role}${javaScript ? '' : ', without JavaScript'}`;
    const wrongs: string[] = [];
    const wrong = (what: string) => void wrongs.push(`${as}: ${what}`);
    page.on('pageerror', ({ message }) => wrong(message));
    page.on('console', (message) => {
      // Chromium also reports the status of the page itself.
      const ofPage =
        /the server responded with a status of 4\d\d/.test(message.text()) && message.location().url === page.url();
      if (message.type() === 'error' && !ofPage) wrong(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(`${url}/`) && !request.url().startsWith('data:')) wrong(`asked ${request.url()}`);
    });
    const turnTo = async ({ scheme, width }: View) => {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 800 });
    };

    await turnTo(views[0]!);
    const response = await page.goto(url + stop.at());
    const own = (stop.as ?? roles).includes(role);
    if (own ? response!.status() !== (stop.status ?? 200) : response!.status() >= 500)
      wrong(`answered ${response!.status()}`);
    if (own && stop.steps) await stop.steps(page);
    if (stop.busy && javaScript) await page.waitForLoadState('networkidle');

    const size = stop.steps ? (await page.content()).length : (await response!.body()).length;
    if (size > 80_000) wrong(`is ${size} bytes long`);
    if (!(await page.title()).endsWith('Causeway')) wrong(`has the title ${await page.title()}`);
    for (const view of views) {
      await turnTo(view);
      const shown = `${name}-${role}-${view.scheme}-${view.width}${javaScript ? '' : '-plain'}`;
      // A page that keeps loading fills the window and scrolls inside it.
      await screenshot(page, shown, !stop.busy);
      const seen = await page.evaluate(() => ({
        language: document.documentElement.lang,
        headings: document.querySelectorAll('h1').length,
        mains: document.querySelectorAll('main').length,
        beyond: document.documentElement.scrollWidth - innerWidth,
      }));
      const found = Object.entries(seen).filter(([fact, value]) => value !== expected[fact as keyof typeof seen]);
      // axe needs timers, which don't run without JavaScript. The document is the same.
      const findings = [
        ...found.map(([fact, value]) => `${fact}: ${value}`),
        ...(javaScript ? await axeFindings(page, view === views[0] || runs > 1, stop.except) : []),
      ];
      for (const finding of findings) wrong(`${view.scheme}, ${view.width}: ${finding}`);
    }
    return wrongs;
  }
}

/** Measurements of a page. `beyond`: pixels to the right of the window. */
const expected = { language: 'en', headings: 1, mains: 1, beyond: 0 };

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** The rules that depend on colours and width; the others give the same result in every view. */
const rulesOfViews = ['color-contrast', 'scrollable-region-focusable', 'target-size'];

/**
 * The violations that axe finds of WCAG 2.2 level AA and of good practice. It is injected past the page's content
 * security policy, which stays unchanged.
 * @param all every rule, or only those that depend on the view
 */
export async function axeFindings(page: Page, all: boolean, except: Stop['except'] = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  const options: RunOptions = {
    resultTypes: ['violations'],
    ...(!all && { runOnly: rulesOfViews.filter((rule) => !(rule in except)) }),
    ...(all && { rules: Object.fromEntries(Object.keys(except).map((rule) => [rule, { enabled: false }])) }),
  };
  const { violations } = await page.evaluate(
    (given): Promise<AxeResults> =>
      (globalThis as unknown as { axe: typeof import('axe-core') }).axe.run(document, given),
    options,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}
