import { ListQuery, type Parent } from '../../../../database/list.ts';
import { userReading, type UserRecord } from '../../../../database/access/records.ts';
import { personReadsMergeRequests, personSees } from './readers.ts';

/** SQL after an insert of participants: who was one only because of an award takes part from now on. */
export const takingPartIn = (column: 'issue_id' | 'merge_request_id') =>
  `on conflict (${column}, user_id) do update set by_award = false where participants.by_award`;

/** The same for an issue. */
export const nowTakingPart = takingPartIn('issue_id');

/** An issue or a merge request that people take part in. */
interface TakenPart {
  readonly column: 'issue_id' | 'merge_request_id';
  readonly id: number | Parent;
}

/** The people who take part in an issue or a merge request and read it; its author is always among them. */
export function participantList({ column, id }: TakenPart): ListQuery<UserRecord> {
  const isIssue = column === 'issue_id';
  const query = new ListQuery<UserRecord>(
    `participants pt join users u on u.id = pt.user_id join ${isIssue ? 'issues' : 'merge_requests'} i on i.id = pt.${column}
       join projects p on p.id = i.project_id join namespaces n on n.id = p.namespace_id`,
    'u.id',
    userReading,
  );
  const reads = isIssue ? personSees : `${personSees} and ${personReadsMergeRequests()}`;
  return query
    .where(`pt.${column} = ${typeof id === 'number' ? `${query.key(id)}::int` : id}`)
    .where(`(u.id = i.author_id or ${reads})`);
}
