import { scopes, type Scope } from '../policy/index.ts';
import { invalidScope } from './errors.ts';

const offered: ReadonlySet<string> = new Set(scopes);

/**
 * RFC 6749 §3.3: scopes separated by spaces, in the requested
 * order, without duplicates. Null where none was given.
 * @returns undefined for an unknown scope, and for other white space
 */
export function readScopes(given: string | null | undefined): Scope[] | null | undefined {
  if (!given) return null;
  const tokens = given.split(' ').filter((token) => token !== '');
  if (tokens.length === 0 || !tokens.every((token) => offered.has(token))) return undefined;
  return [...new Set(tokens)] as Scope[];
}

/** Like `readScopes`. @throws OAuthError `invalid_scope` where that returns undefined */
export function parseScopes(given: string | null | undefined): Scope[] | null {
  const scopes = readScopes(given);
  if (scopes === undefined) throw invalidScope();
  return scopes;
}

/** Whether every requested scope is allowed. */
export function within(asked: readonly string[], allowed: readonly string[]): boolean {
  return asked.every((scope) => allowed.includes(scope));
}
