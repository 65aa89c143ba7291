/** All grants, by the names that applications register and clients send. */
export const grantTypes = [
  'authorization_code',
  'implicit',
  'password',
  'refresh_token',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:device_code',
] as const;
export type GrantType = (typeof grantTypes)[number];

export const deviceCode = 'urn:ietf:params:oauth:grant-type:device_code' satisfies GrantType;

/**
 * What the instance allows; an application may do only what both its registration and the profile allow. There are
 * two profiles: `compatible` offers every grant of GitLab, `strict` those that RFC 9700 recommends. All differences
 * between the two are here.
 */
export interface Profile {
  readonly name: 'compatible' | 'strict';
  readonly grants: readonly GrantType[];
  /** Whether confidential applications need PKCE too; public ones always do (RFC 9700 §2.1.1). */
  readonly pkceFromEveryone: boolean;
  /** Whether an access token is accepted in a query string (RFC 6750 §2.3, RFC 9700 §4.3.2). */
  readonly tokenInQuery: boolean;
  /** Whether the password grant works without an application. */
  readonly passwordWithoutClient: boolean;
  /** Whether redirect URIs over plain http may have hosts other than loopback addresses. */
  readonly plainHttp: boolean;
  /** Whether the private scheme of a redirect URI must contain a dot (RFC 8252 §7.1). */
  readonly dottedSchemes: boolean;
  /** Whether a person may copy a code by hand, for clients without a redirect URI. */
  readonly outOfBand: boolean;
  /**
   * Whether authorization responses name the issuer (RFC 9207). Clients that use oauth4webapi without a
   * configured issuer refuse every response with `iss`.
   */
  readonly namesIssuer: boolean;
  /**
   * Whether a redirect with a code ends in a fragment of its own, so that the browser doesn't append
   * another one (RFC 9700 §4.1.3). Some clients mistake any `#` for the implicit grant.
   */
  readonly endsInFragment: boolean;
  /** Default grants of a registration without grants, except those that its kind can't use. */
  readonly impliedGrants: readonly GrantType[];
  /** Whether a verifier may contain any printable character, for clients that send standard base64. */
  readonly lenientVerifier: boolean;
  /** Lifetime of an access token in seconds; 0: it never expires. */
  readonly accessTokenLifetime: number;
  /** Lifetime of a refresh token in seconds, from the person's consent; rotation doesn't extend it. */
  readonly refreshTokenLifetime: number;
  /** Lifetime of an authorization code, in seconds. */
  readonly codeLifetime: number;
  /** Seconds for which a rotated refresh token still returns its successor. */
  readonly refreshReuseWindow: number;
}

/** The settings of an operator; the rest of a profile is derived from them. */
export interface ProfileSettings {
  readonly profile: Profile['name'];
  readonly passwordWithoutClient: boolean;
  readonly lenientVerifier: boolean;
  /** Whether the instance is in production: base URL over https, or NODE_ENV=production. */
  readonly production: boolean;
  readonly accessTokenLifetime: number;
  readonly refreshTokenLifetime: number;
  readonly codeLifetime: number;
  readonly refreshReuseWindow: number;
}

const forbiddenInStrict: readonly GrantType[] = ['implicit', 'password'];

export function profileOf(settings: ProfileSettings): Profile {
  const strict = settings.profile === 'strict';
  const { accessTokenLifetime, refreshTokenLifetime, codeLifetime, refreshReuseWindow, lenientVerifier } = settings;
  return {
    name: settings.profile,
    grants: strict ? grantTypes.filter((grant) => !forbiddenInStrict.includes(grant)) : grantTypes,
    impliedGrants: strict ? ['authorization_code', 'refresh_token'] : grantTypes,
    pkceFromEveryone: strict,
    tokenInQuery: !strict,
    passwordWithoutClient: !strict && settings.passwordWithoutClient,
    plainHttp: !strict && !settings.production,
    dottedSchemes: strict,
    outOfBand: !strict,
    namesIssuer: strict,
    endsInFragment: strict,
    lenientVerifier,
    accessTokenLifetime,
    refreshTokenLifetime,
    codeLifetime,
    refreshReuseWindow,
  };
}
