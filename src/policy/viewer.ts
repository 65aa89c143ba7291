/**
 * Who is asking. Built once a request by the door's context, read by every rule.
 */

/** The scopes a credential can carry. One that nothing serves yet is not offered. */
export const scopes = ['api', 'read_api', 'read_user', 'profile', 'email', 'sudo'] as const;
export type Scope = (typeof scopes)[number];

/** What a scope holds besides itself. */
const held: { readonly [S in Scope]?: readonly Scope[] } = {
  api: ['read_api', 'read_user', 'profile', 'email'],
  read_api: ['read_user', 'profile', 'email'],
  read_user: ['profile', 'email'],
};

/** Whether whoever has some scopes may do all that others allow. */
export function covers(have: readonly Scope[], wanted: readonly Scope[]): boolean {
  return wanted.every((scope) => have.some((one) => one === scope || held[one]?.includes(scope)));
}

/** The person behind a credential, as far as rules need to know them. */
export interface Person {
  readonly id: number;
  readonly username: string;
  readonly administrator: boolean;
  readonly premium: boolean;
}

/** The OAuth application that an access token was issued to. */
export interface TokenApplication {
  readonly id: number;
  readonly uid: string;
}

/** What a request presented, after it was checked. */
export type Credential =
  | { readonly kind: 'personal'; readonly tokenId: number; readonly scopes: readonly Scope[] }
  | {
      readonly kind: 'oauth';
      readonly tokenId: number;
      readonly scopes: readonly Scope[];
      readonly application: TokenApplication | null;
      readonly createdAt: Date;
      readonly expiresAt: Date | null;
    }
  /**
   * A person signed in with a browser. `recent`: confirmed it within the last
   * minutes. `checkedAt`: when the session was looked up, by the database's clock;
   * what the person allows is dated from then.
   */
  | { readonly kind: 'session'; readonly sessionId: number; readonly recent: boolean; readonly checkedAt: string }
  /** A request in which an OAuth client speaks for itself, and proves it inside the operation. */
  | { readonly kind: 'client' }
  /** The command line: whoever holds the machine. Reaches every class. */
  | { readonly kind: 'operator' };

/** Nobody, a person, an application for itself (no person), or the operator (no person either). */
export interface Viewer {
  readonly person: Person | null;
  readonly credential: Credential | null;
  /** The administrator who acts as this person (sudo); undefined where people speak for themselves. */
  readonly actor?: Person;
}

export const anonymous: Viewer = { person: null, credential: null };

/** The viewer of a request at an endpoint for OAuth clients. */
export const client: Viewer = { person: null, credential: { kind: 'client' } };

/** The viewer that acts for the one who runs the machine. */
export const operator: Viewer = { person: null, credential: { kind: 'operator' } };

/** Administrators, and the operator, who could make himself one. */
export function isAdministrator(viewer: Viewer): boolean {
  return viewer.person?.administrator === true || viewer.credential?.kind === 'operator';
}

/** Where a request comes from, for the audit and for counting failures. */
export interface Origin {
  /** The client's address; empty for the command line. */
  readonly address: string;
  readonly requestId: string;
}
