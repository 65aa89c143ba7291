import { statement } from '../../../database/index.ts';
import { eventsFrom } from '../../../events/statements.ts';
import { systemNotesFrom } from '../../planning/notes/statements/system.ts';

/** Approvals of merge requests, the oldest first. $1 merge requests. */
export const findApprovals = statement<{ merge_request_id: number; user_id: number; created_at: Date }>(
  'find_approvals',
  'select merge_request_id, user_id, created_at from approvals where merge_request_id = any($1::int[]) order by id',
);

/** What the message about an approval, or its end, is made of. */
const messageOf = (name: 'merge_request.approved' | 'merge_request.unapproved', body: string, action: string) =>
  `subject as (
     select i.id, i.project_id from changed join merge_requests i on i.id = changed.merge_request_id
   ), note as (
     ${systemNotesFrom(`(select subject.id, subject.project_id, '${body}' as body, '${action}' as action, null::int as referrer_id from subject) system_note`, { mergeRequest: 'system_note.id', project: 'system_note.project_id', author: '$2' })}
   ), ${eventsFrom(name, 'subject', { actor: '$2', project: 'project_id', subject: 'id' })}`;

/** Approves a merge request. $1 merge request, $2 person. No row: they had done so. */
export const insertApproval = statement<{ id: number }>(
  'insert_approval',
  `with changed as (
     insert into approvals (merge_request_id, user_id) values ($1::int, $2::int)
     on conflict (merge_request_id, user_id) do nothing returning id, merge_request_id
   ), ${messageOf('merge_request.approved', 'approved this merge request', 'approved')}
   select id from changed`,
);

/** Takes an approval back. $1 merge request, $2 person. No row: there was none. */
export const deleteApproval = statement<{ id: number }>(
  'delete_approval',
  `with changed as (
     delete from approvals where merge_request_id = $1::int and user_id = $2::int returning id, merge_request_id
   ), ${messageOf('merge_request.unapproved', 'unapproved this merge request', 'unapproved')}
   select id from changed`,
);

export type ReviewState = 'UNREVIEWED' | 'REVIEWED' | 'APPROVED' | 'UNAPPROVED';

/** SQL for whether the reviewer of `i` wrote something of a kind since they were asked. */
const wrote = (what: string) =>
  `exists (select from notes n where n.merge_request_id = i.id and n.author_id = i.reviewer_id and ${what}
     and n.created_at >= coalesce(i.reviewer_since, i.created_at))`;

/** What the reviewers of merge requests did since they were asked. $1 merge requests; those without a reviewer have no row. */
export const findReviewStates = statement<{ id: number; state: ReviewState }>(
  'find_review_states',
  `select i.id, case
       when exists (select from approvals a where a.merge_request_id = i.id and a.user_id = i.reviewer_id) then 'APPROVED'
       when ${wrote(`n.system and n.action = 'unapproved'`)} then 'UNAPPROVED'
       when ${wrote('not n.system')} then 'REVIEWED' else 'UNREVIEWED' end as state
     from merge_requests i where i.id = any($1::int[]) and i.reviewer_id is not null`,
);
