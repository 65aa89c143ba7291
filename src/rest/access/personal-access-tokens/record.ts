import { objectSchema, type Record } from '../../engine/record.ts';
import { moment } from '../../engine/schemas.ts';

export interface PersonalAccessTokenData {
  readonly id: number;
  readonly userId: number;
  readonly name: string;
  readonly description: string;
  readonly scopes: readonly string[];
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly expiresAt: string | null;
  readonly revoked: boolean;
  readonly active: boolean;
}

export const personalAccessTokenFields =
  'id: databaseId userId: userDatabaseId name description scopes createdAt lastUsedAt expiresAt revoked active';

const properties = {
  id: { type: 'integer' },
  name: { type: 'string' },
  revoked: { type: 'boolean' },
  created_at: moment,
  description: { type: 'string' },
  scopes: { type: 'array', items: { type: 'string' } },
  user_id: { type: 'integer' },
  last_used_at: { ...moment, type: ['string', 'null'], description: 'Accurate to 10 minutes.' },
  active: { type: 'boolean', description: 'Whether the token is neither revoked nor expired.' },
  expires_at: {
    type: ['string', 'null'],
    format: 'date',
    description: 'First day (UTC) on which the token no longer works.',
  },
};

const present = (token: PersonalAccessTokenData) => ({
  id: token.id,
  name: token.name,
  revoked: token.revoked,
  created_at: token.createdAt,
  description: token.description,
  scopes: token.scopes,
  user_id: token.userId,
  last_used_at: token.lastUsedAt,
  active: token.active,
  expires_at: token.expiresAt,
});

export const PersonalAccessToken: Record<PersonalAccessTokenData> = {
  name: 'PersonalAccessToken',
  schema: objectSchema(properties),
  present,
};

export interface NewPersonalAccessTokenData {
  readonly token: string;
  readonly personalAccessToken: PersonalAccessTokenData;
}

/** A new token: the only record that contains the secret token itself. */
export const NewPersonalAccessToken: Record<NewPersonalAccessTokenData> = {
  name: 'NewPersonalAccessToken',
  schema: objectSchema({ ...properties, token: { type: 'string', description: 'The secret token; shown only once.' } }),
  present: ({ token, personalAccessToken }) => ({ ...present(personalAccessToken), token }),
};
