import { scopes, type Scope } from '../policy/index.ts';
import { invalidScope } from './errors.ts';

const offered: ReadonlySet<string> = new Set(scopes);

const tokensOf = (given: string) => given.split(' ').filter((token) => token !== '');

/** Whether a `scope` can be parsed: it has only scopes that are offered, or wasn't given. */
export function areOffered(given: string | null | undefined): boolean {
  if (!given) return true;
  const tokens = tokensOf(given);
  return tokens.length > 0 && tokens.every((token) => offered.has(token));
}

/**
 * RFC 6749 §3.3: scope tokens separated by spaces, in the order in which they
 * were asked for, each once. Null where none was given.
 * @throws OAuthError `invalid_scope` for one that isn't offered, and for other white space
 */
export function parseScopes(given: string | null | undefined): Scope[] | null {
  if (!given) return null;
  if (!areOffered(given)) throw invalidScope();
  return [...new Set(tokensOf(given))] as Scope[];
}

/** Whether every scope asked for is among those allowed. */
export function within(asked: readonly string[], allowed: readonly string[]): boolean {
  return asked.every((scope) => allowed.includes(scope));
}
