import { userAttributesFor } from '../../../values/attributes/user-attributes.ts';
import type { Attributes } from '../../../values/attributes/attributes.ts';
import { blankOf } from '../../../values/blank.ts';
import { attributeSchemas, attributeSelection, presentAttributes } from '../../engine/attributes.ts';
import { objectSchema, type Record } from '../../engine/record.ts';
import { moment } from '../../engine/schemas.ts';
import { UserBasic, userBasicFields, type UserBasicData } from './basic.ts';

const momentOrNull = { ...moment, type: ['string', 'null'] };
const day = { type: ['string', 'null'], format: 'date' };
const address = { type: ['string', 'null'] };

const profile = userAttributesFor('everyone');
const presentProfile = presentAttributes(profile);
const own = userAttributesFor('own');
const administrators = userAttributesFor('administrators');
const presentForAdministrators = presentAttributes(administrators);

/** Some of the attributes that the person and administrators see, in their order. */
const ownOnly = (...names: readonly string[]): Attributes =>
  Object.fromEntries(Object.entries(own).filter(([name]) => names.includes(name)));
const looks = ownOnly('theme', 'colorScheme', 'projectsLimit');
const presentLooks = presentAttributes(looks);
const groups = ownOnly('canCreateGroup');
const presentGroups = presentAttributes(groups);
const kind = ownOnly('external', 'privateProfile');
const presentKind = presentAttributes(kind);

const basicProperties = UserBasic.schema.properties as { [name: string]: object };

/** What everyone signed in sees of a single person. */
interface PublicData extends UserBasicData {
  /** Null if the profile is private. */
  readonly createdAt: string | null;
  readonly organization: string;
  readonly jobTitle: string;
  readonly isViewer: boolean;
  readonly localTime: string | null;
}
const publicFields = `${userBasicFields} createdAt ${attributeSelection(profile)} isViewer localTime`;

const publicProperties = {
  created_at: moment,
  ...attributeSchemas(profile),
  bot: { type: 'boolean', description: 'Always false.' },
  work_information: { type: ['string', 'null'], description: 'The job and the organization, if any.' },
  followers: { type: 'integer', description: 'Always 0: people can’t be followed.' },
  following: { type: 'integer', description: 'Always 0: people can’t be followed.' },
  is_followed: { type: 'boolean', description: 'Always false: people can’t be followed.' },
  local_time: {
    type: ['string', 'null'],
    description: 'The time where they are, like `3:38 PM`; null if they chose no time zone.',
  },
};
/** Members that a record lacks for some viewers, or of some people. */
const sometimes = ['created_at', 'followers', 'following', 'is_followed'];

const workOf = ({ jobTitle, organization }: PublicData): string | null =>
  jobTitle && organization ? `${jobTitle} at ${organization}` : jobTitle || organization || null;

/** A private profile hides when the account was made, and who follows it. */
function presentPublic(user: PublicData) {
  const record = Object.assign(blankUser(), UserBasic.present(user));
  if (user.createdAt !== null) record.created_at = user.createdAt;
  Object.assign(presentProfile(record, user), { bot: false, work_information: workOf(user) });
  if (user.createdAt !== null) {
    Object.assign(record, { followers: 0, following: 0 });
    if (!user.isViewer) record.is_followed = false;
  }
  record.local_time = user.localTime;
  return record;
}

/** The fields that only the user and administrators see. */
interface OwnData extends PublicData {
  readonly lastSignInAt: string | null;
  readonly confirmedAt: string | null;
  readonly lastActivityOn: string | null;
  readonly email: string | null;
  readonly currentSignInAt: string | null;
  readonly identities: readonly { readonly provider: string; readonly externUid: string }[];
  readonly canCreateProject: boolean;
  readonly twoFactorEnabled: boolean | null;
  readonly commitEmail: string | null;
}
const recordFields = `${attributeSelection(own)} lastSignInAt confirmedAt lastActivityOn email currentSignInAt
  identities { provider externUid } canCreateProject twoFactorEnabled commitEmail`;

const identity = objectSchema({
  provider: { type: 'string' },
  extern_uid: { type: 'string' },
  saml_provider_id: { type: 'null' },
});

const recordProperties = {
  last_sign_in_at: momentOrNull,
  confirmed_at: momentOrNull,
  last_activity_on: day,
  email: { type: 'string', format: 'email' },
  ...attributeSchemas(looks),
  current_sign_in_at: momentOrNull,
  identities: { type: 'array', items: identity },
  ...attributeSchemas(groups),
  can_create_project: { type: 'boolean' },
  two_factor_enabled: { type: 'boolean' },
  ...attributeSchemas(kind),
  commit_email: { type: ['string', 'null'] },
  preferred_language: { type: 'string', description: 'Always `en`.' },
};

/** Omits the fields that the token's scopes don't show. */
function presentOwn(user: OwnData) {
  const record = presentPublic(user);
  const complete = user.twoFactorEnabled !== null;
  if (complete) record.last_sign_in_at = user.lastSignInAt;
  if (user.email !== null) record.confirmed_at = user.confirmedAt;
  if (complete) record.last_activity_on = user.lastActivityOn;
  if (user.email !== null) record.email = user.email;
  if (!complete) return record;
  presentLooks(record, user);
  record.current_sign_in_at = user.currentSignInAt;
  record.identities = user.identities.map(({ provider, externUid }) => ({
    provider,
    extern_uid: externUid,
    saml_provider_id: null,
  }));
  presentGroups(record, user);
  record.can_create_project = user.canCreateProject;
  record.two_factor_enabled = user.twoFactorEnabled;
  presentKind(record, user);
  return Object.assign(record, { commit_email: user.commitEmail, preferred_language: 'en' });
}

