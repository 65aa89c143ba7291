import { UserBasic, userBasicFields, type UserBasicData } from '../../accounts/users/basic.ts';
import { objectSchema, type JsonSchema, type Record } from '../../engine/record.ts';
import { moment } from '../../engine/schemas.ts';

export interface AccessRequestData {
  readonly user: UserBasicData;
  readonly requestedAt: string;
}

/** The fields that operations select for the record. */
export const accessRequestFields = `user { ${userBasicFields} } requestedAt`;

const { properties: ofUser } = UserBasic.schema as { properties: { [name: string]: JsonSchema } };

/** A user who asks for a role in a group or project. */
export const AccessRequest: Record<AccessRequestData> = {
  name: 'AccessRequest',
  schema: objectSchema({
    ...ofUser,
    created_at: { ...moment, description: 'The same as `requested_at`.' },
    requested_at: moment,
  }),
  present: ({ user, requestedAt }) =>
    Object.assign(UserBasic.present(user) as object, { created_at: requestedAt, requested_at: requestedAt }),
};
