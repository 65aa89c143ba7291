import type { Context } from '../../context.ts';
import { Unauthenticated } from '../../errors.ts';
import type { Answer, Exchange } from '../../http/index.ts';
import type { Fields, Files } from './forms/fields.ts';
import type { Site } from './layout/layout.tsx';
import type { NoticeName } from './layout/notices.ts';
import { setCookie } from './session.ts';

/** One request for a page. */
export interface Visit {
  readonly exchange: Exchange;
  readonly site: Site;
  /** The context of the person behind the session cookie, or of an anonymous request. */
  readonly context: Context;
  /** Path parameters by name. */
  readonly named: Readonly<Record<string, string | undefined>>;
  /** The name of this browser; null before it has one. */
  readonly browser: string | null;
}

/** The answer of a page; null means 404. */
type Viewed = Answer | null | Promise<Answer | null>;

/** A page and its address. */
export interface PageRoute {
  /** Path parameters begin with a colon. */
  readonly path: string;
  /** The name in the access log. */
  readonly name: string;
  readonly get?: (visit: Visit) => Viewed;
  readonly post?: (visit: Visit, fields: Fields, files: Files) => Viewed;
  /** Whether its form has files. */
  readonly files?: true;
  /** Computes what the page showed from the fields of its form; the CSRF token is bound to it. */
  readonly shown?: (fields: Fields) => string;
  /** The address of a new form when the CSRF token isn't valid; the page's own address by default. */
  readonly again?: (fields: Fields, named: Visit['named']) => string;
  /** The path of the pages that show the result of a form that works once and carries an id (`Form once`). */
  readonly once?: string;
  /** Rate limiting by address, before the form is read: the form checks a guessable secret, or sends mail. */
  readonly countsAsGuess?: true;
  /** Whether it serves those who have to set up a second factor first, as all pages do that need no session. */
  readonly withoutSecondFactor?: true;
  /** Whether it serves those who have to change their password first. */
  readonly withExpiredPassword?: true;
  /** The address itself proves that its form may be sent: no CSRF token is needed, and other sites may send it. */
  readonly provenByAddress?: true;
  /** The form works without signing in. */
  readonly anonymous?: boolean;
}

/** Redirects anonymous visitors to sign in, from a page whose operation would answer null. @throws Unauthenticated */
export function requireVisitor({ site }: Visit): void {
  if (!site.visitor) throw new Unauthenticated();
}

/** The id of the viewer's session. @throws Unauthenticated */
export function sessionOf({ viewer: { credential } }: Context): number {
  if (credential?.kind !== 'session') throw new Unauthenticated();
  return credential.sessionId;
}

/**
 * Redirects with 303, which never repeats the POST: its form may hold a secret (RFC 9700 §4.12). Parameters of an address are
 * decoded: what no header can have is escaped again, since Node sends no answer with it.
 */
export function seeOther(given: string, ...cookies: string[]): Answer {
  const location = given.replaceAll(/[^\x21-\x7e]+/gu, (text) => encodeURIComponent(text));
  return withCookies(
    { status: 303, headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }, body: null },
    ...cookies,
  );
}

export function withCookies(answer: Answer, ...cookies: string[]): Answer {
  const others = (answer.headers['set-cookie'] ?? []) as string[];
  const all = [...others, ...cookies];
  return all.length === 0 ? answer : { ...answer, headers: { ...answer.headers, 'set-cookie': all } };
}

/** Redirects to a page that shows a notice. */
export function seeOtherSaying(notice: NoticeName, location: string, { site }: Visit): Answer {
  return seeOther(location, setCookie('notice', notice, site.baseUrl));
}
