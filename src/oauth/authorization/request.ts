import type { Scope } from '../../policy/index.ts';
import type { Client } from '../client.ts';
import type { Engine } from '../engine.ts';

/** The parameters of an authorization request, as they came; empty ones count as absent. */
export interface AuthorizationParameters {
  readonly clientId?: string | null | undefined;
  readonly redirectUri?: string | null | undefined;
  readonly responseType?: string | null | undefined;
  readonly scope?: string | null | undefined;
  readonly state?: string | null | undefined;
  readonly codeChallenge?: string | null | undefined;
  readonly codeChallengeMethod?: string | null | undefined;
  readonly responseMode?: string | null | undefined;
  readonly prompt?: string | null | undefined;
}

/** The results of the checks; each check builds on those before it. */
export interface AuthorizationDraft {
  client?: Client;
  redirectUri?: string;
  responseType?: 'code' | 'token';
  scopes?: readonly Scope[];
  challenge?: string | null;
}

/** An authorization request that passed all checks. */
export interface AuthorizationRequest {
  readonly client: Client;
  readonly redirectUri: string;
  readonly responseType: 'code' | 'token';
  readonly scopes: readonly Scope[];
  readonly challenge: string | null;
  readonly state: string | null;
}

/**
 * One check of an authorization request: reads the parameters, notes its
 * result in the draft, throws what is wrong.
 */
export type Check = (context: {
  readonly engine: Engine;
  readonly parameters: AuthorizationParameters;
  /** Whether the person who decides is an administrator. */
  readonly administrator: boolean;
  readonly draft: AuthorizationDraft;
}) => void | Promise<void>;
