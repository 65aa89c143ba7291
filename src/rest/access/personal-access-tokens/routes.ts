import { moment } from '../../engine/declared.ts';
import { listRoute } from '../../engine/list-route.ts';
import type { Parameter, Values } from '../../engine/parameters.ts';
import {
  NewPersonalAccessToken,
  PersonalAccessToken,
  personalAccessTokenFields as fields,
  type NewPersonalAccessTokenData,
  type PersonalAccessTokenData,
} from './record.ts';
import { NoContent, recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';

const path = '/api/v4/personal_access_tokens';
const tag = 'Personal access tokens';
const dialect = 'version 4';

const day = (name: string, description: string): Parameter => ({ name, type: 'date', description });

/** The fields that a list can be sorted by, with the schema's orders. */
const orders = ['created', 'expires', 'last_used', 'name'];

const listParameters: readonly Parameter[] = [
  {
    name: 'user_id',
    type: 'integer',
    description: 'Only tokens of this user. Only administrators may name another user.',
  },
  { name: 'revoked', type: 'boolean', description: '`true`: only revoked tokens; `false`: only others.' },
  {
    name: 'state',
    type: 'string',
    allowed: ['active', 'inactive'],
    description: '`active`: neither revoked nor expired; `inactive`: the others.',
  },
  { name: 'search', type: 'string', description: 'Only tokens whose name contains every word of this.' },
  moment('created_after', 'Only tokens created after this time.'),
  moment('created_before', 'Only tokens created before this time.'),
  day('expires_after', 'Only tokens that expire after this day.'),
  day('expires_before', 'Only tokens that expire before this day.'),
  moment('last_used_after', 'Only tokens last used after this time.'),
  moment('last_used_before', 'Only tokens last used before this time.'),
  {
    name: 'sort',
    type: 'string',
    allowed: orders.flatMap((order) => [`${order}_asc`, `${order}_desc`]),
    default: 'created_desc',
    description: 'Field to sort by, and the direction.',
  },
];

function listVariables(values: Values): Record<string, unknown> {
  return {
    sort: values.sort,
    userId: values.user_id == null ? undefined : String(values.user_id),
    revoked: values.revoked,
    active: values.state == null ? undefined : values.state === 'active',
    search: values.search,
    createdAfter: values.created_after,
    createdBefore: values.created_before,
    expiresAfter: values.expires_after,
    expiresBefore: values.expires_before,
    lastUsedAfter: values.last_used_after,
    lastUsedBefore: values.last_used_before,
  };
}

const expiry = (usual: string) =>
  day('expires_at', `First day (UTC) on which the token no longer works, at most 365 days ahead. Default: ${usual}.`);

interface Rotated {
  readonly rotatePersonalAccessToken: NewPersonalAccessTokenData;
}

const rotation = {
  tag,
  parameters: [expiry('7 days')],
  operation: `mutation ($input: RotatePersonalAccessTokenInput!) {
    rotatePersonalAccessToken(input: $input) { token personalAccessToken { ${fields} } }
  }`,
  record: recordOf(NewPersonalAccessToken, (data: Rotated) => data.rotatePersonalAccessToken),
  dialect,
} as const;

export const personalAccessTokenRoutes: AnyRoute[] = [
  listRoute({
    path,
    summary: 'List your personal access tokens; for administrators, everyone’s',
    tag,
    of: 'PersonalAccessToken',
    parameters: listParameters,
    field: 'personalAccessTokens',
    args: {
      userId: 'ID',
      revoked: 'Boolean',
      active: 'Boolean',
      search: 'String',
      createdAfter: 'Time',
      createdBefore: 'Time',
      expiresAfter: 'Date',
      expiresBefore: 'Date',
      lastUsedAfter: 'Time',
      lastUsedBefore: 'Time',
      sort: 'String',
    },
    selection: fields,
    variables: listVariables,
    record: PersonalAccessToken,
  }),
  route<{ currentPersonalAccessToken: PersonalAccessTokenData }>({
    method: 'GET',
    path: `${path}/self`,
    summary: 'Get the personal access token of the request, with any scopes',
    tag,
    parameters: [],
    operation: `query { currentPersonalAccessToken { ${fields} } }`,
    variables: () => ({}),
    record: recordOf(PersonalAccessToken, (data) => data.currentPersonalAccessToken),
    dialect,
  }),
  route<{ personalAccessToken: PersonalAccessTokenData }>({
    method: 'GET',
    path: `${path}/:id`,
    summary: 'Get one of your personal access tokens; for administrators, anyone’s',
    tag,
    parameters: [],
    operation: `query ($id: ID!) { personalAccessToken(id: $id) { ${fields} } }`,
    variables: ({ id }) => ({ id }),
    record: recordOf(PersonalAccessToken, (data) => data.personalAccessToken),
    dialect,
  }),
  route<object>({
    method: 'DELETE',
    path: `${path}/self`,
    summary: 'Revoke the personal access token of the request, with any scopes',
    tag,
    parameters: [],
    operation: 'mutation { revokeCurrentPersonalAccessToken { personalAccessToken { revoked } } }',
    variables: () => ({}),
    status: 204,
    record: NoContent,
    dialect,
  }),
  route<object>({
    method: 'DELETE',
    path: `${path}/:id`,
    summary: 'Revoke one of your personal access tokens; for administrators, anyone’s',
    tag,
    parameters: [],
    operation: `mutation ($input: RevokePersonalAccessTokenInput!) {
      revokePersonalAccessToken(input: $input) { personalAccessToken { revoked } }
    }`,
    variables: ({ id }) => ({ input: { id } }),
    status: 204,
    record: NoContent,
    dialect,
  }),
  route<Rotated>({
    ...rotation,
    method: 'POST',
    path: `${path}/self/rotate`,
    summary: 'Rotate the token of the request: revoke it and create a new one',
    variables: (values) => ({ input: { expiresAt: values.expires_at } }),
  }),
  route<Rotated>({
    ...rotation,
    method: 'POST',
    path: `${path}/:id/rotate`,
    summary: 'Rotate a token: revoke it and create a new one',
    variables: (values) => ({ input: { id: values.id, expiresAt: values.expires_at } }),
  }),
  route<{ createPersonalAccessToken: NewPersonalAccessTokenData }>({
    method: 'POST',
    path: '/api/v4/users/:user_id/personal_access_tokens',
    summary: 'Create a personal access token for a user (administrators only)',
    tag,
    parameters: [
      { name: 'name', type: 'string', required: true, description: 'Name of the token.' },
      {
        name: 'scopes',
        type: 'strings',
        required: true,
        description: 'Scopes of the token, at most those of the requesting token.',
      },
      expiry('365 days'),
      { name: 'description', type: 'string', description: 'Description of the token.' },
    ],
    example: { name: 'Backup', scopes: 'read_api' },
    operation: `mutation ($input: CreatePersonalAccessTokenInput!) {
      createPersonalAccessToken(input: $input) { token personalAccessToken { ${fields} } }
    }`,
    variables: (values) => ({
      input: {
        userId: values.user_id,
        name: values.name ?? '',
        scopes: values.scopes ?? [],
        expiresAt: values.expires_at,
        description: values.description,
      },
    }),
    status: 201,
    record: recordOf(NewPersonalAccessToken, (data) => data.createPersonalAccessToken),
    dialect,
  }),
];
