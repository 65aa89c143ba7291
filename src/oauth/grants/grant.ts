import type { ClientCredentials } from '../client.ts';
import type { Engine } from '../engine.ts';
import type { IssuedTokens } from '../issue.ts';

/** The parameters of a token request; empty ones count as absent (RFC 6749 §3.2). */
export interface TokenRequest {
  readonly client: ClientCredentials;
  readonly grantType?: string | null | undefined;
  readonly code?: string | null | undefined;
  readonly redirectUri?: string | null | undefined;
  readonly codeVerifier?: string | null | undefined;
  readonly refreshToken?: string | null | undefined;
  readonly scope?: string | null | undefined;
  readonly username?: string | null | undefined;
  readonly password?: string | null | undefined;
  readonly deviceCode?: string | null | undefined;
}

/**
 * One grant: turns a token request into tokens.
 * @throws OAuthError
 */
export type Grant = (engine: Engine, request: TokenRequest) => Promise<IssuedTokens>;
