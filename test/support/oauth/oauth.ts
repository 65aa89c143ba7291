import { createHash, randomBytes } from 'node:crypto';
import { pageContext } from '../../../src/context.ts';
import { compileOperation } from '../../../src/operation.ts';
import { schema } from '../../../src/schema/index.ts';
import type { TestGateway } from '../gateway.ts';
import type { RestAnswer, RestRequest } from '../requests/rest-client.ts';

export interface Origin {
  readonly address: string;
  readonly requestId: string;
}

/** The default origin of operations in tests. */
export const somewhere: Origin = { address: '198.51.100.1', requestId: 'a-test' };

/** Runs an operation of the whole schema as a page does: for the person of a session, or anonymously. */
export async function asPage<Data>(
  { gateway: { application } }: TestGateway,
  session: string | null,
  source: string,
  variables: Record<string, unknown> = {},
  origin: Origin = somewhere,
): Promise<Data> {
  const context = await pageContext(application, session, { origin });
  return await compileOperation<Data>(schema, source).execute(context, variables);
}

/** A person who is signed in. */
export interface Session {
  readonly gateway: TestGateway;
  readonly secret: string;
  readonly username: string;
  run<Data>(source: string, variables?: Record<string, unknown>, origin?: Origin): Promise<Data>;
}

/** The session of a cookie, at any gateway of the same database. */
export function sessionOf(gateway: TestGateway, username: string, secret: string): Session {
  return {
    gateway,
    secret,
    username,
    run: (source, variables, origin) => asPage(gateway, secret, source, variables, origin),
  };
}

/** @throws the error that the sign-in page would show */
export async function signIn(
  gateway: TestGateway,
  login: string,
  password: string,
  origin: Origin = somewhere,
): Promise<Session> {
  const { signIn: opened } = await asPage<{ signIn: { session: string; unconfirmed: string | null } }>(
    gateway,
    null,
    'mutation ($input: SignInInput!) { signIn(input: $input) { session unconfirmed } }',
    { input: { login, password, userAgent: 'a test' } },
    origin,
  );
  if (opened.unconfirmed !== null) throw new Error('The address isn’t confirmed.');
  return sessionOf(gateway, login, opened.session);
}

