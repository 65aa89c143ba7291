import { userAttributesFor } from '../../../values/user-attributes.ts';
import { attributeSchemas, attributeSelection, presentAttributes } from '../../engine/attributes.ts';
import { objectSchema, type Record } from '../../engine/record.ts';
import { UserBasic, userBasicFields, type UserBasicData } from './basic.ts';

const moment = { type: 'string', format: 'date-time' };
const momentOrNull = { ...moment, type: ['string', 'null'] };

const profile = userAttributesFor('everyone');
const presentProfile = presentAttributes(profile);
const own = userAttributesFor('own');
const presentOwnAttributes = presentAttributes(own);
const administrators = userAttributesFor('administrators');
const presentForAdministrators = presentAttributes(administrators);

const basicProperties = UserBasic.schema.properties as { [name: string]: object };

/** The fields that only the user and administrators see. */
interface OwnData extends UserBasicData {
  /** Null if the profile is private. */
  readonly createdAt: string | null;
  readonly organization: string;
  readonly confirmedAt: string | null;
  readonly email: string | null;
  readonly isAdministrator: boolean | null;
  readonly twoFactorEnabled: boolean | null;
}
const ownFields = `${userBasicFields} createdAt ${attributeSelection(profile)} ${attributeSelection(own)}
  confirmedAt email isAdministrator twoFactorEnabled`;

const profileProperties = {
  created_at: moment,
  ...attributeSchemas(profile),
  job_title: { type: 'string', description: 'Always empty.' },
  bot: { type: 'boolean', description: 'Always false.' },
  work_information: { type: ['string', 'null'], description: 'The organization, if any.' },
};

const ownProperties = {
  ...profileProperties,
  confirmed_at: momentOrNull,
  email: { type: 'string', format: 'email' },
  two_factor_enabled: { type: 'boolean' },
  ...attributeSchemas(own),
};

/** What everyone signed in sees of a single person. */
const presentPublic = (user: OwnData) =>
  Object.assign(
    presentProfile(
      Object.assign(UserBasic.present(user) as {}, user.createdAt === null ? null : { created_at: user.createdAt }),
      user,
    ),
    { job_title: '', bot: false, work_information: user.organization === '' ? null : user.organization },
  );

/** Omits the fields that the token's scopes don't show. */
const presentOwn = (user: OwnData) =>
  Object.assign(
    presentPublic(user),
    user.email !== null && { confirmed_at: user.confirmedAt, email: user.email },
    user.twoFactorEnabled !== null && presentOwnAttributes({ two_factor_enabled: user.twoFactorEnabled }, user),
  );

export type CurrentUserData = OwnData;
export const currentUserFields = ownFields;

/** The viewer; without `email`, `confirmed_at` and `two_factor_enabled` if the token's scopes don't show them. */
export const CurrentUser: Record<CurrentUserData> = {
  name: 'CurrentUser',
  schema: objectSchema(
    { ...basicProperties, ...ownProperties, is_admin: { type: 'boolean', description: 'Only for administrators.' } },
    ['confirmed_at', 'email', 'two_factor_enabled', 'is_admin', ...Object.keys(attributeSchemas(own))],
  ),
  present: (user) => Object.assign(presentOwn(user), user.isAdministrator && { is_admin: true }),
};

export interface UserData extends OwnData {
  readonly isAdministered: boolean;
  readonly namespaceId: number | null;
}
export const userFields = `${ownFields} isAdministered namespaceId: namespaceDatabaseId ${attributeSelection(administrators)}`;

const administered = {
  ...ownProperties,
  is_admin: { type: 'boolean' },
  ...attributeSchemas(administrators),
  namespace_id: { type: ['integer', 'null'] },
};

const presentAdministered = (user: UserData) =>
  Object.assign(presentForAdministrators(Object.assign(presentOwn(user), { is_admin: user.isAdministrator }), user), {
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
    Object.keys(administered).filter((name) => name === 'created_at' || !(name in profileProperties)),
  ),
  present: (user) => (user.isAdministered ? presentAdministered(user) : presentPublic(user)),
};
