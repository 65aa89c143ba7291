import type { VNode } from 'preact';
import { header, type Answer } from '../../http/index.ts';
import { toAnswer, type Permissions } from './layout/page.ts';
import { csrfTokens, type CsrfTokens } from './csrf.ts';
import { clearCookie, newBrowserName, readCookie, setCookie, type CookieName } from './session.ts';
import { seeOther, withCookies, type Visit } from './visit.ts';

/**
 * A page with a form that works without signing in. The browser gets a random name in a
 * cookie, and the CSRF token is bound to that name.
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

/** The value of a cookie of this request. */
export const kept = (name: CookieName, { exchange, site }: Visit): string | null =>
  readCookie(name, header(exchange, 'cookie'), site.baseUrl);

/**
 * Moves the token of a mailed link from the address into a cookie: in the address it would
 * stay in the browser's history and show on the screen.
 * @param path the page to redirect to, which reads the cookie
 */
export function withoutToken(path: string, token: string, { site }: Visit): Answer {
  const ours = /^[\w-]{1,100}$/.test(token);
  return seeOther(path, ours ? setCookie('mailed', token, site.baseUrl) : clearCookie('mailed', site.baseUrl));
}
