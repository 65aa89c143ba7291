import { statement } from '../../../../database/index.ts';
import { eventsFrom } from '../../../../events/statements.ts';
import { milestoneIn } from '../../../planning/issues/statements/parts.ts';
import { takingPartIn } from '../../../planning/issues/statements/people.ts';
import { personReadsMergeRequests } from '../../../planning/issues/statements/readers.ts';
import {
  mentionedFrom,
  mentionedNobody,
  owedToMentioned,
  settledFrom,
  todosFrom,
} from '../../../planning/todos/statements/parts.ts';
import { mayDeal } from './create.ts';
import type { MergeRequestRecord } from './reading.ts';

/** A merge request before a change of it. */
export interface LockedMergeRequest {
  readonly title: string;
  readonly description: string | null;
  readonly state: MergeRequestRecord['state'];
  readonly author_id: number;
  readonly source_project_id: number | null;
  readonly source_branch: string;
  readonly target_branch: string;
  readonly assignee_id: number | null;
  readonly assignee: string | null;
  readonly reviewer_id: number | null;
  readonly reviewer: string | null;
  readonly milestone_id: number | null;
  readonly label_ids: readonly number[];
  readonly discussion_locked: boolean | null;
  readonly squash: boolean;
  readonly force_remove_source: boolean | null;
  readonly allow_collaboration: boolean;
  /** Whether it merges by itself once its pipeline succeeds. */
  readonly auto_merge: boolean;
  readonly merge_after: Date | null;
}

const nameOf = (person: string) => `(select u.username from users u where u.id = ${person})`;

/** Locks a merge request until the transaction ends. $1 its id. */
export const lockMergeRequest = statement<LockedMergeRequest>(
  'lock_merge_request',
  `select i.title, i.description, i.state, i.author_id, i.source_project_id, i.source_branch, i.target_branch, i.assignee_id,
     ${nameOf('i.assignee_id')} as assignee, i.reviewer_id, ${nameOf('i.reviewer_id')} as reviewer, i.milestone_id, i.label_ids,
     i.discussion_locked, i.squash, i.force_remove_source, i.allow_collaboration, i.auto_merge, i.merge_after
     from merge_requests i where i.id = $1 for update of i`,
);

/** SQL for a person of a merge request after a change: one who doesn't read it is not taken. */
const dealing = (column: 'assignee_id' | 'reviewer_id', person: string) =>
  `case when ${person}::int is not distinct from i.${column} then i.${column} when ${person}::int is null then null
     else coalesce(${mayDeal(person, '$2::int')}, i.${column}) end`;

/**
 * SQL that changes a locked merge request, and returns what it has then. A milestone of elsewhere and people who don't read it
 * are not taken. With another target, a new version is made.
 * $1 merge request, $2 target, $3 actor, $4 title, $5 description, $6 draft, $7 state, $8 target branch, $9 assignee, $10
 * reviewer, $11 milestone, $12 labels, $13 whether the discussion is locked, $14 squash, $15 whether to remove the source
 * branch, $16 whether members of the target may push to it, $17 tasks, $18 of these completed, $19 names of people who are
 * newly mentioned, $20 those of them whom a line begins with, $21 whether the actor is done with their to-dos, $22 the
 * assignee before, $23 the reviewer before, $24 the moment before which it isn't merged, $25 whether it isn't to be merged by itself any more.
 */
