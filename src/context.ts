import { authenticate, type InstanceKeys, type Presented } from './auth/index.ts';
import { cancellable, isUnreachable, isUnstorableText, type Database } from './database/index.ts';
import { BadRequest, DomainError, Unavailable } from './errors.ts';
import { anonymous, operator, type Viewer } from './policy/index.ts';

/** What lasts as long as the process, for every door and every resolver. */
export interface Application {
  readonly database: Database;
  readonly keys: InstanceKeys;
  /** Where people and clients reach the gateway, without a slash at the end. */
  readonly baseUrl: string;
  readonly reportedVersion: string;
  readonly revision: string;
}

/** What a resolver sees: one request. */
export interface Context extends Application {
  readonly viewer: Viewer;
}

/**
 * The context of one request, for every door. The credential is checked here,
 * once: a bad one is refused even where none is needed.
 * @throws Unauthenticated, InvalidToken, Forbidden, Unavailable
 */
export async function createContext(application: Application, presented: Presented | null): Promise<Context> {
  const viewer = presented ? await authenticate(application.database, application.keys, presented) : anonymous;
  return { ...application, viewer };
}

/** The context of a command on the operator's own machine. */
export function operatorContext(application: Application): Context {
  return { ...application, viewer: operator };
}

/** Both ways of presenting a bearer at once (RFC 6750 §2: a client must not use more than one). */
export class TwoCredentials extends BadRequest {}

/**
 * Finds the credential in a request: an OAuth token first, as parameter or
 * header, then a personal one.
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
  if (token) return { as: 'bearer', token };
  const personal = text(parameter('private_token')) ?? text(header('private-token'));
  return personal ? { as: 'private', token: personal } : null;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The domain error behind whatever a resolver threw; undefined for a programming error. */
export function domainError(thrown: unknown): DomainError | undefined {
  if (thrown instanceof DomainError) return thrown;
  if (isUnreachable(thrown)) return new Unavailable();
  return isUnstorableText(thrown) ? new BadRequest('Text can’t contain a NUL character.') : undefined;
}

export { cancellable };
