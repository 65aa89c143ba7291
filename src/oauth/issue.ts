import { newToken } from '../auth/index.ts';
import { issue, type IssuedRow } from './statements/grants.ts';
import type { Client } from './client.ts';
import type { Engine } from './engine.ts';
import { invalidScope, unauthorizedClient } from './errors.ts';
import type { GrantType } from './profile.ts';
import { parseScopes, within } from './scopes.ts';

/** The answer of the token endpoint (RFC 6749 §5.1, with `scope` and `created_at`). */
export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  /** Seconds; null for a token that never expires. */
  readonly expiresIn: number | null;
  readonly scope: string;
  readonly createdAt: Date;
}

/** New tokens: secrets, digests, and lifetimes from the profile. Call `answer` after they are stored. */
export function newTokens({ profile, changes }: Engine, withRefresh: boolean) {
  const access = newToken('access');
  const refresh = withRefresh ? newToken('refresh') : null;
  const accessLife = profile.accessTokenLifetime === 0 ? null : profile.accessTokenLifetime;
  return {
    access,
    refresh,
    accessLife,
    refreshLife: profile.refreshTokenLifetime,
    answer: ({ scopes, created_at, user_id, application_id, refreshes }: IssuedRow): IssuedTokens => {
      if (user_id !== null)
        changes.publish({ personId: user_id, subject: 'AUTHORIZATION', id: application_id, act: 'CREATED' });
      return {
        accessToken: access.secret,
        refreshToken: refreshes ? refresh!.secret : null,
        expiresIn: accessLife,
        scope: scopes.join(' '),
        createdAt: created_at,
      };
    },
  };
}

/**
 * Issues tokens for grants without a code or token to spend.
 * @returns null when the authorization was revoked in the meantime
 */
export async function issueTokens(
  engine: Engine,
  what: {
    readonly kind: 'PASSWORD' | 'IMPLICIT' | 'CLIENT_CREDENTIALS';
    readonly client: Client | null;
    readonly userId: number | null;
    readonly scopes: readonly string[];
    readonly withRefresh: boolean;
    /** When the authorization was checked, by the database's clock. */
    readonly allowedAt: string;
  },
): Promise<IssuedTokens | null> {
  const tokens = newTokens(engine, what.withRefresh);
  const [row] = await engine.sql.rows(issue, [
    what.kind,
    what.client?.id ?? null,
    what.userId,
    what.scopes,
    tokens.access.digest,
    tokens.refresh?.digest ?? null,
    tokens.accessLife,
    tokens.refreshLife,
    engine.origin.address,
    engine.origin.requestId,
    what.allowedAt,
  ]);
  return row ? tokens.answer(row) : null;
}

/** Whether a client gets a refresh token: only if it may use one. */
export function refreshes(engine: Engine, client: Client): boolean {
  return allows(engine, client, 'refresh_token');
}

/** Whether both the instance and the application allow a grant. */
export function allows({ profile }: Engine, client: Client, grant: GrantType): boolean {
  return profile.grants.includes(grant) && client.grants.includes(grant);
}

/** Requires that a client may use a grant. @throws OAuthError `unauthorized_client` */
export function requireGrant(engine: Engine, client: Client, grant: GrantType): void {
  if (!allows(engine, client, grant)) throw unauthorizedClient();
}

/**
 * The scopes that a client gets. If it asks for scopes, the application must have all of them; if not, it gets those
 * of `otherwise` that the application has.
 * @throws OAuthError `invalid_scope`, also if no scope remains
 */
export function grantedScopes(
  asked: string | null | undefined,
  allowed: readonly string[],
  otherwise: readonly string[],
): string[] {
  const scopes = parseScopes(asked) ?? otherwise.filter((scope) => allowed.includes(scope));
  if (scopes.length === 0 || !within(scopes, allowed)) throw invalidScope();
  return [...scopes];
}
