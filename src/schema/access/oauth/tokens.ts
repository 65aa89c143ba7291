import { exchange, introspect, revoke, type ClientCredentials } from '../../../oauth/index.ts';
import { builder } from '../../engine/builder.ts';
import { engineOf } from './engine.ts';

/** How an OAuth client authenticates. The engine checks it. */
export const ClientInput = builder.inputType('OAuthClientInput', {
  description: 'Client authentication (RFC 6749 §2.3).',
  fields: (t) => ({
    authorization: t.string({ description: 'The value of the header `Authorization`.' }),
    clientId: t.string(),
    clientSecret: t.string(),
  }),
});

const IssuedTokens = builder.objectRef<Awaited<ReturnType<typeof exchange>>>('IssuedTokens').implement({
  description: 'A successful token response (RFC 6749 §5.1).',
  fields: (t) => ({
    accessToken: t.exposeString('accessToken'),
    refreshToken: t.exposeString('refreshToken', { nullable: true }),
    expiresIn: t.exposeInt('expiresIn', {
      nullable: true,
      description: 'Lifetime in seconds; null for a token that never expires.',
    }),
    scope: t.exposeString('scope'),
    createdAt: t.expose('createdAt', { type: 'Time' }),
  }),
});

builder.mutationField('issueToken', (t) =>
  t.field({
    type: IssuedTokens,
    nullable: true,
    description: 'The token endpoint: exchanges a grant for tokens.',
    admission: { class: 'client' },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('IssueTokenInput', {
          fields: (field) => ({
            client: field.field({ type: ClientInput, required: true }),
            grantType: field.string(),
            code: field.string(),
            redirectUri: field.string(),
            codeVerifier: field.string(),
            refreshToken: field.string(),
            scope: field.string(),
            username: field.string(),
            password: field.string(),
            deviceCode: field.string(),
          }),
        }),
      }),
    },
    resolve: (_root, { input }, context) => exchange(engineOf(context), input),
  }),
);

const ofToken = builder.inputType('OAuthTokenInput', {
  fields: (t) => ({
    client: t.field({ type: ClientInput, required: true }),
    token: t.string(),
  }),
});

builder.mutationField('revokeToken', (t) =>
  t.boolean({
    nullable: true,
    description: 'Revokes a token and its whole token family (RFC 7009). An unknown token is no error.',
    admission: { class: 'client' },
    args: { input: t.arg({ type: ofToken, required: true }) },
    resolve: async (_root, { input }, context) => {
      await revoke(engineOf(context), input.client as ClientCredentials, input.token);
      return true;
    },
  }),
);

type Introspected = NonNullable<Awaited<ReturnType<typeof introspect>>>;

const TokenIntrospection = builder.objectRef<Introspected>('TokenIntrospection').implement({
  description: 'Introspection of a valid token (RFC 7662).',
  fields: (t) => ({
    scope: t.exposeString('scope'),
    clientId: t.exposeString('clientId'),
    username: t.exposeString('username', { nullable: true }),
    sub: t.exposeString('sub', { nullable: true }),
    exp: t.expose('exp', { type: 'Time', nullable: true }),
    iat: t.expose('iat', { type: 'Time' }),
  }),
});

builder.queryField('introspectToken', (t) =>
  t.field({
    type: TokenIntrospection,
    nullable: true,
    description:
      'Introspects one of the client’s own tokens; null for any other token, and for one that is no longer valid.',
    admission: { class: 'client' },
    args: { input: t.arg({ type: ofToken, required: true }) },
    resolve: (_root, { input }, context) => introspect(engineOf(context), input.client, input.token),
  }),
);
