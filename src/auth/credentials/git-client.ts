import type { Prefetch, RequestDatabase } from '../../database/index.ts';
import { RateLimited, Unauthenticated } from '../../errors.ts';
import type { Origin, Viewer } from '../../policy/index.ts';
import { authenticate, type Presented } from './authenticate.ts';
import { checkPassword } from '../passwords/check-password.ts';
import type { InstanceKeys } from '../keys/instance-keys.ts';
import { livePerson } from './live-person.ts';
import { livePersonOf } from '../statements/live-tokens.ts';
import { prefixes } from './tokens.ts';

/** What a client of git sent: a token, or what may be a token or the password of the person it names. */
export interface PresentedToGit {
  readonly presented: Presented;
  /** A username or an address; undefined if only a token may follow. */
  readonly login: string | undefined;
}

/** A password that was wrong for a person who exists, or whom no one knows. */
export class WrongPassword extends Unauthenticated {
  /** The id of the account that was tried, if it exists. */
  readonly about: number | null;
  constructor(about: number | null) {
    super();
    this.about = about;
  }
}

/**
 * The viewer behind what a client of git sent: the owner of a token, whatever the name beside it; or the person with this
 * name and password. A password counts as a sign-in does, and people with a second factor need a token.
 * @param passwords whether passwords are accepted at all
 * @throws as `authenticate`; WrongPassword; RateLimited after too many wrong passwords; Busy
 */
export async function authenticateGit(
  database: RequestDatabase,
  keys: InstanceKeys,
  { presented, login }: PresentedToGit,
  origin: Origin,
  { passwords, prefetch }: { readonly passwords: boolean; readonly prefetch: Prefetch | undefined },
): Promise<Viewer> {
  try {
    return await authenticate(database, keys, presented, origin, prefetch);
  } catch (error) {
    const isToken = Object.values(prefixes).some((prefix) => presented.token.startsWith(prefix));
    if (!(error instanceof Unauthenticated) || !passwords || !login || isToken) throw error;
  }
  const checked = await checkPassword(database, {
    login,
    password: presented.token,
    address: origin.address,
    browser: null,
    application: null,
    secondStep: false,
  });
  if ('retryAfter' in checked) throw new RateLimited(checked.retryAfter);
  if (!checked.account) throw new WrongPassword(checked.about);
  const [row] = await database.rows(livePersonOf, [checked.account.id]);
  if (!row) throw new Unauthenticated();
  return { person: livePerson(row), credential: { kind: 'password' } };
}
