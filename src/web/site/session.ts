import { randomBytes } from 'node:crypto';

/**
 * What browsers keep for us. Each cookie is for this host only and out of the
 * reach of scripts; over https its name makes browsers hold to that (`__Host-`),
 * so that no neighbouring host can plant one.
 *
 * - `session`: the secret of a session, until the browser is closed.
 * - `browser`: a random name for this browser, from which an account that signs in
 *   is known again, and which forms prove themselves by before anyone is signed in.
 * - `pending`: the secret of a sign-in whose password was right, until the second factor came.
 * - `unconfirmed`: that the password of an account was right whose address isn't confirmed.
 * - `mailed`: the token of a link in a message, so that it stands in no address.
 * - `draft`: what was typed into a form that couldn't be taken before signing in, sealed.
 * - `notice`: what the next page says has happened.
 */
export type CookieName = 'session' | 'browser' | 'pending' | 'unconfirmed' | 'mailed' | 'draft' | 'notice';

/** Seconds; undefined until the browser is closed. 400 days are the most that browsers allow. */
const lives: Record<CookieName, number | undefined> = {
  session: undefined,
  browser: 400 * 86_400,
  pending: 600,
  unconfirmed: 600,
  mailed: 3_600,
  draft: 1_800,
  notice: 60,
};

const isHttps = (baseUrl: string) => baseUrl.startsWith('https:');

function fullName(name: CookieName, baseUrl: string): string {
  return `${isHttps(baseUrl) ? '__Host-' : ''}causeway_${name}`;
}

/** A value for `Set-Cookie`. */
export function setCookie(name: CookieName, value: string, baseUrl: string, life = lives[name]): string {
  return [
    `${fullName(name, baseUrl)}=${value}`,
    'Path=/',
    ...(life === undefined ? [] : [`Max-Age=${life}`]),
    'HttpOnly',
    'SameSite=Lax',
    ...(isHttps(baseUrl) ? ['Secure'] : []),
  ].join('; ');
}

export const clearCookie = (name: CookieName, baseUrl: string) => setCookie(name, '', baseUrl, 0);

/** The value of a cookie; null where the browser sent none of ours. @param header `Cookie` */
export function readCookie(name: CookieName, header: string | undefined, baseUrl: string): string | null {
  const start = `${fullName(name, baseUrl)}=`;
  const found = header
    ?.split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(start));
  const value = found?.slice(start.length) ?? '';
  // Everything we ever set; anything else is not ours.
  return (name === 'draft' ? /^[\w-]{1,3800}$/ : /^[\w-]{1,100}$/).test(value) ? value : null;
}

/** A name for a browser that has none. */
export const newBrowserName = (): string => randomBytes(32).toString('base64url');
