/**
 * What the authorization server promises, without a server: who holds what, what
 * each request is answered, and which tokens are alive after it. Time is a number
 * of seconds that the test moves.
 */

/** In seconds. Time moves in steps of 40, so that no step ends near one of these: between two of them the machine may take up to 20. */
export const limits = { twin: 10, reuse: 60, code: 100, access: 260, refresh: 200_020 };
export const step = 40;
/** For so long what is over may still be asked about; afterwards it may be gone and unknown. */
const afterglow = 86_400;

export interface Person {
  readonly name: string;
  readonly username: string;
  readonly id: string;
  password: string;
  blocked: boolean;
  /** The last one that was opened, and whether it still counts. */
  session: { readonly secret: string; alive: boolean } | null;
}

export interface Application {
  readonly name: string;
  readonly id: string;
  readonly owner: Person;
  readonly clientId: string;
  redirectUris: readonly string[];
  scopes: readonly string[];
  /** Whether the grant `refresh_token` is among its own. */
  readonly refreshes: boolean;
  confidential: boolean;
  /** Empty for a public application. */
  secret: string;
  deleted: boolean;
}

/** What one consent brought: it lives and dies together. */
export interface Family {
  readonly application: Application;
  /** Null for an application that acts for itself. */
  readonly person: Person | null;
  /** When its last token will have expired. */
  readonly expires: number;
  endedAt: number | null;
}

export interface Code {
  readonly name: string;
  readonly secret: string;
  readonly application: Application;
  readonly person: Person;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly verifier: string | null;
  readonly authorized: number;
  /** Whether what allowed it was taken back. */
  void: boolean;
  spent: { readonly at: number; readonly family: Family } | null;
}

export interface AccessToken {
  readonly kind: 'access';
  readonly name: string;
  secret: string;
  readonly family: Family;
  readonly scopes: readonly string[];
  readonly expires: number;
  /** When a replaced one stops working. */
  replaced: number | null;
}

export interface RefreshToken {
  readonly kind: 'refresh';
  readonly name: string;
  secret: string;
  readonly family: Family;
  scopes: readonly string[];
  readonly expires: number;
  readonly access: AccessToken;
  rotated: { readonly at: number; readonly successor: Pair } | null;
}

export type Token = AccessToken | RefreshToken;

/** What a token request brings. The secrets are learnt from the first answer. */
export interface Pair {
  readonly access: AccessToken;
  readonly refresh: RefreshToken | null;
}

/** A client as a request presents it. */
export interface Client {
  readonly application: Application;
  readonly secret: string;
}

type Refusal = readonly [status: number, error: string];
export type Answer<Success> = { readonly refused: Refusal } | { readonly success: Success };

const refused = (status: number, error: string) => ({ refused: [status, error] as const });
const invalidClient = refused(401, 'invalid_client');
const invalidGrant = refused(400, 'invalid_grant');
const invalidRequest = refused(400, 'invalid_request');
const invalidScope = refused(400, 'invalid_scope');
const unauthorizedClient = refused(400, 'unauthorized_client');

const within = (asked: readonly string[], allowed: readonly string[]) =>
  asked.every((scope) => allowed.includes(scope));

/** An application's tokens lose what the application loses. */
export const remaining = ({ scopes }: { scopes: readonly string[] }, application: Application) =>
  scopes.filter((scope) => application.scopes.includes(scope));

export interface AuthorizationRequest {
  readonly application: Application;
  readonly responseType: 'code' | 'token';
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly verifier: string | null;
}

export type Health = 'live' | 'expired' | 'revoked' | 'unknown';

export class Model {
  now = 0;
  readonly applications: Application[] = [];
  readonly codes: Code[] = [];
  readonly accessTokens: AccessToken[] = [];
  readonly refreshTokens: RefreshToken[] = [];
  readonly people: readonly Person[];
  #families: Family[] = [];
  #consents: { person: Person; application: Application; redirectUri: string; scopes: readonly string[] }[] = [];

  constructor(people: readonly Person[]) {
    this.people = people;
  }

  // The person.

  /** What is wrong with an authorization request, which goes to the client; nothing where a person may be asked. */
  authorizationError({ application, responseType, scopes, verifier }: AuthorizationRequest): string | null {
    if (!within(scopes, application.scopes) || scopes.length === 0) return 'invalid_scope';
    // PKCE is for codes; a public application must use it.
    if (responseType === 'code' && verifier === null && !application.confidential) return 'invalid_request';
    return null;
  }

