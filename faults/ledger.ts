import type { Person } from './store.ts';

/** A person's setting: the last number that was sent, and the last one acknowledged. */
export interface Setting {
  attempted: number;
  acknowledged: number;
}

/** A family of OAuth tokens, which a client keeps rotating. */
export interface Family {
  readonly person: Person;
  refreshToken: string;
  /** Those of every acknowledged pair. */
  readonly refreshTokens: Set<string>;
  accessToken: string | undefined;
}

/** A personal access token that was requested under a unique name. */
export interface Made {
  readonly name: string;
  /** Undefined: not acknowledged. */
  token: string | undefined;
  id: number | undefined;
}

/** What the gateways have acknowledged to the load. */
export class Ledger {
  readonly settings = new Map<Person, Setting>();
  readonly families: Family[] = [];
  readonly made: Made[] = [];
  /** Credentials whose revocation was acknowledged. */
  readonly revoked = new Set<string>();
  /** Those whose revocation was requested, whatever the outcome. */
  readonly doubtful = new Set<string>();
  /** Uses of a revoked credential that succeeded. */
  readonly usedAfterwards: string[] = [];
  /** How often a revoked credential was refused while the load ran. */
  triedAfterwards = 0;
}
