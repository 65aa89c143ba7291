import { objectSchema, type Record } from '../../engine/record.ts';

export interface UserBasicData {
  readonly id: number;
  readonly username: string;
  readonly publicEmail: string | null;
  readonly name: string;
  readonly state: string;
  readonly webUrl: string;
}

/** The fields that operations select for the record. */
export const userBasicFields = 'id: databaseId username publicEmail name state webUrl';

/** A user, as everyone sees them. */
export const UserBasic: Record<UserBasicData> = {
  name: 'UserBasic',
  schema: objectSchema({
    id: { type: 'integer' },
    username: { type: 'string' },
    public_email: { type: ['string', 'null'] },
    name: { type: 'string' },
    state: { type: 'string', enum: ['active', 'blocked'] },
    locked: { type: 'boolean' },
    avatar_url: { type: 'null', description: 'Always null: avatars aren’t supported.' },
    web_url: { type: 'string', format: 'uri' },
  }),
  present: ({ id, username, publicEmail, name, state, webUrl }) => ({
    id,
    username,
    public_email: publicEmail,
    name,
    state,
    locked: false,
    avatar_url: null,
    web_url: webUrl,
  }),
};
