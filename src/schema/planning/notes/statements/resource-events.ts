import { inside, type Inside } from '../../../../database/access/inside.ts';
import {
  labelReading,
  milestoneReading,
  type LabelRecord,
  type MilestoneRecord,
} from '../../../../database/access/planning.ts';
import { userReading, type UserRecord } from '../../../../database/access/records.ts';
import type { NoteableKind } from './kinds.ts';
import { ListQuery, type Reading } from '../../../../database/list.ts';

/** A change of the labels, the milestone or the state of an issue or a merge request. */
export interface ResourceEventRecord {
  readonly id: number;
  readonly issueId: number | null;
  readonly mergeRequestId: number | null;
  readonly kind: 'LABEL' | 'MILESTONE' | 'STATE';
  readonly action: 'ADD' | 'REMOVE' | 'CLOSED' | 'REOPENED' | 'MERGED';
  readonly user: Inside<UserRecord>;
  /** Null if it was removed since. */
  readonly label: Inside<LabelRecord> | null;
  readonly milestone: Inside<MilestoneRecord> | null;
  readonly createdAt: Date;
}

const reading: Reading<ResourceEventRecord> = {
  columns: `e.id, e.issue_id as "issueId", e.merge_request_id as "mergeRequestId", e.kind, e.action, ${inside(userReading, 'e.user_id')} as user, ${inside(labelReading, 'e.label_id')} as label,
    ${inside(milestoneReading, 'e.milestone_id')} as milestone, e.created_at as "createdAt"`,
  from: 'resource_events e',
  id: 'e.id',
};

/** The events of one kind of an issue or a merge request. @param one only the event with this id */
export function resourceEventList(
  { kind: on, id }: { readonly kind: NoteableKind; readonly id: number },
  kind: ResourceEventRecord['kind'],
  one?: number,
): ListQuery<ResourceEventRecord> {
  const query = new ListQuery<ResourceEventRecord>('resource_events e', 'e.id', reading);
  query
    .where(`e.${on === 'MergeRequest' ? 'merge_request_id' : 'issue_id'} = ${query.key(id)}::int`)
    .where(`e.kind = '${kind}'`);
  return one === undefined ? query : query.where(`e.id = ${query.key(one)}::int`);
}
