import { builder } from '../../engine/builder.ts';
import { UserStateType } from './types.ts';

/** The deprecated arguments of the list of people. */

const filter = builder.inputType('UserFilter', {
  fields: (t) => ({
    username: t.string(),
    search: t.string(),
    states: t.field({ type: [UserStateType] }),
    createdAfter: t.field({ type: 'Time' }),
    createdBefore: t.field({ type: 'Time' }),
    administrators: t.boolean(),
    twoFactor: t.boolean(),
  }),
});

export const deprecatedUserArguments = {
  of: 'User',
  filter,
  read: ({ username, administrators, ...others }: typeof filter.$inferInput) => ({
    ...others,
    usernames: username == null ? undefined : [username],
    admins: administrators,
  }),
  orders: { ID: 'id', NAME: 'name', USERNAME: 'username', CREATED_AT: 'created', UPDATED_AT: 'updated' },
} as const;
