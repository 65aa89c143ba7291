import { GraphQLError } from 'graphql';
import {
  actAs,
  authenticate,
  authenticateGit,
  authenticateKey,
  fingerprint as keyFingerprint,
  isKnownKey,
  isSignedBy,
  bySession,
  claimForm,
  formToken,
  isFormToken,
  keepForOnce,
  openDraft,
  releaseForm,
  sealDraft,
  takeOnce,
  WrongPassword,
  viewerOf,
  type CredentialWatch,
  type InstanceKeys,
  type Presented,
  type PresentedToGit,
  type Sudo,
} from './auth/index.ts';
import type { ChangeFeed } from './changes/index.ts';
import {
  isUnreachable,
  isUnstorableText,
  RequestDatabase,
  type Prefetch,
  type Database,
  type ClientDisconnect,
  type Ledger,
  type OpenDatabase,
} from './database/index.ts';
import { BadRequest, Busy, DomainError, NotFound, TooLarge, Unavailable } from './errors.ts';
import { narrowed, type InstanceSettings, type SettingsStore } from './instance/settings.ts';
import type { Git } from './git/index.ts';
import { asGitError, Interrupted, type AnyGitError } from './git/errors.ts';
import type { Mail } from './mail/index.ts';
import { auditRefusal, type Profile, type Refusals } from './oauth/index.ts';
import type { FileStore } from './storage/files.ts';
import type { Finding } from './values/findings.ts';
import type { SshService } from './values/ssh-address.ts';
import { anonymous, client, operator, trigger, type Origin, type Viewer } from './policy/index.ts';

/** The state of a process, shared by all doors and resolvers. */
export interface Application {
  readonly database: OpenDatabase;
  readonly keys: InstanceKeys;
  /** The URL of the gateway, without a slash at the end. */
  readonly baseUrl: string;
  /** Git over SSH; undefined: it isn't served. */
  readonly ssh: SshService | undefined;
  readonly reportedVersion: string;
  readonly revision: string;
  /** The grants, scopes and lifetimes of the authorization server. */
  readonly profile: Profile;
  readonly mail: Mail;
  /** Repositories. */
  readonly git: Git;
  /** Logs and artifacts of jobs. */
  readonly files: FileStore;
  /** Bounds of these, in bytes. */
  readonly jobFiles: { readonly longestTrace: number; readonly largestArtifact: number };
  /** Checks what this process depends on, as `causeway doctor` does. */
  readonly examine: () => Promise<readonly Finding[]>;
  /** The time zone of people who chose none. */
  readonly timeZone: string;
  /** Settings that administrators change at runtime. */
  readonly settingsStore: SettingsStore;
  /** Publishes changes to subscriptions. */
  readonly changes: ChangeFeed;
  /** Ends subscriptions whose token expires or is revoked. */
  readonly credentials: CredentialWatch;
  /** Counts refusals for the audit log. */
  readonly refusals: Refusals;
  /** The folder of the gateway's own templates. */
  readonly templatesDir: string;
}

/** One request, as resolvers see it. */
export interface Context extends Omit<Application, 'database'> {
  readonly database: Database;
  readonly viewer: Viewer;
  readonly origin: Origin;
  /** The settings at the time of the request. Its profile has only the grants that they allow. */
  readonly settings: InstanceSettings;
  /**
   * Whether payloads of mutations report what is wrong with an input, and former paths lead to places, as at `/graphql`;
   * otherwise both are thrown.
   */
  readonly fillsErrors: boolean;
  /** What the request costs; null at doors without a limit of complexity. */
  readonly complexity: (() => Complexity) | null;
  /** What a door counts before a large file of a project is read whole; null where nothing is. @throws RateLimited */
  readonly countLargeRead: ((projectId: number) => Promise<void>) | null;
}

/** What the operations of a request cost together, and what they may cost. */
export interface Complexity {
  readonly score: number;
  readonly limit: number;
}

/** A request before its credential is checked. */
export interface Call {
  readonly origin: Origin;
  /** Counts the statements of the request and their time. */
  readonly ledger?: Ledger;
  /** Set if the request should be cancelled when the client disconnects. */
  readonly disconnect?: ClientDisconnect;
}

/** The database for one request. */
const databaseOf = ({ database }: Application, { ledger, disconnect }: Call): RequestDatabase =>
  new RequestDatabase(database, ledger ?? { statements: 0, milliseconds: 0 }, disconnect);

