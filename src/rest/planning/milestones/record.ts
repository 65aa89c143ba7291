import { objectSchema, type JsonSchema, type Record } from '../../engine/record.ts';
import { moment } from '../../engine/schemas.ts';

export interface MilestoneData {
  readonly id: number;
  readonly iid: string;
  readonly projectId: number | null;
  readonly groupId: number | null;
  readonly title: string;
  readonly description: string | null;
  readonly state: 'active' | 'closed';
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The beginning of a day. */
  readonly dueDate: string | null;
  readonly startDate: string | null;
  readonly expired: boolean;
  readonly webUrl: string;
}

/** The fields that operations select for the record. */
export const milestoneFields = `id: databaseId iid projectId: projectDatabaseId groupId: groupDatabaseId title description
  state createdAt updatedAt dueDate startDate expired webUrl`;

const day: JsonSchema = { type: ['string', 'null'], format: 'date' };

/** A milestone, with the number of its project or of its group. */
export const Milestone: Record<MilestoneData> = {
  name: 'Milestone',
  schema: objectSchema(
    {
      id: { type: 'integer' },
      iid: { type: 'integer' },
      project_id: { type: 'integer' },
      group_id: { type: 'integer' },
      title: { type: 'string' },
      description: { type: ['string', 'null'] },
      state: { type: 'string', enum: ['active', 'closed'] },
      created_at: moment,
      updated_at: moment,
      due_date: day,
      start_date: day,
      expired: { type: 'boolean' },
      web_url: { type: 'string', format: 'uri' },
    },
    ['project_id', 'group_id'],
  ),
  present: (milestone) => ({
    id: milestone.id,
    iid: Number(milestone.iid),
    project_id: milestone.projectId ?? undefined,
    group_id: milestone.groupId ?? undefined,
    title: milestone.title,
    description: milestone.description,
    state: milestone.state,
    created_at: milestone.createdAt,
    updated_at: milestone.updatedAt,
    due_date: milestone.dueDate && milestone.dueDate.slice(0, 10),
    start_date: milestone.startDate && milestone.startDate.slice(0, 10),
    expired: milestone.expired,
    web_url: milestone.webUrl,
  }),
};

/** The answer to promoting one: clients only want an object. */
export const Promoted: Record<unknown> = { name: 'PromotedMilestone', schema: objectSchema({}), present: () => ({}) };
