import { objectSchema, type JsonSchema, type Record } from '../../engine/record.ts';
import { UserBasic, userBasicFields, type UserBasicData } from '../../accounts/users/basic.ts';

/** Roles by the numbers of version 4, and by their names in the schema. */
export const accessLevels: { readonly [level: number]: string | undefined } = {
  10: 'GUEST',
  20: 'REPORTER',
  30: 'DEVELOPER',
  40: 'MAINTAINER',
  50: 'OWNER',
};
const numbers = new Map(Object.entries(accessLevels).map(([level, name]) => [name, Number(level)]));

export interface MemberData {
  readonly user: UserBasicData;
  readonly accessLevel: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
}

/** What an operation selects for the record. */
export const memberFields = `user { ${userBasicFields} } accessLevel createdAt expiresAt`;

const { properties: ofUser } = UserBasic.schema as { properties: { [name: string]: JsonSchema } };

/** A person with what they are in a group or project. */
export const Member: Record<MemberData> = {
  name: 'Member',
  schema: objectSchema({
    ...ofUser,
    access_level: { type: 'integer', enum: [...numbers.values()] },
    created_at: { type: 'string', format: 'date-time' },
    expires_at: { type: ['string', 'null'], format: 'date' },
  }),
  present: ({ user, accessLevel, createdAt, expiresAt }) =>
    Object.assign(UserBasic.present(user) as object, {
      access_level: numbers.get(accessLevel),
      created_at: createdAt,
      expires_at: expiresAt,
    }),
};

/** Of one person what they are now; of several only that it was done. */
export const AddedMembers: Record<readonly MemberData[]> = {
  name: 'AddedMembers',
  schema: { oneOf: [Member.schema, objectSchema({ status: { type: 'string', const: 'success' } })] },
  present: (members) => (members.length === 1 ? Member.present(members[0]!) : { status: 'success' }),
};
