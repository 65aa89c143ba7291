import { actAs, authenticate, bySession, formToken, isFormToken, type CredentialWatch, type InstanceKeys, type Presented, type Sudo } from './auth/index.ts';
import { prefixes } from './auth/tokens.ts';
import type { ChangeFeed } from './changes/index.ts';
import { cancellable, isUnreachable, isUnstorableText, type Database } from './database/index.ts';
import { BadRequest, DomainError, Unavailable } from './errors.ts';
import { narrowed, type InstanceSettings, type SettingsStore } from './instance-settings.ts';
import type { Mail } from './mail/index.ts';
import type { Profile } from './oauth/index.ts';
import { anonymous, client, operator, type Origin, type Viewer } from './policy/index.ts';

/** What lasts as long as the process, for every door and every resolver. */
export interface Application {
  readonly database: Database;
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
  /** The folder of the gateway's own templates. */
  readonly templatesDir: string;
}

/** What a resolver sees: one request. */
export interface Context extends Application {
  readonly viewer: Viewer;
  readonly origin: Origin;
  /** As they were when the request came. The profile has no more grants than they let there be. */
  readonly settings: InstanceSettings;
}

/** The context of a viewer, with the settings as they are known. */
function contextOf(application: Application, viewer: Viewer, origin: Origin): Context {
  const settings = application.settingsStore.current;
  return { ...application, profile: narrowed(application.profile, settings), settings, viewer, origin };
}

/**
 * The context of a request at the API. The credential is checked here, once: a
 * bad one is refused even where none is needed.
 * @param sudo in whose name an administrator asks, if not in their own
 * @throws Unauthenticated, InvalidToken, InsufficientScope, Forbidden, NotFound, Unavailable
 */
export async function createContext(
  application: Application,
  presented: Presented | null,
  origin: Origin,
  sudo?: Sudo | undefined,
): Promise<Context> {
  const { database, keys } = application;
  const viewer = presented ? await authenticate(database, keys, presented, origin) : anonymous;
  await application.settingsStore.refresh();
  return contextOf(application, sudo ? await actAs(database, viewer, sudo, origin) : viewer, origin);
}

/** The context of a request at an endpoint for OAuth clients, which prove themselves inside the operation. */
export async function clientContext(application: Application, origin: Origin): Promise<Context> {
  await application.settingsStore.refresh();
  return contextOf(application, client, origin);
}

/** The context of a page: of the person behind the session cookie, or of nobody when it doesn't count. */
export async function pageContext(application: Application, session: string | null, origin: Origin): Promise<Context> {
  const viewer = session ? await bySession(application.database, session) : null;
  await application.settingsStore.refresh();
  return contextOf(application, viewer ?? anonymous, origin);
}

/** The context of a command on the operator's own machine. */
export function operatorContext(application: Application): Context {
  return contextOf(application, operator, { address: '', requestId: '' });
}

/** Both ways of presenting a bearer at once (RFC 6750 §2: a client must not use more than one). */
export class TwoCredentials extends BadRequest {}

/** A bearer in the query string, where the profile refuses that. */
export class TokenInQuery extends BadRequest {}

/**
 * RFC 9700 §4.3.2: addresses end up in logs and histories.
 * @param has whether the query string has a parameter
 * @throws TokenInQuery
 */
export function refuseTokenInQuery(has: (name: string) => boolean): void {
  if (has('access_token') || has('bearer_token')) {
    throw new TokenInQuery('An access token must be sent in the Authorization header, not in the query string.');
  }
}

/**
 * Finds the credential in a request: an OAuth token first, as parameter or
 * header, then a personal one, which may also come in an OAuth token's place.
 * @throws TwoCredentials
 */
export function presentedCredential(
  header: (name: string) => string | undefined,
  parameter: (name: string) => unknown,
): Presented | null {
  const bearer = /^Bearer +(\S+) *$/i.exec(header('authorization') ?? '')?.[1];
  const parameterToken = text(parameter('access_token')) ?? text(parameter('bearer_token'));
  if (bearer && parameterToken) throw new TwoCredentials('Both Authorization header and payload includes access token.');
  const token = parameterToken ?? bearer;
  const personal = text(parameter('private_token')) ?? text(header('private-token'));
  if (token && (!personal || token.startsWith(prefixes.access))) return { as: 'bearer', token };
  return personal ? { as: 'private', token: personal } : null;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The domain error behind whatever a resolver threw; undefined for a programming error. */
export function domainError(thrown: unknown): DomainError | undefined {
  if (thrown instanceof DomainError) return thrown;
  if (isUnreachable(thrown)) return new Unavailable();
  return isUnstorableText(thrown) ? new BadRequest('Text can’t contain a NUL character.') : undefined;
}

export { cancellable, formToken, isFormToken, type Sudo };
