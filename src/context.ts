import {
  actAs,
  authenticate,
  bySession,
  claimForm,
  formToken,
  isFormToken,
  keepForOnce,
  openDraft,
  releaseForm,
  sealDraft,
  takeOnce,
  type CredentialWatch,
  type InstanceKeys,
  type Presented,
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
import { BadRequest, DomainError, Unavailable } from './errors.ts';
import { narrowed, type InstanceSettings, type SettingsStore } from './instance/settings.ts';
import type { Mail } from './mail/index.ts';
import type { Profile, Refusals } from './oauth/index.ts';
import { anonymous, client, operator, type Origin, type Viewer } from './policy/index.ts';

/** What lasts as long as the process, for every door and every resolver. */
export interface Application {
  readonly database: OpenDatabase;
  readonly keys: InstanceKeys;
  /** Where people and clients reach the gateway, without a slash at the end. */
  readonly baseUrl: string;
  readonly reportedVersion: string;
  readonly revision: string;
  /** What the authorization server allows, and for how long. */
  readonly profile: Profile;
  readonly mail: Mail;
  /** What administrators change while it runs. */
  readonly settingsStore: SettingsStore;
  /** Who hears of what changes. */
  readonly changes: ChangeFeed;
  /** When the tokens of those who listen end. */
  readonly credentials: CredentialWatch;
  /** Where what is refused is counted. */
  readonly refusals: Refusals;
  /** The folder of the gateway's own templates. */
  readonly templatesDir: string;
}

/** What a resolver sees: one request. */
export interface Context extends Omit<Application, 'database'> {
  readonly database: Database;
  readonly viewer: Viewer;
  readonly origin: Origin;
  /** As they were when the request came. The profile has no more grants than they let there be. */
  readonly settings: InstanceSettings;
}

/** A request, as its door knows it before anybody knows who asks. */
export interface Call {
  readonly origin: Origin;
  /** Where to count what it costs the database. */
  readonly ledger?: Ledger;
  /** Tells when the client leaves, if that is of interest. */
  readonly disconnect?: ClientDisconnect;
}

/** The database as one request sees it. */
const databaseOf = ({ database }: Application, { ledger, disconnect }: Call): RequestDatabase =>
  new RequestDatabase(database, ledger ?? { statements: 0, milliseconds: 0 }, disconnect);

/** Says that an operation begins, and whether it only reads: a replica may answer it then. */
export function begin({ database }: Context, reads: boolean): void {
  if (database instanceof RequestDatabase) database.begin(reads);
}

/** Resolves a field as a step of its request, where that is traced: what it asks the database is told below it. */
export function traced<T>(context: Context, name: string, resolve: (within: Context) => T): T {
  const { database } = context;
  if (!(database instanceof RequestDatabase) || !database.isTraced) return resolve(context);
  return database.field(name, (below) =>
    resolve(Object.assign(Object.create(context) as Context, { database: below })),
  );
}

/**
 * The statement that a root field begins with, so that it can be read along with the credential.
 * @param args as they were sent, before anything of them is checked
 * @returns undefined where that isn't one statement
 */
export type PrefetchFor = (args: Readonly<Record<string, unknown>>) => Prefetch | undefined;

/** The context of a viewer, with the settings as they are known. */
function contextOf(application: Application, viewer: Viewer, origin: Origin, database: Database): Context {
  return Object.assign(Object.create(shared(application)) as Context, { viewer, origin, database });
}

/** What all contexts have in common until the settings change: their prototype, so that each costs next to nothing. */
function shared(application: Application): object {
  const settings = application.settingsStore.current;
  const known = sharedParts.get(application);
  if (known?.settings === settings) return known;
  // Copied as they are: the address of a gateway may not be known yet.
  const made = Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(application),
      settings: { value: settings, enumerable: true },
      profile: { value: narrowed(application.profile, settings), enumerable: true },
      // Each context has its own.
      database: { writable: true, enumerable: true },
    },
  ) as Pick<Context, 'settings'>;
  sharedParts.set(application, made);
  return made;
}

const sharedParts = new WeakMap<Application, Pick<Context, 'settings'>>();

/** What a credential asks for besides being known. */
export interface Wanted {
  /** In whose name an administrator asks, if not in their own. */
  readonly sudo?: Sudo | undefined;
  /** What to read along with the credential. */
  readonly prefetch?: Prefetch | undefined;
}

/**
 * The context of a request at the API. The credential is checked here, once: a
 * bad one is refused even where none is needed.
 * @throws Unauthenticated, InvalidToken, InsufficientScope, Forbidden, NotFound, Unavailable
 */
export async function createContext(
  application: Application,
  presented: Presented | null,
  call: Call,
  { sudo, prefetch }: Wanted = {},
): Promise<Context> {
  const { origin } = call;
  const database = databaseOf(application, call);
  const viewer = presented ? await authenticate(database, application.keys, presented, origin, prefetch) : anonymous;
  await application.settingsStore.refresh();
  return contextOf(application, sudo ? await actAs(database, viewer, sudo, origin) : viewer, origin, database);
}

/** The context of a request at an endpoint for OAuth clients, which prove themselves inside the operation. */
export async function clientContext(application: Application, call: Call): Promise<Context> {
  await application.settingsStore.refresh();
  return contextOf(application, client, call.origin, databaseOf(application, call));
}

/** The context of a page: of the person behind the session cookie, or of nobody when it doesn't count. */
export async function pageContext(application: Application, session: string | null, call: Call): Promise<Context> {
  const database = databaseOf(application, call);
  const viewer = session ? await bySession(database, session) : null;
  await application.settingsStore.refresh();
  return contextOf(application, viewer ?? anonymous, call.origin, database);
}

/** The context of what happens later in a request that goes on: of the viewer as they are by then. */
export function lateContext(application: Application, { origin, database }: Context, viewer: Viewer): Context {
  return contextOf(application, viewer, origin, database);
}

/** The context of a command on the operator's own machine. */
export function operatorContext(application: Application): Context {
  return contextOf(application, operator, { address: '', requestId: '' }, application.database);
}

/** The domain error behind whatever a resolver threw; undefined for a programming error. */
export function domainError(thrown: unknown): DomainError | undefined {
  if (thrown instanceof DomainError) return thrown;
  if (isUnreachable(thrown)) return new Unavailable();
  return isUnstorableText(thrown) ? new BadRequest('Text can’t contain a NUL character.') : undefined;
}

export {
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
  type Sudo,
};
