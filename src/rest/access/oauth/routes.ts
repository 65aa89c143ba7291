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

const text = (name: string, description: string): Parameter => ({ name, type: 'string', description });

const client: Parameter[] = [
  text('client_id', 'Of the application, unless it authenticates by HTTP Basic.'),
  text('client_secret', 'Of a confidential application, unless it authenticates by HTTP Basic.'),
];
const token = text('token', 'An access token or a refresh token.');
const hint = text('token_type_hint', 'Not needed: both kinds are looked for.');
const scope = text('scope', 'Scopes, separated by spaces.');

/** What names the client, in the body or in the header. */
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
      text('grant_type', 'Which grant is exchanged.'),
      ...client,
      text('code', 'Of the grant `authorization_code`.'),
      text('redirect_uri', 'The one of the authorization request.'),
      text('code_verifier', 'Of PKCE: 43 to 128 characters of `A-Z a-z 0-9 - . _ ~`.'),
      text('refresh_token', 'Of the grant `refresh_token`.'),
      scope,
      text('username', 'Of the grant `password`: a name or a verified address.'),
      text('password', 'Of the grant `password`.'),
      text('device_code', 'Of the device grant.'),
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
    summary: 'End a token and the family it belongs to',
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
    summary: 'What one of the application’s own tokens is good for',
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
    summary: 'Begin the grant of a device',
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
    summary: 'What the authorization server offers, and where',
    tag,
    parameters: [],
    operation: `query { authorizationServer { ${serverMetadataFields.join(' ')} } }`,
    variables: () => ({}),
    record: { ...ServerMetadata, present: ({ authorizationServer }) => ServerMetadata.present(authorizationServer) },
    dialect: 'version 4',
  }),
];
