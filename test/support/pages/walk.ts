import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { inject } from 'vitest';
import { signIn } from './browser-session.ts';
import { screenshot, windowOf } from './browser.ts';
import type { TestGateway } from '../gateway.ts';
import { runs } from '../run/runs.ts';
import { smallTargets } from './targets.ts';

export const roles = ['anonymous', 'guest', 'developer', 'maintainer', 'root'] as const;
export type Role = (typeof roles)[number];

/** A page, or a state of a page, that the accessibility walk checks. @template Known the records that its address needs */
export interface Stop<Known> {
  readonly at: string | ((known: Known) => string);
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

/**
 * Both schemes and both widths in two views, with and without JavaScript; each stop gets one of these in turn. A tab ends a
 * visit in one view and begins the next one in it, since to turn it takes as long as to load a page: so each of the two is
 * the first one, with all rules, at every second stop.
 */
const pairs: readonly Omit<Look, 'role'>[] = [true, false].map((javaScript) => ({
  javaScript,
  views: [lightPhone, darkDesk],
}));

/**
 * The visits of a stop: all roles in all views in the long run, otherwise one role and one combination.
 * @param index of the stop, which selects them in turn
 */
export function looksAt({ as = roles }: Pick<Stop<never>, 'as'>, index: number): Look[] {
  if (runs > 1) {
    const views = [lightPhone, lightDesk, darkPhone, darkDesk];
    return roles.flatMap((role) => [true, false].map((javaScript) => ({ role, javaScript, views })));
  }
  return [{ role: as[index % as.length]!, ...pairs[Math.floor(index / as.length) % pairs.length]! }];
}

/**
 * Stops in an order in which those that follow each other belong to different roles: a role visits its own one after the
 * other, and roles visit theirs side by side.
 */
export function interleaved<One extends { readonly looks: readonly Look[] }>(stops: readonly One[]): One[] {
  const counts = new Map<Role, number>();
  const placed = stops.map((stop) => {
    const { role } = stop.looks[0]!;
    const before = counts.get(role) ?? 0;
    counts.set(role, before + 1);
    return { stop, role, before };
  });
  return placed
    .toSorted(
      (one, other) => (one.before + 0.5) / counts.get(one.role)! - (other.before + 0.5) / counts.get(other.role)!,
    )
    .map(({ stop }) => stop);
}

/** The tab of a role, in which it visits one stop after the other: a new one is a new process. */
interface Tab {
  readonly page: Page;
  /** Whether pages run their scripts. */
  allowScripts(allowed: boolean): Promise<unknown>;
  /** How it shows pages now. */
  view: View | undefined;
  /** Takes what goes wrong on the page. */
  wrong: (what: string) => void;
  /** The end of the visit before. */
  free: Promise<unknown>;
  /** What axe has seen of the layout, in which view: pages share it, and it isn't looked at again. */
  readonly seen: Set<string>;
}

/** Visits stops in one browser, each role in a tab of its own. Each role signs in once. */
export class Walk<Known> {
  readonly #gateway: Pick<TestGateway, 'url'>;
  readonly #browser: Browser;
  readonly #known: Known;
  readonly #tabs = new Map<Role, Promise<Tab>>();

  constructor(gateway: Pick<TestGateway, 'url'>, browser: Browser, known: Known) {
    this.#gateway = gateway;
    this.#browser = browser;
    this.#known = known;
  }