const update = (mentioned: string) => `with changed as (
     update merge_requests i set title = $4, description = $5, draft = $6::boolean,
       closed_at = case when i.state = $7::"MergeRequestState" then i.closed_at when $7::text = 'CLOSED' then now() end,
       closed_by_id = case when i.state = $7::"MergeRequestState" then i.closed_by_id when $7::text = 'CLOSED' then $3::int end,
       state = $7::"MergeRequestState",
       head_sha = case when i.target_branch = $8 then i.head_sha end, base_sha = case when i.target_branch = $8 then i.base_sha end,
       start_sha = case when i.target_branch = $8 then i.start_sha end,
       merge_status = case when i.target_branch = $8 and (i.state = 'OPENED' or $7::text <> 'OPENED') then i.merge_status else 'UNCHECKED' end,
       auto_merge = i.auto_merge and not $25::boolean, merge_user_id = case when $25::boolean then null else i.merge_user_id end,
       merge_params = case when $25::boolean then null else i.merge_params end,
       target_branch = $8, assignee_id = ${dealing('assignee_id', '$9')}, reviewer_id = reviewer.id,
       reviewer_since = case when reviewer.id is null then null when reviewer.id = i.reviewer_id then i.reviewer_since else now() end,
       milestone_id = case when $11::int is not distinct from i.milestone_id then i.milestone_id when $11::int is null then null
         else coalesce(${milestoneIn('$11', '$2::int')}, i.milestone_id) end,
       label_ids = $12::int[], discussion_locked = $13::boolean, squash = $14::boolean, force_remove_source = $15::boolean,
       allow_collaboration = $16::boolean, merge_after = $24::timestamptz, tasks = $17::int, tasks_completed = $18::int, updated_at = now(), updated_by_id = $3::int
      from (select ${dealing('reviewer_id', '$10')} as id from merge_requests i where i.id = $1::int) reviewer
      where i.id = $1::int returning i.id, i.assignee_id, i.reviewer_id, i.milestone_id
   ), mentioned as (${mentioned}
   ), taking as (
     insert into participants (merge_request_id, user_id)
     select changed.id, one.id from changed, lateral (
       select changed.assignee_id as id union select changed.reviewer_id union select mentioned.id from mentioned
     ) one where one.id is not null ${takingPartIn('merge_request_id')}
   ), settled as (${settledFrom('changed', { mergeRequest: 'changed.id', person: '$3::int', when: '$21::boolean' })}
   ), owed as (
     -- After what is settled: who assigns themselves again gets a new one.
     select one.user_id, one.action from (select count(*) from settled) first, lateral (
       select assignee_id as user_id, 'ASSIGNED' as action from changed where assignee_id is distinct from $22::int and assignee_id is not null
       union all select reviewer_id, 'REVIEW_REQUESTED' from changed where reviewer_id is distinct from $23::int and reviewer_id is not null
       union all ${owedToMentioned('mentioned', '$3::int')}
     ) one
   ), todo as (${todosFrom('owed', { mergeRequest: '$1::int', project: '$2::int', author: '$3::int' })}
   )
   select array(select user_id from todo) as "todoOwners", array(select id from mentioned where reads order by id) as mentioned,
     changed.assignee_id, ${nameOf('changed.assignee_id')} as assignee, changed.reviewer_id,
     ${nameOf('changed.reviewer_id')} as reviewer, changed.milestone_id from changed`;

const names = { names: '$19', addressed: '$20' };
type Updated = Pick<LockedMergeRequest, 'assignee_id' | 'assignee' | 'reviewer_id' | 'reviewer' | 'milestone_id'> & {
  /** Who got to-dos, and who is newly mentioned and reads it. */
  readonly todoOwners: readonly number[];
  readonly mentioned: readonly number[];
};

/** Changes a merge request: `plain` if the text newly mentions no one, which is so of most changes. */
export const updateMergeRequest = {
  plain: statement<Updated>('update_merge_request', update(mentionedNobody(names))),
  full: statement<Updated>(
    'update_merge_request_in_full',
    update(
      mentionedFrom('changed', {
        ...names,
        writer: '$3::int',
        project: '$2::int',
        reads: personReadsMergeRequests(),
      }),
    ),
  ),
};

/** Asks the reviewer of a merge request again. No row: they don't review it. $1 merge request, $2 reviewer, $3 actor, $4 target. */
export const requestReviewAgain = statement<{ user_id: number }>(
  'request_review_again',
  `with asked as (
     update merge_requests i set reviewer_since = now() where i.id = $1::int and i.reviewer_id = $2::int
     returning i.id, i.reviewer_id as user_id, 'REVIEW_REQUESTED' as action
   ), todo as (${todosFrom('asked', { mergeRequest: 'asked.id', project: '$4::int', author: '$3::int' })}
   ) select user_id from asked`,
);

/**
 * Deletes a merge request with everything that belongs to it. No row: it was deleted already, or was changed after $2. $1
 * merge request, $2 a moment in whole seconds or null, $3 actor.
 */
export const deleteMergeRequest = statement<{ id: number }>(
  'delete_merge_request',
  `with gone as (
     delete from merge_requests where id = $1 and ($2::timestamptz is null or date_trunc('second', updated_at) <= $2::timestamptz)
     returning id, project_id
   ), ${eventsFrom('merge_request.deleted', 'gone', { actor: '$3', project: 'project_id', subject: 'id' })}
   select id from gone`,
);