/** Marks the begin of an operation. A replica may answer one that only reads. */
export function begin({ database }: Context, reads: boolean): void {
  if (database instanceof RequestDatabase) database.begin(reads);
}

/**
 * Resolves a field as a span of its request, if the request is traced. Statements of the field become spans below it.
 */
export function traced<T>(context: Context, name: string, resolve: (within: Context) => T): T {
  const { database } = context;
  if (!(database instanceof RequestDatabase) || !database.isTraced) return resolve(context);
  return database.field(name, (below) =>
    resolve(Object.assign(Object.create(context) as Context, { database: below })),
  );
}

/**
 * Returns the prefetch of a root field: its first statement, to be sent with the look-up of the credential.
 * @param args as sent, not validated yet
 * @returns undefined if the field doesn't begin with one statement
 */
export type PrefetchFor = (args: Readonly<Record<string, unknown>>) => Prefetch | undefined;

/** The context of a viewer, with the current settings. */
function contextOf(application: Application, viewer: Viewer, origin: Origin, database: Database): Context {
  return Object.assign(Object.create(shared(application)) as Context, { viewer, origin, database });
}

/** The prototype of all contexts until the settings change: it makes creating a context cheap. */
function shared(application: Application): object {
  const settings = application.settingsStore.current;
  const known = sharedParts.get(application);
  if (known?.settings === settings) return known;
  // Copied as property descriptors: `baseUrl` is a getter until the gateway listens.
  const made = Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(application),
      settings: { value: settings, enumerable: true },
      profile: { value: narrowed(application.profile, settings), enumerable: true },
      // Set in each context.
      database: { writable: true, enumerable: true },
      fillsErrors: { value: false, writable: true, enumerable: true },
      complexity: { value: null, writable: true, enumerable: true },
      countLargeRead: { value: null, writable: true, enumerable: true },
    },
  ) as Pick<Context, 'settings'>;
  sharedParts.set(application, made);
  return made;
}

const sharedParts = new WeakMap<Application, Pick<Context, 'settings'>>();

/** Options of `createContext`. */
export interface ContextOptions {
  /** The person in whose name an administrator acts (sudo). */
  readonly sudo?: Sudo | undefined;
  /** The statement to send with the look-up of the credential. */
  readonly prefetch?: Prefetch | undefined;
  /** What differs at a door. */
  readonly door?: Partial<Pick<Context, 'fillsErrors' | 'complexity'>>;
}

/**
 * The context of an API request. It checks the credential once. An invalid credential is refused even if the operation
 * needs none.
 * @throws Unauthenticated, InvalidToken, InsufficientScope, Forbidden, NotFound, Unavailable
 */
export async function createContext(
  application: Application,
  presented: Presented | null,
  call: Call,
  { sudo, prefetch, door }: ContextOptions = {},
): Promise<Context> {
  const { origin } = call;
  const database = databaseOf(application, call);
  const viewer = presented ? await authenticate(database, application.keys, presented, origin, prefetch) : anonymous;
  await application.settingsStore.refresh();
  const acting = sudo ? await actAs(database, viewer, sudo, origin) : viewer;
  const context = contextOf(application, acting, origin, database);
  return door ? Object.assign(context, door) : context;
}

/**
 * The context of a client of git.
 * @throws as `createContext`; RateLimited after too many wrong passwords
 */
export async function gitContext(
  application: Application,
  sent: PresentedToGit | null,
  call: Call,
  prefetch: Prefetch | undefined,
): Promise<Context> {
  const { keys, profile, refusals } = application;
  const { origin } = call;
  const database = databaseOf(application, call);
  const how = { passwords: profile.name === 'compatible', prefetch };
  try {
    const viewer = sent ? await authenticateGit(database, keys, sent, origin, how) : anonymous;
    await application.settingsStore.refresh();
    return contextOf(application, viewer, origin, database);
  } catch (error) {
    if (error instanceof WrongPassword)
      await auditRefusal({ refusals, origin }, { kind: 'sign_in_refused', userId: error.about });
    throw error;
  }
}

/**
 * The context of git over SSH.
 * @param fingerprint SHA-256 of the key, whose signature was checked
 * @throws Forbidden, Unavailable
 */
export async function keyContext(
  application: Application,
  fingerprint: Buffer,
  call: Call,
  prefetch?: Prefetch,
): Promise<Context> {
  const database = databaseOf(application, call);
  const viewer = await authenticateKey(database, fingerprint, prefetch);
  await application.settingsStore.refresh();
  return contextOf(application, viewer, call.origin, database);
}

