import type { VNode } from 'preact';
import { header, type Answer } from '../../http/index.ts';
import { toAnswer, type Permissions } from './page.ts';
import { csrfTokens, type CsrfTokens } from './csrf.ts';
import { clearCookie, newBrowserName, readCookie, setCookie, type CookieName } from './session.ts';
import { seeOther, withCookies, type Visit } from './visit.ts';

/**
 * A page with a form for somebody who needn't be signed in: proven by the name of
 * the browser, which it has from now on.
 */
export function anonymousPage(
  visit: Visit,
  page: (csrf: CsrfTokens) => VNode,
  status = 200,
  permissions: Permissions = {},
): Answer {
  const browser = visit.browser ?? newBrowserName();
  return withCookies(
    toAnswer(page(csrfTokens(browser)), status, permissions),
    setCookie('browser', browser, visit.site.baseUrl),
  );
}

/** What the browser keeps for us by this name. */
export const kept = (name: CookieName, { exchange, site }: Visit): string | null =>
  readCookie(name, header(exchange, 'cookie'), site.baseUrl);

/**
 * Takes the token of a link out of the address at once: there it would stay in the
 * history, and show on the screen.
 * @param path the page, which finds it among what the browser keeps
 */
export function withoutToken(path: string, token: string, { site }: Visit): Answer {
  const ours = /^[\w-]{1,100}$/.test(token);
  return seeOther(path, ours ? setCookie('mailed', token, site.baseUrl) : clearCookie('mailed', site.baseUrl));
}
