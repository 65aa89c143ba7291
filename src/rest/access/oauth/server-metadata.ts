import { objectSchema, type JsonSchema, type Record } from '../../engine/record.ts';
import { snakeCase } from '../../../values/text/snake-case.ts';

const uri: JsonSchema = { type: 'string', format: 'uri' };
const list: JsonSchema = { type: 'array', items: { type: 'string' } };

/** The authorization server metadata (RFC 8414 §2) that we serve, by GraphQL field. */
const members = {
  issuer: uri,
  authorizationEndpoint: uri,
  tokenEndpoint: uri,
  revocationEndpoint: uri,
  introspectionEndpoint: uri,
  deviceAuthorizationEndpoint: uri,
  scopesSupported: list,
  responseTypesSupported: list,
  responseModesSupported: list,
  grantTypesSupported: list,
  tokenEndpointAuthMethodsSupported: list,
  revocationEndpointAuthMethodsSupported: list,
  introspectionEndpointAuthMethodsSupported: list,
  codeChallengeMethodsSupported: list,
  authorizationResponseIssParameterSupported: { type: 'boolean' },
  serviceDocumentation: uri,
} as const satisfies { [field: string]: JsonSchema };

type Field = keyof typeof members;
export type ServerMetadataData = { readonly [F in Field]: unknown };

/** The fields that operations select for the record. */
export const serverMetadataFields = Object.keys(members) as Field[];

export const ServerMetadata: Record<ServerMetadataData> = {
  name: 'AuthorizationServerMetadata',
  schema: objectSchema(
    Object.fromEntries(Object.entries(members).map(([field, schema]) => [snakeCase(field), schema])),
    ['authorization_response_iss_parameter_supported'],
  ),
  // RFC 9207 §3: an omitted `authorization_response_iss_parameter_supported` means false.
  present: (data) =>
    Object.fromEntries(
      serverMetadataFields.filter((field) => data[field] !== false).map((field) => [snakeCase(field), data[field]]),
    ),
};
