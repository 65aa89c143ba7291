/**
 * The viewer: the person or the application a request acts for. Built once per request by the context of the door.
 */

/** The scopes that a credential can have: those that the gateway serves. */
export const scopes = [
  'api',
  'read_api',
  'read_user',
  'read_repository',
  'write_repository',
  'profile',
  'email',
  'sudo',
] as const;
export type Scope = (typeof scopes)[number];

/** Scopes that a scope includes. */
const included: { readonly [S in Scope]?: readonly Scope[] } = {
  api: ['read_api', 'read_user', 'read_repository', 'write_repository', 'profile', 'email'],
  read_api: ['read_user', 'profile', 'email'],
  read_user: ['profile', 'email'],
};

/** Whether some scopes include all of the wanted ones. */
export function covers(have: readonly Scope[], wanted: readonly Scope[]): boolean {
  return wanted.every((scope) => have.some((one) => one === scope || included[one]?.includes(scope)));
}

/** The person behind a credential: the facts that policies read. */
export interface Person {
  readonly id: number;
  readonly username: string;
  readonly administrator: boolean;
  readonly premium: boolean;
  /** Sees what is internal only where they have a role. */
  readonly external: boolean;
}

/** The OAuth application that an access token was issued to. */
export interface TokenApplication {
  readonly id: number;
  readonly uid: string;
}

/** The credential of a request, after it was checked. */
export type Credential =
  | {
      readonly kind: 'personal';
      readonly tokenId: number;
      readonly scopes: readonly Scope[];
      /** Whether a page holds it, so that the person can explore the API there. It gets no power over credentials. */
      readonly ofPage?: true;
    }
  | {
      readonly kind: 'oauth';
      readonly tokenId: number;
      readonly scopes: readonly Scope[];
      readonly application: TokenApplication | null;
      readonly createdAt: Date;
      readonly expiresAt: Date | null;
    }
  /**
   * A person signed in with a browser. `recent`: they confirmed their identity within the last
   * minutes. `checkedAt`: when the session was looked up, by the database's clock. An authorization
   * that the person gives gets this time.
   */
  | {
      readonly kind: 'session';
      readonly sessionId: number;
      readonly recent: boolean;
      readonly checkedAt: string;
      /** The time zone that the person chose. */
      readonly timeZone?: string;
      /** Whether the person has to set up a second factor before anything else. */
      readonly secondFactorDue?: boolean;
      /** Whether the person has to change the password before anything else: an administrator chose it. */
      readonly passwordExpired?: boolean;
    }
  /** A person's name and password, as git sends them with each request. */
  | { readonly kind: 'password' }
  /** An SSH key, for git alone. */
  | { readonly kind: 'key'; readonly keyId: number }
  /** The token of a job that runs. The person is who started it, with their rights of now. */
  | { readonly kind: 'job'; readonly jobId: number; readonly projectId: number; readonly pipelineId: number }
  /** The token of a runner. It acts for no one. */
  | { readonly kind: 'runner'; readonly runnerId: number }
  /** A token that runners register with: those of a project, a group, or of the instance, if both are null. */
  | { readonly kind: 'registration'; readonly projectId: number | null; readonly groupId: number | null }
  /** A request that starts a pipeline: the operation looks its token up. */
  | { readonly kind: 'trigger' }
  /** An SSH key of projects, for git alone. It acts without a person. */
  | {
      readonly kind: 'deploy_key';
      readonly keyId: number;
      /** The projects that it opens, and those of them that it pushes to. */
      readonly reads: readonly number[];
      readonly writes: readonly number[];
      /** Who added it: pushes with it are recorded as theirs. Null: they are gone, or blocked. */
      readonly creatorId: number | null;
    }
  /** A request to an OAuth endpoint: the client authenticates inside the operation. */
  | { readonly kind: 'client' }
  /** The command line. The operator reaches fields of every class. */
  | { readonly kind: 'operator' };

/** The viewer. `person` is null for anonymous requests, an application that acts for itself, a deploy key, and the operator. */
export interface Viewer {
  readonly person: Person | null;
  readonly credential: Credential | null;
  /** The administrator who acts as this person (sudo); undefined without sudo. */
  readonly actor?: Person;
}

export const anonymous: Viewer = { person: null, credential: null };

/** The viewer of a request at an endpoint for OAuth clients. */
export const client: Viewer = { person: null, credential: { kind: 'client' } };

/** The viewer of a request that starts a pipeline by the token of a trigger. */
export const trigger: Viewer = { person: null, credential: { kind: 'trigger' } };

/** The viewer of the command line. */
export const operator: Viewer = { person: null, credential: { kind: 'operator' } };

/** Some person, with no right of their own: the one that SQL about others than the viewer is made for. */
export const anyPerson: Viewer = {
  person: { id: 0, username: '', administrator: false, premium: false, external: false },
  credential: null,
};

/** Whether the viewer is an administrator or the operator, who could make themselves one. */
export function isAdministrator(viewer: Viewer): boolean {
  return viewer.person?.administrator === true || viewer.credential?.kind === 'operator';
}

/** Whether the credential reaches a project at all, whatever its person may do there: the token of a job only its own. */
export const reachesProject = ({ credential }: Viewer, projectId: number): boolean =>
  credential?.kind !== 'job' || credential.projectId === projectId;

/** Whose a change is: the person's, or of a push with a deploy key that of who added it; null for no one's. */
export const actorOf = ({ person, credential }: Viewer): number | null =>
  credential?.kind === 'deploy_key' ? credential.creatorId : (person?.id ?? null);

/** Where a request comes from, for the audit and for counting failures. */
export interface Origin {
  /** The client's address; empty for the command line. */
  readonly address: string;
  readonly requestId: string;
}
