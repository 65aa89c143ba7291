import { objectSchema, type JsonSchema, type Record } from '../../engine/record.ts';
import { moment } from '../../engine/schemas.ts';
import { UserBasic, userBasicFields, type UserBasicData } from '../../accounts/users/basic.ts';

export interface TriggerData {
  readonly id: number;
  readonly token: string;
  readonly description: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly lastUsed: string | null;
  readonly expiresAt: string | null;
  readonly owner: UserBasicData | null;
}

/** The fields that operations select for `Trigger`. */
export const triggerFields = `id: databaseId token description createdAt updatedAt lastUsed expiresAt
  owner { ${userBasicFields} }`;

const momentOrNull: JsonSchema = { ...moment, type: ['string', 'null'] };

/** A token that starts pipelines. */
export const Trigger: Record<TriggerData> = {
  name: 'Trigger',
  schema: objectSchema({
    id: { type: 'integer' },
    token: { type: 'string', description: 'In full for its owner; for other maintainers, its beginning.' },
    description: { type: ['string', 'null'] },
    created_at: moment,
    updated_at: moment,
    last_used: momentOrNull,
    expires_at: momentOrNull,
    owner: { ...UserBasic.schema, type: ['object', 'null'] },
  }),
  present: (trigger) => ({
    id: trigger.id,
    token: trigger.token,
    description: trigger.description,
    created_at: trigger.createdAt,
    updated_at: trigger.updatedAt,
    last_used: trigger.lastUsed,
    expires_at: trigger.expiresAt,
    owner: trigger.owner && UserBasic.present(trigger.owner),
  }),
};
