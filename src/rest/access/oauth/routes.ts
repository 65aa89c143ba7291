import { text } from '../../engine/declared.ts';
import type { Parameter, Values } from '../../engine/parameters.ts';
import {
  DeviceAuthorization,
  Introspection,
  Revoked,
  Tokens,
  type DeviceAuthorizationData,
  type IntrospectionData,
  type IssuedTokensData,
} from './record.ts';
import { ServerMetadata, serverMetadataFields, type ServerMetadataData } from './server-metadata.ts';
import { route, type AnyRoute, type RequestHeaders } from '../../engine/route.ts';

const tag = 'OAuth';

const client: Parameter[] = [
  text('client_id', 'Client ID of the application, unless sent with HTTP Basic.'),
  text('client_secret', 'Secret of a confidential application, unless sent with HTTP Basic.'),
];
const token = text('token', 'An access token or a refresh token.');
const hint = text('token_type_hint', 'Optional and ignored: both kinds are searched.');
const scope = text('scope', 'Scopes, separated by spaces.');

/** The client's credentials, from the body or the header. */
const clientOf = (values: Values, { authorization }: RequestHeaders) => ({
  authorization,
  clientId: values.client_id,
  clientSecret: values.client_secret,
});

const ofToken = (values: Values, headers: RequestHeaders) => ({
  input: { client: clientOf(values, headers), token: values.token },
});

export const oauthRoutes: AnyRoute[] = [
  route<{ issueToken: IssuedTokensData }>({
    method: 'POST',
    path: '/oauth/token',
    summary: 'Exchange a grant for tokens',
    tag,
    auth: 'client',
    countsAsGuess: ({ grant_type: grant }) => grant === 'password',
    parameters: [
      text('grant_type', 'Grant to exchange.'),
      ...client,
      text('code', 'Authorization code, for the grant `authorization_code`.'),
      text('redirect_uri', 'Redirect URI of the authorization request.'),
      text('code_verifier', 'PKCE code verifier: 43 to 128 characters of `A-Z a-z 0-9 - . _ ~`.'),
      text('refresh_token', 'Refresh token, for the grant `refresh_token`.'),
      scope,
      text('username', 'Username or verified email address, for the grant `password`.'),
      text('password', 'Password, for the grant `password`.'),
      text('device_code', 'Device code, for the device grant.'),
    ],
    operation: `mutation ($input: IssueTokenInput!) {
      issueToken(input: $input) { accessToken refreshToken expiresIn scope createdAt }
    }`,
    variables: (values, headers) => ({
      input: {
        client: clientOf(values, headers),
        grantType: values.grant_type,
        code: values.code,
        redirectUri: values.redirect_uri,
        codeVerifier: values.code_verifier,
        refreshToken: values.refresh_token,
        scope: values.scope,
        username: values.username,
        password: values.password,
        deviceCode: values.device_code,
      },
    }),
    record: { ...Tokens, present: ({ issueToken }) => Tokens.present(issueToken) },
    dialect: 'token endpoint',
  }),
  route<object>({
    method: 'POST',
    path: '/oauth/revoke',
    summary: 'Revoke a token and its family: all tokens issued with it',
    tag,
    auth: 'client',
    parameters: [...client, token, hint],
    operation: 'mutation ($input: OAuthTokenInput!) { revokeToken(input: $input) }',
    variables: ofToken,
    record: Revoked,
    dialect: 'revocation',
  }),
  route<{ introspectToken: IntrospectionData | null }>({
    method: 'POST',
    path: '/oauth/introspect',
    summary: 'Introspect one of the application’s own tokens',
    tag,
    auth: 'client',
    parameters: [...client, token, hint],
    operation: `query ($input: OAuthTokenInput!) {
      introspectToken(input: $input) { scope clientId username sub exp iat }
    }`,
    variables: ofToken,
    record: { ...Introspection, present: ({ introspectToken }) => Introspection.present(introspectToken) },
    dialect: 'token endpoint',
  }),
  route<{ authorizeDevice: DeviceAuthorizationData }>({
    method: 'POST',
    path: '/oauth/authorize_device',
    summary: 'Start a device grant',
    tag,
    auth: 'client',
    parameters: [...client, scope],
    operation: `mutation ($input: AuthorizeDeviceInput!) {
      authorizeDevice(input: $input) { deviceCode userCode verificationUri expiresIn interval }
    }`,
    variables: (values, headers) => ({ input: { client: clientOf(values, headers), scope: values.scope } }),
    record: { ...DeviceAuthorization, present: ({ authorizeDevice }) => DeviceAuthorization.present(authorizeDevice) },
    dialect: 'token endpoint',
  }),
  route<{ authorizationServer: ServerMetadataData }>({
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    summary: 'Get the authorization server’s metadata',
    tag,
    parameters: [],
    operation: `query { authorizationServer { ${serverMetadataFields.join(' ')} } }`,
    variables: () => ({}),
    record: { ...ServerMetadata, present: ({ authorizationServer }) => ServerMetadata.present(authorizationServer) },
    dialect: 'version 4',
  }),
];