/** Whether an SSH key opens connections. @param key its SHA-256 @throws Unavailable */
export async function isKnown({ database }: Application, key: Buffer): Promise<boolean> {
  try {
    return await isKnownKey(database, key);
  } catch (error) {
    throw isUnreachable(error) ? new Unavailable() : error;
  }
}

/** The context of a request at an OAuth endpoint, whose operation authenticates the client. */
export async function clientContext(application: Application, call: Call): Promise<Context> {
  await application.settingsStore.refresh();
  return contextOf(application, client, call.origin, databaseOf(application, call));
}

/** The context of a request that starts a pipeline by the token of a trigger, which its operation looks up. */
export async function triggerContext(application: Application, call: Call): Promise<Context> {
  await application.settingsStore.refresh();
  return contextOf(application, trigger, call.origin, databaseOf(application, call));
}

/** The same request, acting for a person with their rights of now. Undefined if they may not act any more. */
export async function actingFor(context: Context, personId: number): Promise<Context | undefined> {
  const viewer = await viewerOf(context.database, personId);
  return viewer && Object.assign(Object.create(context) as Context, { viewer });
}

/** The context of a page: the viewer is the person behind the session cookie; without a valid session, anonymous. */
export async function pageContext(application: Application, session: string | null, call: Call): Promise<Context> {
  const database = databaseOf(application, call);
  const viewer = session ? await bySession(database, session) : null;
  await application.settingsStore.refresh();
  return contextOf(application, viewer ?? anonymous, call.origin, database);
}

/** The context of a later event of a long request (a subscription), with the viewer at that time. */
export function lateContext(application: Application, { origin, database }: Context, viewer: Viewer): Context {
  // What earlier events read is sent.
  if (database instanceof RequestDatabase) database.release();
  return contextOf(application, viewer, origin, database);
}

/** The context of a command that the operator runs. */
export function operatorContext(application: Application): Context {
  return contextOf(application, operator, { address: '', requestId: '' }, application.database);
}

/**
 * The context of work in the background that a person asked for, with their rights of now. Undefined if they may not act
 * any more.
 */
export async function contextOfPerson(application: Application, personId: number): Promise<Context | undefined> {
  const { database } = application;
  const viewer = await viewerOf(database, personId);
  await application.settingsStore.refresh();
  return viewer && contextOf(application, viewer, { address: '', requestId: '' }, database);
}

/** What a refusal of the git engine means, where the resolver that asked has no better words. */
function ofGit(error: AnyGitError): DomainError | undefined {
  switch (error.code) {
    case 'NOT_FOUND':
      return new NotFound('Repository');
    case 'INVALID':
    case 'CONFLICT':
    case 'MISMATCH':
      return new BadRequest(error.message);
    case 'TOO_LARGE':
      return new TooLarge(error.message);
    case 'BUSY':
    case 'TIMED_OUT':
      return new Busy(error.message, error.code === 'BUSY' ? error.retryAfter : 30);
    case 'BROKEN':
      // Otherwise a defect, or a damaged disk.
      return error instanceof Interrupted ? new Unavailable() : undefined;
  }
}

/** The domain error behind what a resolver threw; undefined for a programming error. */
export function domainError(thrown: unknown): DomainError | undefined {
  if (thrown instanceof DomainError) return thrown;
  if (isUnreachable(thrown)) return new Unavailable();
  const git = asGitError(thrown);
  if (git) return ofGit(git);
  // Where files are written otherwise: logs and artifacts of jobs, avatars, new repositories.
  if (['ENOSPC', 'EDQUOT'].includes((thrown as NodeJS.ErrnoException | undefined)?.code ?? ''))
    return new Busy('The disk is full.', 600);
  if (isTooLarge(thrown)) return new BadRequest('A number is too large.');
  return isUnstorableText(thrown) ? new BadRequest('Text can’t contain a NUL character.') : undefined;
}

/** Whether the schema, whose numbers have 32 bits, can't read one of an operation of the gateway itself. */
const isTooLarge = (thrown: unknown): boolean =>
  thrown instanceof GraphQLError && thrown.message.includes('Int cannot represent non 32-bit signed integer value');

export {
  isSignedBy,
  keyFingerprint,
  claimForm,
  formToken,
  isFormToken,
  keepForOnce,
  openDraft,
  releaseForm,
  sealDraft,
  takeOnce,
  type Prefetch,
  type Presented,
  type PresentedToGit,
  type Sudo,
};