  /** Where a stop is, below the gateway. */
  addressOf({ at }: Stop<Known>): string {
    return typeof at === 'string' ? at : at(this.#known);
  }

  /** Visits a stop. @returns its problems */
  async look(name: string, stop: Stop<Known>, look: Look): Promise<string[]> {
    const opening = this.#tabs.get(look.role) ?? this.#open(look.role);
    this.#tabs.set(look.role, opening);
    const tab = await opening;
    const visit = tab.free.then(() => this.#lookAround(tab, name, stop, look));
    tab.free = visit.catch(() => undefined);
    return await visit;
  }

  async #open(role: Role): Promise<Tab> {
    const password = inject('passwords')[role === 'root' ? 'root' : 'demo'];
    const cookies = role === 'anonymous' ? new Map() : (await signIn(this.#gateway, role, password)).cookies;
    const context = await windowOf(this.#browser, this.#gateway.url, cookies, { reducedMotion: 'reduce' });
    context.setDefaultTimeout(25_000);
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    const tab: Tab = {
      page,
      allowScripts: (allowed) => cdp.send('Emulation.setScriptExecutionDisabled', { value: !allowed }),
      view: undefined,
      wrong: () => undefined,
      free: Promise.resolve(),
      seen: new Set(),
    };
    // A page with unsaved input asks before it is left.
    page.on('dialog', (dialog) => void dialog.accept());
    page.on('pageerror', ({ message }) => tab.wrong(message));
    page.on('console', (message) => {
      // Chromium also reports the status of the page itself.
      const ofPage =
        /the server responded with a status of 4\d\d/.test(message.text()) && message.location().url === page.url();
      if (message.type() === 'error' && !ofPage) tab.wrong(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(`${this.#gateway.url}/`) && !request.url().startsWith('data:'))
        tab.wrong(`asked ${request.url()}`);
    });
    return tab;
  }

  async #lookAround(tab: Tab, name: string, stop: Stop<Known>, { role, javaScript, views }: Look): Promise<string[]> {
    const { page } = tab;
    const as = `${role}${javaScript ? '' : ', without JavaScript'}`;
    const wrongs: string[] = [];
    const wrong = (what: string) => void wrongs.push(`${as}: ${what}`);
    tab.wrong = wrong;
    const turnTo = async (view: View) => {
      if (tab.view === view) return;
      tab.view = view;
      const { scheme: colorScheme, width } = view;
      await Promise.all([page.emulateMedia({ colorScheme }), page.setViewportSize({ width, height: 800 })]);
    };
    const inOrder = views.toSorted((one, other) => Number(other === tab.view) - Number(one === tab.view));

    await Promise.all([tab.allowScripts(javaScript), turnTo(inOrder[0]!)]);
    const response = await page.goto(this.#gateway.url + this.addressOf(stop));
    const own = (stop.as ?? roles).includes(role);
    if (own ? response!.status() !== (stop.status ?? 200) : response!.status() >= 500)
      wrong(`answered ${response!.status()}`);
    if (own && stop.steps) await stop.steps(page);
    if (stop.busy && javaScript) await page.waitForLoadState('networkidle');

    const size = stop.steps ? (await page.content()).length : (await response!.body()).length;
    if (size > 100_000) wrong(`is ${size} bytes long`);
    // axe needs timers, which don't run without scripts. Those of the page were left out when it was read.
    if (!javaScript) await tab.allowScripts(true);
    for (const view of inOrder) {
      await turnTo(view);
      const shown = `${name}-${role}-${view.scheme}-${view.width}${javaScript ? '' : '-plain'}`;
      // A page that keeps loading fills the window and scrolls inside it.
      await screenshot(page, shown, !stop.busy);
      const all = view === inOrder[0] || runs > 1;
      const known = await seenBefore(tab, view);
      const findings = [
        ...(await measured(page)),
        ...(view.width === 360 ? await smallTargets(page) : []),
        // Some of all rules compare the parts of a page with each other.
        ...(await axeFindings(page, all, stop.except, all ? [] : known)),
      ];
      for (const finding of findings) wrong(`${view.scheme}, ${view.width}: ${finding}`);
    }
    return wrongs;
  }
}

/** Measurements of a page. `beyond`: pixels to the right of the window, with all that is folded, too. `squeezed`: links with no room for their words. */
const expected = { language: 'en', headings: 1, mains: 1, beyond: 0, squeezed: '', named: true };

/** Those that aren't as expected. */
async function measured(page: Page): Promise<string[]> {
  const seen = await page.evaluate(() => {
    const folded = document.querySelectorAll<HTMLDetailsElement>('main details:not([open])');
    const unfold = (isOpen: boolean) => folded.forEach((details) => (details.open = isOpen));
    unfold(true);
    const beyond = document.documentElement.scrollWidth - innerWidth;
    unfold(false);
    return {
      language: document.documentElement.lang,
      headings: document.querySelectorAll('h1').length,
      mains: document.querySelectorAll('main').length,
      beyond,
      squeezed: [...document.querySelectorAll<HTMLElement>('main a')]
        .filter(({ offsetWidth, offsetHeight }) => offsetHeight > Math.max(50, offsetWidth))
        .map(({ innerText }) => innerText)
        .join(),
      named: document.title.endsWith('Causeway'),
    };
  });
  return Object.entries(seen).flatMap(([fact, value]) =>
    value === expected[fact as keyof typeof seen] ? [] : [`${fact}: ${value}`],
  );
}

/** The parts of the layout around the content of a page, the same on most pages. */
const layout = ['header.top', '.beside', 'footer'];

/**
 * The parts of the layout that looked the same, to the letter, on a page before, in the same view. Addresses and tokens of
 * forms may differ: nothing depends on them.
 */
async function seenBefore({ page, seen }: Tab, view: View): Promise<string[]> {
  const parts = await page.evaluate(
    (selectors) => selectors.map((selector) => document.querySelector(selector)?.outerHTML),
    layout,
  );
  return layout.filter((selector, index) => {
    const part = parts[index]?.replace(/ (?:href|action|value)="[^"]*"/g, '');
    if (part === undefined) return false;
    const look = JSON.stringify([view, selector, part]);
    if (seen.has(look)) return true;
    seen.add(look);
    return false;
  });
}

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** The rules that depend on colours and width; the others give the same result in every view. */
const rulesOfViews = ['color-contrast', 'scrollable-region-focusable', 'target-size'];
/** The rule on targets of 24 pixels (WCAG 2.5.8), which axe itself leaves off. */
const alsoOn = { 'target-size': { enabled: true } };

/**
 * The violations that axe finds of WCAG 2.2 level AA and of good practice. It is injected past the page's content
 * security policy, which stays unchanged.
 * @param all every rule, or only those that depend on the view
 * @param without selectors of parts that aren't looked at
 */
export async function axeFindings(
  page: Page,
  all: boolean,
  except: Stop<never>['except'] = {},
  without: readonly string[] = [],
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  const options: RunOptions = {
    resultTypes: ['violations'],
    // No rule that is on reads style sheets by itself.
    preload: false,
    ...(!all && { runOnly: rulesOfViews.filter((rule) => !(rule in except)) }),
    ...(all && {
      rules: { ...alsoOn, ...Object.fromEntries(Object.keys(except).map((rule) => [rule, { enabled: false }])) },
    }),
  };
  const { violations } = await page.evaluate(
    ([context, given]): Promise<AxeResults> =>
      (globalThis as unknown as { axe: typeof import('axe-core') }).axe.run(context ?? document, given),
    [without.length > 0 ? { exclude: without.map((selector) => [selector]) } : null, options] as const,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}
