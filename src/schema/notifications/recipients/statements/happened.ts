import { statement } from '../../../../database/index.ts';
import type { HappenedHere } from '../../../../notify/occurrence.ts';
import { isUnconfirmed } from './address.ts';

/** A domain event with what decides who is notified of it. No row: it is gone. $1 its id. */
export const happened = statement<HappenedHere>(
  'happened',
  `select e.id::text as id, e.kind, e.actor_id as "actorId", e.project_id as "projectId", e.group_id as "groupId", e.subject_id as "subjectId", e.ids,
     coalesce(i.author_id, mr.author_id, pl.user_id) as "authorId", coalesce(i.assignee_id, mr.assignee_id) as "assigneeId",
     mr.reviewer_id as "reviewerId", coalesce(i.label_ids, mr.label_ids) as "labelIds", nt.internal,
     ${isUnconfirmed('e.actor_id')} as unconfirmed
     from events e left join issues i on e.subject_kind = 'Issue' and i.id = e.subject_id
     left join merge_requests mr on e.subject_kind = 'MergeRequest' and mr.id = e.subject_id
     left join notes nt on e.subject_kind = 'Note' and nt.id = e.subject_id
     left join pipelines pl on e.subject_kind = 'Pipeline' and pl.id = e.subject_id
    where e.id = $1::bigint`,
);
