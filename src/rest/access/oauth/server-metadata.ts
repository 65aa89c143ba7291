import { objectSchema, type JsonSchema, type Record } from '../../engine/record.ts';
import { snakeCase } from '../../engine/snake-case.ts';

const uri: JsonSchema = { type: 'string', format: 'uri' };
const list: JsonSchema = { type: 'array', items: { type: 'string' } };

/** The members of RFC 8414 §2 that are served, by the fields that they come from. */
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

/** What an operation selects to fill the record. */
export const serverMetadataFields = Object.keys(members) as Field[];

export const ServerMetadata: Record<ServerMetadataData> = {
  name: 'AuthorizationServerMetadata',
  schema: objectSchema(
    Object.fromEntries(Object.entries(members).map(([field, schema]) => [snakeCase(field), schema])),
    ['authorization_response_iss_parameter_supported'],
  ),
  // RFC 9207 §3: left out, the `iss` of responses counts as not supported.
  present: (data) =>
    Object.fromEntries(
      serverMetadataFields.filter((field) => data[field] !== false).map((field) => [snakeCase(field), data[field]]),
    ),
};
