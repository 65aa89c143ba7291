import { UserBasic, userBasicFields, type UserBasicData } from '../../accounts/users/basic.ts';
import { objectSchema, type Record } from '../../engine/record.ts';

export interface EpicData {
  readonly id: number;
  readonly iid: string;
  readonly groupId: number;
  readonly title: string;
  readonly description: string | null;
  readonly state: 'opened' | 'closed';
  readonly author: UserBasicData | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly webUrl: string;
}

/** The fields that operations select for the record. */
export const epicFields = `id: databaseId iid groupId: groupDatabaseId title description state
  author { ${userBasicFields} } createdAt updatedAt webUrl`;

/** An epic, with the number of its group. */
export const Epic: Record<EpicData> = {
  name: 'Epic',
  schema: objectSchema({
    id: { type: 'integer' },
    iid: { type: 'integer' },
    group_id: { type: 'integer' },
    title: { type: 'string' },
    description: { type: ['string', 'null'] },
    state: { type: 'string', enum: ['opened', 'closed'] },
    author: { anyOf: [UserBasic.schema, { type: 'null' }] },
    created_at: { type: 'string', format: 'date-time' },
    updated_at: { type: 'string', format: 'date-time' },
    web_url: { type: 'string', format: 'uri' },
  }),
  present: (epic) => ({
    id: epic.id,
    iid: Number(epic.iid),
    group_id: epic.groupId,
    title: epic.title,
    description: epic.description,
    state: epic.state,
    author: epic.author && UserBasic.present(epic.author),
    created_at: epic.createdAt,
    updated_at: epic.updatedAt,
    web_url: epic.webUrl,
  }),
};