export interface Account {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

/** Creates a person with a password and a confirmed e-mail address. */
export async function account(
  gateway: TestGateway,
  username: string,
  more: { administrator?: boolean; emailVerified?: boolean } = {},
): Promise<Account> {
  const email = `${username}@example.com`;
  const password = `password of ${username}`;
  const { createUser } = await gateway.operator<{ createUser: { user: { id: number } } }>(
    'mutation ($input: CreateUserInput!) { createUser(input: $input) { user { id: databaseId } } }',
    { input: { username, name: username, email, emailVerified: true, password, ...more } },
  );
  return { id: String(createUser.user.id), username, email, password };
}

/** Creates a person and signs them in. */
export async function session(
  gateway: TestGateway,
  username: string,
  more: Parameters<typeof account>[2] = {},
): Promise<Session> {
  const { password } = await account(gateway, username, more);
  return await signIn(gateway, username, password);
}

export interface ApplicationInput {
  name: string;
  redirectUris: string[];
  scopes: string[];
  grants: string[];
  confidential: boolean;
}

export interface RegisteredApplication extends ApplicationInput {
  readonly id: string;
  readonly clientId: string;
  /** Empty for a public application. */
  readonly secret: string;
}

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
export const everyGrant = [
  'authorization_code',
  'implicit',
  'password',
  'refresh_token',
  'client_credentials',
  deviceGrant,
];
export const callback = 'https://client.example/callback';

/** The input for a registration, with all scopes and grants that the kind of application may have. */
export const applicationInput = (overrides: Partial<ApplicationInput> = {}): ApplicationInput => ({
  name: 'An application',
  redirectUris: [callback],
  scopes: ['api', 'read_api', 'read_user', 'profile', 'email', 'sudo'],
  grants: everyGrant.filter((grant) => overrides.confidential !== false || grant !== 'client_credentials'),
  confidential: true,
  ...overrides,
});

export async function registerApplication(
  owner: Session,
  overrides: Partial<ApplicationInput> = {},
): Promise<RegisteredApplication> {
  const input = applicationInput(overrides);
  const { registerApplication: made } = await owner.run<{
    registerApplication: { secret: string | null; application: { id: number; clientId: string } };
  }>(
    'mutation ($input: ApplicationInput!) { registerApplication(input: $input) { secret application { id: databaseId clientId } } }',
    { input },
  );
  return { ...input, id: String(made.application.id), clientId: made.application.clientId, secret: made.secret ?? '' };
}

/** An application of the instance, which belongs to no person. */
export async function registerInstanceApplication(
  { operator }: TestGateway,
  overrides: Partial<ApplicationInput> = {},
): Promise<RegisteredApplication> {
  const input = applicationInput(overrides);
  const { made } = await operator<{ made: { secret: string | null; application: { id: number; clientId: string } } }>(
    'mutation ($input: RegisterInstanceApplicationInput!) { made: registerInstanceApplication(input: $input) { secret application { id: databaseId clientId } } }',
    { input },
  );
  return { ...input, id: String(made.application.id), clientId: made.application.clientId, secret: made.secret ?? '' };
}

export interface Pkce {
  readonly verifier: string;
  readonly challenge: string;
}

export const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

export function pkce(verifier = randomBytes(32).toString('base64url')): Pkce {
  return { verifier, challenge: challengeOf(verifier) };
}

export interface AuthorizationParameters {
  clientId?: string | null;
  redirectUri?: string | null;
  responseType?: string | null;
  responseMode?: string | null;
  scope?: string | null;
  state?: string | null;
  codeChallenge?: string | null;
  codeChallengeMethod?: string | null;
  prompt?: string | null;
}

/** The parameters with which an application asks for a code. */
export const codeRequest = (
  application: RegisteredApplication,
  more: AuthorizationParameters = {},
): AuthorizationParameters => ({
  clientId: application.clientId,
  redirectUri: application.redirectUris[0]!,
  responseType: 'code',
  scope: 'api',
  ...more,
});

export const withChallenge = ({ challenge }: Pkce) => ({ codeChallenge: challenge, codeChallengeMethod: 'S256' });

/** Sends the person's decision. @returns the redirect with the answer */
export async function decide(person: Session, parameters: AuthorizationParameters, approved = true): Promise<URL> {
  const { authorize } = await person.run<{ authorize: { location: string } }>(
    'mutation ($parameters: AuthorizationParameters!, $approved: Boolean!) { authorize(parameters: $parameters, approved: $approved) { location } }',
    { parameters, approved },
  );
  return new URL(authorize.location);
}

/** The parameters in the fragment of a redirect. */
export const fragment = (location: URL) => new URLSearchParams(location.hash.slice(1));

/** Approves an application. @returns its code */
export async function codeFor(
  person: Session,
  application: RegisteredApplication,
  more: AuthorizationParameters = {},
): Promise<string> {
  const location = await decide(person, codeRequest(application, more));
  const code = location.searchParams.get('code');
  if (code === null) throw new Error(`No code: ${location.href}`);
  return code;
}

export interface Prospect {
  application: { clientId: string; name: string } | null;
  scopes: string[];
  redirectUri: string | null;
  remembered: boolean;
  error: string | null;
  errorDescription: string | null;
  errorLocation: string | null;
}

/** The data that the consent page shows. */
export async function prospect(
  gateway: TestGateway,
  session: string | null,
  parameters: AuthorizationParameters,
): Promise<Prospect> {
  const { authorizationRequest } = await asPage<{ authorizationRequest: Prospect }>(
    gateway,
    session,
    `query ($parameters: AuthorizationParameters!) {
      authorizationRequest(parameters: $parameters) {
        application { clientId name } scopes redirectUri remembered error errorDescription errorLocation
      }
    }`,
    { parameters },
  );
  return authorizationRequest;
}

export type Form = Record<string, string>;

/** Sends a request to an endpoint for clients: with the form, unless the request has another body. */
export function post(
  gateway: TestGateway,
  path: string,
  form: Form | [string, string][],
  request: RestRequest = {},
): Promise<RestAnswer> {
  const { json, multipart, raw } = request;
  return gateway.rest('POST', path, (json ?? multipart ?? raw) === undefined ? { form, ...request } : request);
}

export const token = (gateway: TestGateway, form: Form | [string, string][], request: RestRequest = {}) =>
  post(gateway, '/oauth/token', form, request);

/** HTTP Basic, each half form-encoded (RFC 6749 §2.3.1). */
export function basic({ clientId, secret }: Pick<RegisteredApplication, 'clientId' | 'secret'>): RestRequest {
  const encode = (text: string) => new URLSearchParams({ x: text }).toString().slice(2);
  return {
    headers: { authorization: `Basic ${Buffer.from(`${encode(clientId)}:${encode(secret)}`).toString('base64')}` },
  };
}

/** The client's credentials as parameters; a public one sends its id alone. */
export const inBody = ({ clientId, secret }: Pick<RegisteredApplication, 'clientId' | 'secret'>): Form => ({
  client_id: clientId,
  ...(secret !== '' && { client_secret: secret }),
});

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly scope: string;
  readonly expires_in: number;
  readonly created_at: number;
}

export const codeForm = (application: RegisteredApplication, code: string, more: Form = {}): Form => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: application.redirectUris[0]!,
  ...inBody(application),
  ...more,
});

export const refreshForm = (application: RegisteredApplication, refreshToken: string, more: Form = {}): Form => ({
  grant_type: 'refresh_token',
  refresh_token: refreshToken,
  ...inBody(application),
  ...more,
});

/** The tokens of an answer. @throws Error when it is no success */
export function tokensOf(answer: RestAnswer): Tokens {
  if (answer.status !== 200) throw new Error(`No tokens: ${answer.status} ${answer.text}`);
  return answer.body as Tokens;
}

/** The whole code flow, with PKCE. */
export async function tokensFor(
  person: Session,
  application: RegisteredApplication,
  scope = 'api',
  at = person.gateway,
): Promise<Tokens> {
  const proof = pkce();
  const code = await codeFor(person, application, { scope, ...withChallenge(proof) });
  return tokensOf(await token(at, codeForm(application, code, { code_verifier: proof.verifier })));
}

export const refresh = (
  gateway: TestGateway,
  application: RegisteredApplication,
  refreshToken: string,
  more: Form = {},
) => token(gateway, refreshForm(application, refreshToken, more));

/** The status of an API request with an access token. */
export async function statusOf(gateway: TestGateway, accessToken: string): Promise<number> {
  return (await gateway.rest('GET', '/api/v4/user', { headers: { authorization: `Bearer ${accessToken}` } })).status;
}

/** Status and error code of a refusal. */
export const refusalOf = ({ status, body }: RestAnswer): [number, string] => [
  status,
  (body as { error: string }).error,
];

/** Moves the times of rows into the past, as if so many seconds had passed. */
export async function age(
  gateway: TestGateway,
  table: string,
  columns: string[],
  seconds: number,
  where = 'true',
): Promise<void> {
  const moved = columns.map((column) => `${column} = ${column} - make_interval(secs => ${seconds})`).join(', ');
  await gateway.sql(`update ${table} set ${moved} where ${where}`);
}

export const digestOf = (secret: string) => createHash('sha256').update(secret).digest();
