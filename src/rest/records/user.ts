import { objectSchema, type Record } from './record.ts';

export interface CurrentUserData {
  readonly id: string;
  readonly username: string;
  readonly publicEmail: string | null;
  readonly name: string;
  readonly state: string;
  readonly webUrl: string;
  readonly createdAt: string;
  readonly confirmedAt: string | null;
  readonly email: string | null;
  readonly isAdministrator: boolean | null;
}

const moment = { type: 'string', format: 'date-time' };

/** Without `email` and `confirmed_at` where the token doesn't show addresses. */
export const CurrentUser: Record<CurrentUserData> = {
  name: 'CurrentUser',
  schema: objectSchema(
    {
      id: { type: 'integer' },
      username: { type: 'string' },
      public_email: { type: ['string', 'null'] },
      name: { type: 'string' },
      state: { type: 'string', enum: ['active', 'blocked'] },
      web_url: { type: 'string', format: 'uri' },
      created_at: moment,
      confirmed_at: { ...moment, type: ['string', 'null'] },
      email: { type: 'string', format: 'email' },
      is_admin: { type: 'boolean', description: 'Only for administrators.' },
    },
    ['confirmed_at', 'email', 'is_admin'],
  ),
  present: (user) => ({
    id: Number(user.id),
    username: user.username,
    public_email: user.publicEmail,
    name: user.name,
    state: user.state.toLowerCase(),
    web_url: user.webUrl,
    created_at: user.createdAt,
    ...(user.email !== null && { confirmed_at: user.confirmedAt, email: user.email }),
    ...(user.isAdministrator && { is_admin: true }),
  }),
};
