import { randomBytes } from 'node:crypto';

/**
 * The session cookie and the other cookies of pages. Each is for this host only and
 * hidden from scripts. Over https, the prefix `__Host-` makes browsers enforce this:
 * a neighbouring host can't set one (session fixation).
 *
 * - `session`: the secret of a session, until the browser is closed.
 * - `browser`: a random name for this browser. It recognizes an account that signs in again,
 *   and CSRF tokens are bound to it while the visitor isn't signed in.
 * - `pending`: the secret of a sign-in that has passed the password and waits for the second factor.
 * - `unconfirmed`: proof of the right password for an account whose address isn't confirmed.
 * - `mailed`: the token of a mailed link, which keeps it out of the address bar.
 * - `draft`: the sealed fields of a form that was sent after its session had ended.
 * - `notice`: the name of the message that the next page shows.
 *
 * Another one, `zone`, is set by a script of the pages (`browser/zone.ts`): the time zone of the browser.
 */
export type CookieName = 'session' | 'browser' | 'pending' | 'unconfirmed' | 'mailed' | 'draft' | 'notice';

/** Lifetimes in seconds; undefined: until the browser is closed. Browsers allow at most 400 days. */
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

function fullName(name: CookieName | 'zone', baseUrl: string): string {
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

/** The form of every value that the gateway or its scripts set; other values are ignored. */
const forms = { draft: /^[\w-]{1,3800}$/, zone: /^[\w+/-]{1,64}$/, other: /^[\w-]{1,100}$/ } as const;

/** The value of a cookie; null if the browser sent none. @param header `Cookie` */
export function readCookie(name: CookieName | 'zone', header: string | undefined, baseUrl: string): string | null {
  const start = `${fullName(name, baseUrl)}=`;
  const found = header
    ?.split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(start));
  const value = found?.slice(start.length) ?? '';
  return forms[name === 'draft' || name === 'zone' ? name : 'other'].test(value) ? value : null;
}

/** Makes a random name for a browser that has none. */
export const newBrowserName = (): string => randomBytes(32).toString('base64url');