  approveCode(person: Person, request: AuthorizationRequest, secret: string): Code {
    const { application, redirectUri, scopes, verifier } = request;
    const code: Code = {
      name: `code ${this.codes.length}`,
      secret,
      application,
      person,
      redirectUri,
      scopes,
      verifier,
      authorized: this.now,
      void: false,
      spent: null,
    };
    this.codes.push(code);
    if (mayBeRemembered(request)) this.#remember(person, request);
    return code;
  }

  /** The implicit grant: no code, and no refresh token. */
  approveToken(person: Person, { application, scopes }: AuthorizationRequest): Pair {
    return this.#issue(this.#family(application, person, null), scopes, null);
  }

  isRemembered(person: Person, request: AuthorizationRequest): boolean {
    return (
      mayBeRemembered(request) &&
      this.#consents.some((one) => isFor(one, person, request) && within(request.scopes, one.scopes))
    );
  }

  /** The wider of two consents is kept, else the later one. */
  #remember(person: Person, request: AuthorizationRequest): void {
    const known = this.#consents.find((one) => isFor(one, person, request));
    if (!known) this.#consents.push({ person, ...request });
    else if (!within(request.scopes, known.scopes)) known.scopes = request.scopes;
  }

  revokeAuthorization(person: Person, application: Application): void {
    this.#end((of) => of.person === person && of.application === application);
  }

  /** Password changed, signed out everywhere, blocked. */
  endPerson(person: Person, spareSession: boolean): void {
    if (person.session && !spareSession) person.session.alive = false;
    this.#end((of) => of.person === person);
  }

  // The application.

  renewSecret(application: Application, secret: string): void {
    application.secret = secret;
    this.#endApplication(application);
  }

  changeKind(application: Application, confidential: boolean, secret: string): void {
    application.confidential = confidential;
    this.renewSecret(application, secret);
    this.#forgetConsents(application);
  }

  /** Its tokens and codes live on; what was approved was approved for other addresses. */
  changeRedirectUris(application: Application, uris: readonly string[]): void {
    if (uris.join(' ') !== application.redirectUris.join(' ')) this.#forgetConsents(application);
    application.redirectUris = uris;
  }

  /** What its tokens and codes had of the others is gone, until they come back: `remaining`. */
  changeScopes(application: Application, scopes: readonly string[]): void {
    application.scopes = scopes;
  }

  #forgetConsents(application: Application): void {
    this.#consents = this.#consents.filter((one) => one.application !== application);
  }

  deleteApplication(application: Application): void {
    application.deleted = true;
    this.#end((of) => of.application === application);
  }

  /** Its tokens and codes only: what people allowed is remembered. */
  #endApplication(application: Application): void {
    const consents = this.#consents;
    this.#end((of) => of.application === application);
    this.#consents = consents;
  }

  #end(of: (what: { person: Person | null; application: Application }) => boolean): void {
    for (const family of this.#families) if (of(family)) this.#endFamily(family);
    for (const code of this.codes) if (of(code)) code.void = true;
    this.#consents = this.#consents.filter((consent) => !of(consent));
  }

  #endFamily(family: Family): void {
    family.endedAt ??= this.now;
  }

  /** What has been over for long is removed some time, and then unknown. */
  mayBeGone(one: Code | Token): boolean {
    const long = (since: number | null) => since !== null && since <= this.now - afterglow;
    const family = 'kind' in one ? one.family : one.spent?.family;
    if (family && (family.application.deleted || long(family.endedAt) || long(family.expires))) return true;
    if (!('kind' in one)) return !one.spent && long(one.authorized + limits.code);
    return one.kind === 'access' && long(one.expires);
  }

  // The client.

  #proves({ application, secret }: Client): boolean {
    return !application.deleted && secret === application.secret;
  }

  redeem(client: Client, code: Code, redirectUri: string, verifier: string | null): Answer<Pair> {
    if (!this.#proves(client)) return invalidClient;
    if (code.application !== client.application) return invalidGrant;
    if (code.verifier !== null && verifier === null) return invalidRequest;
    if (redirectUri !== code.redirectUri || verifier !== code.verifier) return invalidGrant;
    if (code.spent) {
      // A second use, with everything right. One that PKCE protects has a moment for its twin.
      if (code.verifier === null || this.now - code.spent.at > limits.twin) this.#endFamily(code.spent.family);
      return invalidGrant;
    }
    if (code.void || this.now >= code.authorized + limits.code) return invalidGrant;
    const scopes = remaining(code, code.application);
    if (scopes.length === 0) return invalidGrant;
    const refreshUntil = code.application.refreshes ? code.authorized + limits.refresh : null;
    const family = this.#family(code.application, code.person, refreshUntil);
    code.spent = { at: this.now, family };
    return { success: this.#issue(family, scopes, refreshUntil) };
  }

  refresh(client: Client, token: RefreshToken, scopes: readonly string[] | null): Answer<Pair> {
    if (!this.#proves(client)) return invalidClient;
    if (!client.application.refreshes) return unauthorizedClient;
    const { family, rotated } = token;
    if (family.application !== client.application || family.endedAt !== null || this.now >= token.expires)
      return invalidGrant;
    const left = remaining(token, family.application);
    if (left.length === 0) return invalidGrant;
    // The window runs from the first rotation, however often the token is presented meanwhile.
    if (rotated && this.now - rotated.at > limits.reuse) {
      this.#endFamily(family);
      return invalidGrant;
    }
    if (scopes && !within(scopes, left)) return invalidScope;
    if (rotated) return { success: rotated.successor };

    // Narrowing is for good.
    token.scopes = scopes ?? left;
    token.access.replaced = this.now + limits.reuse;
    const successor = this.#issue(family, token.scopes, token.expires);
    token.rotated = { at: this.now, successor };
    return { success: successor };
  }

  clientCredentials(client: Client, scopes: readonly string[]): Answer<Pair> {
    if (!this.#proves(client)) return invalidClient;
    if (!client.application.confidential) return unauthorizedClient;
    if (!within(scopes, client.application.scopes)) return invalidScope;
    return { success: this.#issue(this.#family(client.application, null, null), scopes, null) };
  }

  /** @returns whether it is reported as active */
  introspect(client: Client, token: Token): Answer<boolean> {
    if (!this.#proves(client) || !client.application.confidential) return invalidClient;
    return { success: token.family.application === client.application && this.isLive(token) };
  }

  revoke(client: Client, { family }: Token): Answer<null> {
    if (!this.#proves(client)) return invalidClient;
    // A deleted application's tokens were never issued.
    if (family.application.deleted) return { success: null };
    if (family.application !== client.application) return refused(403, 'unauthorized_client');
    this.#endFamily(family);
    return { success: null };
  }

  // The tokens.

  #family(application: Application, person: Person | null, refreshUntil: number | null): Family {
    const family: Family = { application, person, expires: (refreshUntil ?? this.now) + limits.access, endedAt: null };
    this.#families.push(family);
    return family;
  }

  #issue(family: Family, scopes: readonly string[], refreshUntil: number | null): Pair {
    const access: AccessToken = {
      kind: 'access',
      name: `access token ${this.accessTokens.length}`,
      secret: '',
      family,
      scopes,
      expires: this.now + limits.access,
      replaced: null,
    };
    this.accessTokens.push(access);
    if (refreshUntil === null) return { access, refresh: null };
    const refresh: RefreshToken = {
      kind: 'refresh',
      name: `refresh token ${this.refreshTokens.length}`,
      secret: '',
      family,
      scopes,
      expires: refreshUntil,
      access,
      rotated: null,
    };
    this.refreshTokens.push(refresh);
    return { access, refresh };
  }

  /** What the API says of an access token: the reasons in this order. */
  health(token: AccessToken): Health {
    const { family, expires, replaced } = token;
    if (family.application.deleted) return 'unknown';
    if (this.now >= expires) return 'expired';
    const over = family.endedAt !== null || (replaced !== null && this.now >= replaced);
    return over || remaining(token, family.application).length === 0 ? 'revoked' : 'live';
  }

  /** What a person allows at present: the scopes of all that is alive, by application. */
  authorized(person: Person): Map<Application, Set<string>> {
    const scopes = new Map<Application, Set<string>>();
    for (const token of [...this.accessTokens, ...this.refreshTokens]) {
      const { application } = token.family;
      if (token.family.person !== person || !this.isLive(token)) continue;
      scopes.set(application, new Set([...(scopes.get(application) ?? []), ...remaining(token, application)]));
    }
    return scopes;
  }

  isLive(token: Token): boolean {
    if (token.kind === 'access') return this.health(token) === 'live';
    const { family, rotated, expires } = token;
    return family.endedAt === null && !rotated && this.now < expires && remaining(token, family.application).length > 0;
  }
}

function mayBeRemembered({ application, responseType, scopes }: AuthorizationRequest): boolean {
  return application.confidential && responseType === 'code' && !scopes.includes('sudo');
}

function isFor(
  consent: { person: Person; application: Application; redirectUri: string },
  person: Person,
  { application, redirectUri }: AuthorizationRequest,
): boolean {
  return consent.person === person && consent.application === application && consent.redirectUri === redirectUri;
}
