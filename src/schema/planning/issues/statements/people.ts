import { ListQuery, type Parent } from '../../../../database/list.ts';
import { userReading, type UserRecord } from '../../../../database/access/records.ts';
import { personSees } from './readers.ts';

/** SQL after an insert of participants: who was one only because of an award takes part from now on. */
export const takingPartIn = (column: 'issue_id' | 'merge_request_id') =>
  `on conflict (${column}, user_id) do update set by_award = false where participants.by_award`;

/** The same for an issue. */
export const nowTakingPart = takingPartIn('issue_id');

/** The people who take part in an issue and read it; its author is always among them. @param issue its id */
export function participantList(issue: number | Parent): ListQuery<UserRecord> {
  const query = new ListQuery<UserRecord>(
    `participants pt join users u on u.id = pt.user_id join issues i on i.id = pt.issue_id
       join projects p on p.id = i.project_id join namespaces n on n.id = p.namespace_id`,
    'u.id',
    userReading,
  );
  const id = typeof issue === 'number' ? `${query.key(issue)}::int` : issue;
  return query.where(`pt.issue_id = ${id}`).where(`(u.id = i.author_id or ${personSees})`);
}