/** The fields that only administrators see. */
interface AdministeredData extends OwnData {
  readonly isAdministrator: boolean;
  readonly namespaceId: number | null;
  readonly createdBy: UserBasicData | null;
  readonly currentSignInIp: string | null;
  readonly lastSignInIp: string | null;
}
const administeredFields = `isAdministrator ${attributeSelection(administrators)} namespaceId: namespaceDatabaseId
  createdBy { ${userBasicFields} } currentSignInIp lastSignInIp`;

const administeredProperties = {
  is_admin: { type: 'boolean' },
  ...attributeSchemas(administrators),
  namespace_id: { type: ['integer', 'null'] },
  created_by: { anyOf: [UserBasic.schema, { type: 'null' }], description: 'The administrator who made the account.' },
  email_reset_offered_at: { type: 'null', description: 'Always null.' },
  current_sign_in_ip: address,
  last_sign_in_ip: address,
};

/** Adds what administrators see. */
function addAdministered(record: { [name: string]: unknown }, user: AdministeredData) {
  record.is_admin = user.isAdministrator;
  presentForAdministrators(record, user);
  return Object.assign(record, {
    namespace_id: user.namespaceId,
    created_by: user.createdBy && UserBasic.present(user.createdBy),
    email_reset_offered_at: null,
    current_sign_in_ip: user.currentSignInIp,
    last_sign_in_ip: user.lastSignInIp,
  });
}

/** What is selected for administrators only: for others, nothing of it would be shown. */
const forAdministrators = (fields: string) => `isAdministered ... @include(if: $administers) { ${fields} }`;

/** The variable of `forAdministrators`. */
export const administers = ({ person }: { readonly person: { readonly administrator: boolean } | null }) => ({
  administers: person?.administrator === true,
});

const allProperties = { ...basicProperties, ...publicProperties, ...recordProperties, ...administeredProperties };
const blankUser = blankOf([...Object.keys(allProperties), 'highest_role', 'sign_in_count']);
const optional = (...required: readonly object[]) => {
  const present = new Set(required.flatMap((properties) => Object.keys(properties)));
  return Object.keys(allProperties).filter((name) => !present.has(name) || sometimes.includes(name));
};

type Administered = { readonly isAdministered: boolean } & AdministeredData;

export type PublicUserData = PublicData;
export const publicUserFields = publicFields;

/** A person with what everyone signed in sees of them, whatever the viewer may see besides. */
export const PublicUser: Record<PublicUserData> = {
  name: 'PublicUser',
  schema: objectSchema({ ...basicProperties, ...publicProperties }, sometimes),
  present: presentPublic,
};

export type CurrentUserData = Administered;
export const currentUserFields = `${publicFields} ${recordFields} ${forAdministrators(administeredFields)}`;

/** The viewer; without some members if the token's scopes don't show them. */
export const CurrentUser: Record<CurrentUserData> = {
  name: 'CurrentUser',
  schema: objectSchema(allProperties, optional(basicProperties, publicProperties)),
  present: (user) => {
    const record = presentOwn(user);
    return user.isAdministered && user.twoFactorEnabled !== null ? addAdministered(record, user) : record;
  },
};

export type KnownUserData = OwnData;
/** A user with what the person sees of themselves. */
export const knownUserFields = `${publicFields} ${recordFields}`;
export const KnownUser: Record<OwnData> = {
  name: 'KnownUser',
  schema: objectSchema({ ...basicProperties, ...publicProperties, ...recordProperties }, sometimes),
  present: presentOwn,
};

const presentAdministered = (user: AdministeredData) => addAdministered(presentOwn(user), user);

export type UserData = Administered;

/** The user that an administrator changed. */
export const changedUserFields = `${publicFields} ${recordFields} ${administeredFields}`;
export const ChangedUser: Record<AdministeredData> = {
  name: 'ChangedUser',
  schema: objectSchema(allProperties, sometimes),
  present: presentAdministered,
};

/** A user in a list; administrators see more fields. */
export const listedUserFields = `${userBasicFields} ${forAdministrators(`${publicFields} ${recordFields} ${administeredFields}`)}`;
export const ListedUser: Record<UserData> = {
  name: 'ListedUser',
  schema: objectSchema(allProperties, optional(basicProperties)),
  present: (user) => (user.isAdministered ? presentAdministered(user) : UserBasic.present(user)),
};

interface SingleData extends Administered {
  readonly highestRole: number;
  readonly signInCount: number;
}
export type SingleUserData = SingleData;
export const singleUserFields = `${publicFields} ${forAdministrators(`${recordFields} ${administeredFields} highestRole signInCount`)}`;

/** A single user. */
export const User: Record<SingleData> = {
  name: 'User',
  schema: objectSchema({ ...allProperties, highest_role: { type: 'integer' }, sign_in_count: { type: 'integer' } }, [
    ...optional(basicProperties, publicProperties),
    'highest_role',
    'sign_in_count',
  ]),
  present: (user) =>
    user.isAdministered
      ? Object.assign(presentAdministered(user), { highest_role: user.highestRole, sign_in_count: user.signInCount })
      : presentPublic(user),
};
