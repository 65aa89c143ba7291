import { scopes, type Scope } from '../policy/index.ts';
import { invalidScope } from './errors.ts';

const offered: ReadonlySet<string> = new Set(scopes);

/**
 * Parses scopes separated by spaces (RFC 6749 §3.3). Keeps their order and drops duplicates.
 * @returns null if none was given, undefined for an unknown scope or other white space
 */
export function readScopes(given: string | null | undefined): Scope[] | null | undefined {
  if (!given) return null;
  const tokens = given.split(' ').filter((token) => token !== '');
  if (tokens.length === 0 || !tokens.every((token) => offered.has(token))) return undefined;
  return [...new Set(tokens)] as Scope[];
}

/** Like `readScopes`. @throws OAuthError `invalid_scope` if that returns undefined */
export function parseScopes(given: string | null | undefined): Scope[] | null {
  const scopes = readScopes(given);
  if (scopes === undefined) throw invalidScope();
  return scopes;
}

/** Whether every requested scope is allowed. */
export function within(asked: readonly string[], allowed: readonly string[]): boolean {
  return asked.every((scope) => allowed.includes(scope));
}
