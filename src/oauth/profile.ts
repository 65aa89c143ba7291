/** The grants there are, by the names that applications register and clients send. */
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
 * What the instance allows, whatever an application registered. One code base,
 * two profiles: `compatible` offers every grant of the interface, `strict` what
 * RFC 9700 leaves of them. Everything that differs between the two stands here.
 */
export interface Profile {
  readonly name: 'compatible' | 'strict';
  readonly grants: readonly GrantType[];
  /** PKCE from confidential applications too; public ones need it in any case (RFC 9700 §2.1.1). */
  readonly pkceFromEveryone: boolean;
  /** Whether an access token may stand in a query string (RFC 6750 §2.3, RFC 9700 §4.3.2). */
  readonly tokenInQuery: boolean;
  /** Whether the password grant works without an application. */
  readonly passwordWithoutClient: boolean;
  /** Whether redirect URIs over plain http may leave the loopback. */
  readonly plainHttp: boolean;
  /** Whether a verifier may have any printable characters, for clients that send standard base64. */
  readonly lenientVerifier: boolean;
  /** Seconds; 0 for tokens that never expire. */
  readonly accessTokenLifetime: number;
  /** Seconds from the person's consent, however often the token was rotated. */
  readonly refreshTokenLifetime: number;
  /** Seconds. */
  readonly codeLifetime: number;
  /** Seconds for which a rotated refresh token still answers with its successor. */
  readonly refreshReuseWindow: number;
}

/** What an operator can set; the rest follows from the profile. */
export interface ProfileSettings {
  readonly profile: Profile['name'];
  readonly passwordWithoutClient: boolean;
  readonly lenientVerifier: boolean;
  /** Whether the instance runs for real: base URL over https, or NODE_ENV=production. */
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
    pkceFromEveryone: strict,
    tokenInQuery: !strict,
    passwordWithoutClient: !strict && settings.passwordWithoutClient,
    plainHttp: !strict && !settings.production,
    lenientVerifier,
    accessTokenLifetime,
    refreshTokenLifetime,
    codeLifetime,
    refreshReuseWindow,
  };
}
