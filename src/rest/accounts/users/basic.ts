import { objectSchema, type Record } from '../../engine/record.ts';

export interface UserBasicData {
  readonly id: number;
  readonly username: string;
  readonly publicEmail: string | null;
  readonly name: string;
  readonly state: string;
  readonly avatarUrl: string | null;
  readonly webUrl: string;
}

/** The fields that operations select for the record. */
export const userBasicFields = 'id: databaseId username publicEmail name state avatarUrl webUrl';

/** A user, as everyone sees them. */
export const UserBasic: Record<UserBasicData> = {
  name: 'UserBasic',
  schema: objectSchema({
    id: { type: 'integer' },
    username: { type: 'string' },
    public_email: { type: 'string', description: 'Empty if none is shown.' },
    name: { type: 'string' },
    state: {
      type: 'string',
      enum: ['active', 'blocked', 'deactivated', 'banned', 'blocked_pending_approval', 'ldap_blocked'],
    },
    locked: { type: 'boolean' },
    avatar_url: { type: ['string', 'null'], format: 'uri' },
    web_url: { type: 'string', format: 'uri' },
  }),
  present: ({ id, username, publicEmail, name, state, avatarUrl, webUrl }) => ({
    id,
    username,
    public_email: publicEmail ?? '',
    name,
    state,
    locked: false,
    avatar_url: avatarUrl,
    web_url: webUrl,
  }),
};
