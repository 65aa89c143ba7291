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

const moment = (name: string, description: string): Parameter => ({ name, type: 'date-time', description });
const day = (name: string, description: string): Parameter => ({ name, type: 'date', description });

/** What a list can be sorted by, and the order that it stands for. */
const orders = { created: 'CREATED_AT', expires: 'EXPIRES_AT', last_used: 'LAST_USED_AT', name: 'NAME' } as const;

const listParameters: readonly Parameter[] = [
  { name: 'user_id', type: 'integer', description: 'Only those of one person; of others, for administrators.' },
  { name: 'revoked', type: 'boolean', description: 'Only those that were revoked, or only others.' },
  {
    name: 'state',
    type: 'string',
    allowed: ['active', 'inactive'],
    description: 'Only those that work, or only others.',
  },
  { name: 'search', type: 'string', description: 'Only those in whose name every word of this is.' },
  moment('created_after', 'Only those made since.'),
  moment('created_before', 'Only those made before.'),
  day('expires_after', 'Only those that end after a day.'),
  day('expires_before', 'Only those that end before a day.'),
  moment('last_used_after', 'Only those used since.'),
  moment('last_used_before', 'Only those last used before.'),
  {
    name: 'sort',
    type: 'string',
    allowed: Object.keys(orders).flatMap((order) => [`${order}_asc`, `${order}_desc`]),
    default: 'created_desc',
    description: 'What the list is ordered by, and which way.',
  },
];

function listVariables(values: Values): Record<string, unknown> {
  const [, order, direction] = /^(\w+)_(asc|desc)$/.exec(String(values.sort))!;
  return {
    orderBy: orders[order as keyof typeof orders],
    direction: direction!.toUpperCase(),
    filter: {
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
    },
  };
}

const expiry = (otherwise: string) =>
  day(
    'expires_at',
    `The first day (UTC) on which it no longer works, at most 365 days ahead; ${otherwise} when left out.`,
  );

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
    summary: 'One’s own personal access tokens; for administrators, everybody’s',
    tag,
    of: 'PersonalAccessToken',
    parameters: listParameters,
    field: 'personalAccessTokens',
    args: { filter: 'PersonalAccessTokenFilter', orderBy: 'PersonalAccessTokenOrder', direction: 'SortDirection' },
    selection: fields,
    variables: listVariables,
    record: PersonalAccessToken,
  }),
  route<{ currentPersonalAccessToken: PersonalAccessTokenData }>({
    method: 'GET',
    path: `${path}/self`,
    summary: 'The personal access token that the request carries, whatever its scopes',
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
    summary: 'A personal access token of one’s own; for administrators, anybody’s',
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
    summary: 'Revoke the personal access token that the request carries, whatever its scopes',
    tag,
    parameters: [],
    operation: 'mutation { revokeCurrentPersonalAccessToken { personalAccessToken { id } } }',
    variables: () => ({}),
    status: 204,
    record: NoContent,
    dialect,
  }),
  route<object>({
    method: 'DELETE',
    path: `${path}/:id`,
    summary: 'Revoke a personal access token of one’s own; for administrators, anybody’s',
    tag,
    parameters: [],
    operation: `mutation ($input: RevokePersonalAccessTokenInput!) {
      revokePersonalAccessToken(input: $input) { personalAccessToken { id } }
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
    summary: 'Put a new token in the place of the one that the request carries',
    variables: (values) => ({ input: { expiresAt: values.expires_at } }),
  }),
  route<Rotated>({
    ...rotation,
    method: 'POST',
    path: `${path}/:id/rotate`,
    summary: 'Put a new token in the place of another one',
    variables: (values) => ({ input: { id: values.id, expiresAt: values.expires_at } }),
  }),
  route<{ createPersonalAccessToken: NewPersonalAccessTokenData }>({
    method: 'POST',
    path: '/api/v4/users/:user_id/personal_access_tokens',
    summary: 'Make a personal access token for a person, for administrators',
    tag,
    parameters: [
      { name: 'name', type: 'string', required: true, notBlank: true, description: 'What it is for.' },
      {
        name: 'scopes',
        type: 'strings',
        required: true,
        description: 'What it may be used for; not more than the token that asks.',
      },
      expiry('365 days'),
      { name: 'description', type: 'string', description: 'If the name doesn’t say enough.' },
    ],
    example: { name: 'Backup', scopes: 'read_api' },
    operation: `mutation ($input: CreatePersonalAccessTokenInput!) {
      createPersonalAccessToken(input: $input) { token personalAccessToken { ${fields} } }
    }`,
    variables: (values) => ({
      input: {
        userId: values.user_id,
        name: values.name,
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
