import type { Person } from './store.ts';

/** A number that a person's setting was given, and the last one whose change was acknowledged. */
export interface Setting {
  attempted: number;
  acknowledged: number;
}

/** A family of OAuth tokens, which a client rotates again and again. */
export interface Family {
  readonly person: Person;
  refreshToken: string;
  /** Of every pair that was acknowledged. */
  readonly refreshTokens: Set<string>;
  accessToken: string | undefined;
}

/** A personal access token that was asked for under a name of its own. */
export interface Made {
  readonly name: string;
  /** Undefined: nothing was acknowledged. */
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
  /** Those whose revocation was asked for, whatever came of it. */
  readonly doubtful = new Set<string>();
  /** Uses of a revoked credential that were answered as if it were good. */
  readonly usedAfterwards: string[] = [];
  /** How often a revoked one was tried while the load ran. */
  triedAfterwards = 0;
}
