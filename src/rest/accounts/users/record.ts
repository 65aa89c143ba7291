import { objectSchema, type Record } from '../../engine/record.ts';
import { UserBasic, userBasicFields, type UserBasicData } from './basic.ts';

const moment = { type: 'string', format: 'date-time' };
const momentOrNull = { ...moment, type: ['string', 'null'] };

const basicProperties = UserBasic.schema.properties as { [name: string]: object };

/** The fields that only the user and administrators see. */
interface OwnData extends UserBasicData {
  readonly createdAt: string;
  readonly confirmedAt: string | null;
  readonly email: string | null;
  readonly isAdministrator: boolean | null;
  readonly twoFactorEnabled: boolean | null;
}
const ownFields = `${userBasicFields} createdAt confirmedAt email isAdministrator twoFactorEnabled`;

const ownProperties = {
  created_at: moment,
  confirmed_at: momentOrNull,
  email: { type: 'string', format: 'email' },
  two_factor_enabled: { type: 'boolean' },
};

/** Omits the fields that the token's scopes don't show. */
const presentOwn = (user: OwnData) =>
  Object.assign(
    UserBasic.present(user) as object,
    { created_at: user.createdAt },
    user.email !== null && { confirmed_at: user.confirmedAt, email: user.email },
    user.twoFactorEnabled !== null && { two_factor_enabled: user.twoFactorEnabled },
  );

export type CurrentUserData = OwnData;
export const currentUserFields = ownFields;

/** The viewer; without `email`, `confirmed_at` and `two_factor_enabled` if the token's scopes don't show them. */
export const CurrentUser: Record<CurrentUserData> = {
  name: 'CurrentUser',
  schema: objectSchema(
    { ...basicProperties, ...ownProperties, is_admin: { type: 'boolean', description: 'Only for administrators.' } },
    ['confirmed_at', 'email', 'two_factor_enabled', 'is_admin'],
  ),
  present: (user) => Object.assign(presentOwn(user), user.isAdministrator && { is_admin: true }),
};

export interface UserData extends OwnData {
  readonly isAdministered: boolean;
  readonly namespaceId: number | null;
}
export const userFields = `${ownFields} isAdministered namespaceId: namespaceDatabaseId`;

const administered = { ...ownProperties, is_admin: { type: 'boolean' }, namespace_id: { type: ['integer', 'null'] } };

const presentAdministered = (user: UserData) =>
  Object.assign(presentOwn(user), {
    is_admin: user.isAdministrator,
    namespace_id: user.namespaceId,
  });

/** A user in a list; administrators see more fields. */
export const ListedUser: Record<UserData> = {
  name: 'ListedUser',
  schema: objectSchema({ ...basicProperties, ...administered }, Object.keys(administered)),
  present: (user) => (user.isAdministered ? presentAdministered(user) : UserBasic.present(user)),
};

/** A single user, with a few more fields than in a list. */
export const User: Record<UserData> = {
  name: 'User',
  schema: objectSchema(
    { ...basicProperties, ...administered },
    Object.keys(administered).filter((name) => name !== 'created_at'),
  ),
  present: (user) =>
    user.isAdministered
      ? presentAdministered(user)
      : Object.assign(UserBasic.present(user) as object, { created_at: user.createdAt }),
};
