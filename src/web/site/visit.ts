import type { Context } from '../../context.ts';
import { Unauthenticated } from '../../errors.ts';
import type { Answer, Exchange } from '../../http/index.ts';
import type { Fields } from './fields.ts';
import type { Site } from './layout.tsx';
import type { NoticeName } from './notices.ts';
import { setCookie } from './session.ts';

/** One request for a page. */
export interface Visit {
  readonly exchange: Exchange;
  readonly site: Site;
  /** Of the person behind the session cookie, or of nobody. */
  readonly context: Context;
  /** What stands in the path where the page has a name for it. */
  readonly named: Readonly<Record<string, string | undefined>>;
  /** The name of this browser; null before it has one. */
  readonly browser: string | null;
}

/** Null: there is nothing there that the viewer may see. */
type Viewed = Answer | null | Promise<Answer | null>;

/** Something with an address. */
export interface PageRoute {
  /** Names of its parts begin with a colon. */
  readonly path: string;
  /** In the access log. */
  readonly name: string;
  readonly get?: (visit: Visit) => Viewed;
  readonly post?: (visit: Visit, fields: Fields) => Viewed;
  /** What the page said in the form that comes back, told from its fields: the form's token is bound to it. */
  readonly shown?: (fields: Fields) => string;
  /** Where the page is found again whose form is no good any more; its own address otherwise. */
  readonly again?: (fields: Fields) => string;
  /** Its form acts only once, and carries an id (`Form once`): the path of the pages that show what came of it. */
  readonly once?: string;
  /** What is sent to it is a try of what people guess at, or makes mail: limited by address, before anything is looked at. */
  readonly countsAsGuess?: true;
  /** Its forms are for people who aren't signed in, too. */
  readonly anonymous?: boolean;
}

/** The session of a person who is signed in. @throws Unauthenticated */
export function sessionOf({ viewer: { credential } }: Context): number {
  if (credential?.kind !== 'session') throw new Unauthenticated();
  return credential.sessionId;
}

/** Sends the browser on. After a form with a secret in it nothing else would do (RFC 9700 §4.12). */
export function seeOther(location: string, ...cookies: string[]): Answer {
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

/** Sends the browser on to a page that says what has happened. */
export function seeOtherSaying(notice: NoticeName, location: string, { site }: Visit): Answer {
  return seeOther(location, setCookie('notice', notice, site.baseUrl));
}
