import { objectSchema, type Record } from '../../engine/record.ts';
import { unixSeconds, unixTime } from '../../engine/unix-time.ts';

export interface IssuedTokensData {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly expiresIn: number | null;
  readonly scope: string;
  readonly createdAt: string;
}

/** Token response of RFC 6749 §5.1, with `created_at`. Members without a value are omitted. */
export const Tokens: Record<IssuedTokensData> = {
  name: 'Tokens',
  schema: objectSchema(
    {
      access_token: { type: 'string' },
      token_type: { type: 'string', enum: ['bearer'] },
      expires_in: { type: 'integer', description: 'Seconds; absent for a token that never expires.' },
      refresh_token: { type: 'string' },
      scope: { type: 'string', description: 'Separated by spaces.' },
      created_at: unixTime,
    },
    ['expires_in', 'refresh_token'],
  ),
  present: ({ accessToken, refreshToken, expiresIn, scope, createdAt }) => ({
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: expiresIn ?? undefined,
    refresh_token: refreshToken ?? undefined,
    scope,
    created_at: unixSeconds(createdAt),
  }),
};

/** Revocation response of RFC 7009 §2.2: an empty object. */
export const Revoked: Record<object> = { name: 'Revoked', schema: objectSchema({}), present: () => ({}) };

export interface IntrospectionData {
  readonly scope: string;
  readonly clientId: string;
  readonly username: string | null;
  readonly sub: string | null;
  readonly exp: string | null;
  readonly iat: string;
}

/** Introspection response of RFC 7662 §2.2. */
export const Introspection: Record<IntrospectionData | null> = {
  name: 'Introspection',
  schema: objectSchema(
    {
      active: { type: 'boolean' },
      scope: { type: 'string' },
      client_id: { type: 'string' },
      username: { type: 'string' },
      token_type: { type: 'string', enum: ['bearer'] },
      exp: unixTime,
      iat: unixTime,
      sub: { type: 'string' },
    },
    ['scope', 'client_id', 'username', 'token_type', 'exp', 'iat', 'sub'],
  ),
  present: (token) =>
    token === null
      ? { active: false }
      : {
          active: true,
          scope: token.scope,
          client_id: token.clientId,
          username: token.username ?? undefined,
          token_type: 'bearer',
          exp: token.exp === null ? undefined : unixSeconds(token.exp),
          iat: unixSeconds(token.iat),
          sub: token.sub ?? undefined,
        },
};

export interface DeviceAuthorizationData {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly verificationUri: string;
  readonly expiresIn: number;
  readonly interval: number;
}

/** Device authorization response of RFC 8628 §3.2. */
export const DeviceAuthorization: Record<DeviceAuthorizationData> = {
  name: 'DeviceAuthorization',
  schema: objectSchema({
    device_code: { type: 'string' },
    user_code: { type: 'string' },
    verification_uri: { type: 'string', format: 'uri' },
    verification_uri_complete: { type: 'string', format: 'uri' },
    expires_in: { type: 'integer', description: 'Seconds.' },
    interval: { type: 'integer', description: 'Seconds between two polls.' },
  }),
  present: ({ deviceCode, userCode, verificationUri, expiresIn, interval }) => ({
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: verificationUri,
    verification_uri_complete: `${verificationUri}?user_code=${userCode}`,
    expires_in: expiresIn,
    interval,
  }),
};
