import { issuerMetadata } from '../../../oauth/index.ts';
import { builder } from '../../engine/builder.ts';

const Metadata = builder.objectRef<ReturnType<typeof issuerMetadata>>('AuthorizationServer').implement({
  description: 'The metadata of the authorization server (RFC 8414).',
  fields: (t) => ({
    issuer: t.exposeString('issuer'),
    authorizationEndpoint: t.exposeString('authorization_endpoint'),
    tokenEndpoint: t.exposeString('token_endpoint'),
    revocationEndpoint: t.exposeString('revocation_endpoint'),
    introspectionEndpoint: t.exposeString('introspection_endpoint'),
    deviceAuthorizationEndpoint: t.exposeString('device_authorization_endpoint'),
    scopesSupported: t.stringList({ resolve: (server) => [...server.scopes_supported] }),
    responseTypesSupported: t.exposeStringList('response_types_supported'),
    responseModesSupported: t.exposeStringList('response_modes_supported'),
    grantTypesSupported: t.stringList({ resolve: (server) => [...server.grant_types_supported] }),
    tokenEndpointAuthMethodsSupported: t.exposeStringList('token_endpoint_auth_methods_supported'),
    revocationEndpointAuthMethodsSupported: t.exposeStringList('revocation_endpoint_auth_methods_supported'),
    introspectionEndpointAuthMethodsSupported: t.exposeStringList('introspection_endpoint_auth_methods_supported'),
    codeChallengeMethodsSupported: t.exposeStringList('code_challenge_methods_supported'),
    authorizationResponseIssParameterSupported: t.exposeBoolean('authorization_response_iss_parameter_supported', {
      description: 'Whether authorization responses name the issuer (RFC 9207).',
    }),
    serviceDocumentation: t.exposeString('service_documentation'),
  }),
});

builder.queryField('authorizationServer', (t) =>
  t.field({
    type: Metadata,
    nullable: true,
    description: 'The metadata of the authorization server: endpoints and features.',
    admission: { class: 'token', scopes: 'any', anonymous: true, application: true },
    resolve: (_root, _args, { baseUrl, profile }) => issuerMetadata(baseUrl, profile),
  }),
);
