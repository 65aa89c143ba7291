import { UserBasic, userBasicFields, type UserBasicData } from '../../accounts/users/basic.ts';
import { objectSchema, type Record } from '../../engine/record.ts';
import { moment } from '../../engine/schemas.ts';

export interface AwardData {
  readonly id: number;
  readonly name: string;
  readonly user: UserBasicData;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly awardableDatabaseId: number;
  readonly awardableType: keyof typeof types;
}

export const awardFields = `id: databaseId name user { ${userBasicFields} } createdAt updatedAt awardableDatabaseId awardableType`;

const types = { ISSUE: 'Issue', MERGE_REQUEST: 'MergeRequest', NOTE: 'Note', SNIPPET: 'Snippet' } as const;

/** An emoji that a person gave. */
export const AwardEmoji: Record<AwardData> = {
  name: 'AwardEmoji',
  schema: objectSchema({
    id: { type: 'integer' },
    name: { type: 'string' },
    user: UserBasic.schema,
    created_at: moment,
    updated_at: moment,
    awardable_id: { type: 'integer', description: 'The id, not the iid.' },
    awardable_type: { type: 'string', enum: Object.values(types) },
    url: { type: 'null', description: 'Always null.' },
  }),
  present: (award) => ({
    id: award.id,
    name: award.name,
    user: UserBasic.present(award.user),
    created_at: award.createdAt,
    updated_at: award.updatedAt,
    awardable_id: award.awardableDatabaseId,
    awardable_type: types[award.awardableType],
    url: null,
  }),
};
