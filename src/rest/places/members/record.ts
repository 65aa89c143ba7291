import { objectSchema, type JsonSchema, type Record } from '../../engine/record.ts';
import { UserBasic, userBasicFields, type UserBasicData } from '../../accounts/users/basic.ts';

/** The schema's names of roles, by version 4's numbers. */
export const accessLevels: { readonly [level: number]: string | undefined } = {
  10: 'GUEST',
  15: 'PLANNER',
  20: 'REPORTER',
  30: 'DEVELOPER',
  40: 'MAINTAINER',
  50: 'OWNER',
};

export interface MemberData {
  readonly user: UserBasicData;
  readonly accessLevel: { readonly integerValue: number };
  readonly createdAt: string;
  /** Null if unknown, or once that account is removed. */
  readonly createdBy: UserBasicData | null;
  /** The start of a day in UTC. */
  readonly expiresAt: string | null;
}

/** The fields that operations select for the record. */
export const memberFields = `user { ${userBasicFields} } accessLevel { integerValue } createdAt expiresAt
  createdBy { ${userBasicFields} }`;

const { properties: ofUser } = UserBasic.schema as { properties: { [name: string]: JsonSchema } };

/** A user with their role in a group or project. */
export const Member: Record<MemberData> = {
  name: 'Member',
  schema: objectSchema(
    {
      ...ofUser,
      access_level: { type: 'integer', enum: Object.keys(accessLevels).map(Number) },
      created_at: { type: 'string', format: 'date-time' },
      created_by: { ...UserBasic.schema, description: 'Who added the member, if known.' },
      expires_at: { type: ['string', 'null'], format: 'date' },
    },
    ['created_by'],
  ),
  present: ({ user, accessLevel, createdAt, createdBy, expiresAt }) =>
    Object.assign(
      UserBasic.present(user) as object,
      { access_level: accessLevel.integerValue, created_at: createdAt },
      createdBy && { created_by: UserBasic.present(createdBy) },
      { expires_at: expiresAt && expiresAt.slice(0, 10) },
    ),
};

/** The answer to adding members: the new member, or only a status if there are several. */
export const AddedMembers: Record<readonly MemberData[]> = {
  name: 'AddedMembers',
  schema: { oneOf: [Member.schema, objectSchema({ status: { type: 'string', const: 'success' } })] },
  present: (members) => (members.length === 1 ? Member.present(members[0]!) : { status: 'success' }),
};
