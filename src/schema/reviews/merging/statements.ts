import { statement } from '../../../database/index.ts';
import { jobsFrom } from '../../../database/jobs-from.ts';
import type { MergeParams } from '../merge-requests/statements/reading.ts';

/**
 * Stores that a merge request is merged. $1 merge request, $2 who did it, or null, $3 merge commit, $4 commit of the squash,
 * $5 what the call said, whose `squash` stays if it is true, $6 the head that was merged, $7 the branch that it was merged into, $8 whether it waited for a
 * pipeline; null: no one asked, the target contains it. No row: it isn't open, has another head or target, is a draft by
 * now, or doesn't wait any more.
 */
export const storeMerged = statement<{ id: number; project_id: number; author_id: number }>(
  'store_merged',
  `update merge_requests set state = 'MERGED', merged_at = now(), merge_user_id = $2::int, merge_commit_sha = $3,
     squash_commit_sha = $4, merge_params = coalesce($5::jsonb, merge_params),
     squash = squash or coalesce(($5::jsonb->>'squash')::boolean, false), auto_merge = false, merge_error = null,
     updated_at = now(), merge_status = 'CAN_BE_MERGED'
    where id = $1::int and state = 'OPENED' and head_sha = $6 and target_branch = $7 and ($8::boolean is null or not draft)
      and ($8::boolean is not true or (auto_merge and merge_user_id = $2::int)) returning id, project_id, author_id`,
);

/** Whose to-dos of a merge request are done once it is merged. $1 merge request. */
export const finishTodos = statement<object>(
  'finish_todos_of_merged',
  `update todos t set state = 'DONE', updated_at = now() from (
     select own.id from todos own where own.merge_request_id = $1::int and own.state = 'PENDING' order by own.id for update
   ) pending where t.id = pending.id`,
);

/** A merge request after it was merged. */
export interface MergedRow {
  id: number;
  iid: number;
  project_id: number;
  source_project_id: number | null;
  source_branch: string;
  target_branch: string;
  head_sha: string;
  merge_user_id: number | null;
  force_remove_source: boolean | null;
  merge_params: MergeParams | null;
  default_branch: string | null;
  closes_issues: boolean;
}

/** $1 event of the merge. */
export const findMerged = statement<MergedRow>(
  'find_merged',
  `select i.id, i.iid, i.project_id, i.source_project_id, i.source_branch, i.target_branch, i.head_sha, i.merge_user_id,
     i.force_remove_source, i.merge_params, p.default_branch,
     coalesce((p.attributes->>'autocloseReferencedIssues')::boolean, true) as closes_issues
     from events e join merge_requests i on i.id = e.subject_id join projects p on p.id = i.project_id
    where e.id = $1::bigint and e.kind = 'merge_request.merged' and i.state = 'MERGED'`,
);

/**
 * Has a merge request merged once its pipeline succeeds. $1 merge request, $2 who merges it then, $3 what the call said, $4
 * the head, $5 the target. `merge_after`: the moment before which it isn't merged. No row: it isn't open, or has another head or
 * target.
 */
export const storeAutoMerge = statement<{ readonly merge_after: Date | null }>(
  'store_auto_merge',
  `update merge_requests set auto_merge = true, merge_user_id = $2::int, merge_params = $3::jsonb,
     squash = squash or coalesce(($3::jsonb->>'squash')::boolean, false), updated_at = now()
    where id = $1::int and state = 'OPENED' and head_sha = $4 and target_branch = $5 returning merge_after`,
);

/** Takes that back. $1 merge request. No row: it wasn't to be merged. */
export const dropAutoMerge = statement<{ id: number }>(
  'drop_auto_merge',
  `update merge_requests set auto_merge = false, merge_user_id = null, merge_params = null, updated_at = now()
    where id = $1::int and state = 'OPENED' and auto_merge returning id`,
);

/** A merge request that waits for a pipeline. */
export interface WaitingRow {
  id: number;
  project_id: number;
  iid: number;
  merge_user_id: number;
  head_sha: string;
}

/** Merge requests that wait for a pipeline. $1 event of its success. */
export const findWaiting = statement<WaitingRow>(
  'find_merge_requests_waiting',
  `select i.id, i.project_id, i.iid, i.merge_user_id, i.head_sha from events e join pipelines pl on pl.id = e.subject_id
     join merge_requests i on i.source_project_id = pl.project_id and i.head_sha = pl.sha and i.source_branch = pl.ref and not pl.tag
    where e.id = $1::bigint and e.subject_kind = 'Pipeline' and i.auto_merge and i.state = 'OPENED' and i.merge_user_id is not null
    order by i.id`,
);

/**
 * A merge request that is to be merged by itself, and from when on. No row: it isn't to be. $1 merge request.
 */
export const findWaitingForTime = statement<WaitingRow & { readonly merge_after: Date | null }>(
  'find_merge_request_waiting_for_time',
  `select i.id, i.project_id, i.iid, i.merge_user_id, i.head_sha, i.merge_after
     from merge_requests i
    where i.id = $1::int and i.auto_merge and i.state = 'OPENED' and i.merge_user_id is not null and i.head_sha is not null`,
);

/**
 * Adds the jobs that try to merge what is to be merged by itself, each at the moment that it waits for, if any.
 * @param those SQL condition on the merge request `i`
 */
const retriesOf = (name: string, those: string) =>
  statement<object>(
    name,
    jobsFrom('merge_due', {
      payload: `jsonb_build_object('mergeRequestId', i.id)`,
      key: 'i.id::text',
      runAt: 'greatest(now(), i.merge_after)',
      from: `from merge_requests i where ${those} and i.state = 'OPENED' and i.auto_merge order by i.id`,
      waiting: 'runs sooner',
    }),
  );

/** Those of a project. $1 project. */
export const retryMerges = retriesOf('retry_merges', 'i.project_id = $1::int');

/** Those of the projects in and below a group. $1 group. */
export const retryMergesBelow = retriesOf(
  'retry_merges_below',
  'i.project_id in (select p.id from projects p join namespaces n on n.id = p.namespace_id where n.ancestry @> array[$1::int])',
);

/** Those that some people asked for. $1 people. */
export const retryMergesOf = retriesOf('retry_merges_of_people', 'i.merge_user_id = any($1::int[])');

/** Those whose head has a pipeline. $1 pipeline. */
export const retryMergesAfter = retriesOf(
  'retry_merges_after_pipeline',
  '(i.source_project_id, i.head_sha, i.source_branch) = (select pl.project_id, pl.sha, pl.ref from pipelines pl where pl.id = $1::int and not pl.tag)',
);

/** Stores why a merge or a rebase failed, or that it didn't. $1 merge request, $2 the reason, or null. */
export const storeMergeError = statement<object>(
  'store_merge_error',
  'update merge_requests set merge_error = $2, rebasing_since = null where id = $1::int',
);

/** Begins a rebase. $1 merge request. No row: it isn't open, or one runs already. */
export const beginRebase = statement<{ id: number }>(
  'begin_rebase',
  `update merge_requests set rebasing_since = now(), merge_error = null
    where id = $1::int and state = 'OPENED' and (rebasing_since is null or rebasing_since < now() - interval '1 hour') returning id`,
);

/**
 * Makes open merge requests target another branch, at most 4: the one that they targeted was merged there and removed. They
 * aren't merged there by themselves. $1 project, $2 removed branch, $3 the new target.
 */
export const retarget = statement<{ id: number; dropped: boolean }>(
  'retarget_merge_requests',
  `with former as (
      select i.id, i.auto_merge from merge_requests i where i.project_id = $1::int and i.target_branch = $2 and i.state = 'OPENED'
         and not (i.source_project_id = $1::int and i.source_branch = $3) and not exists (
           select from merge_requests other where other.state = 'OPENED' and other.project_id = i.project_id and other.target_branch = $3
              and other.source_project_id = i.source_project_id and other.source_branch = i.source_branch)
       order by i.id limit 4 for update
   )
   update merge_requests i set target_branch = $3, head_sha = null, base_sha = null, start_sha = null, merge_status = 'UNCHECKED',
     auto_merge = false, merge_user_id = case when former.auto_merge then null else i.merge_user_id end,
     merge_params = case when former.auto_merge then null else i.merge_params end, updated_at = now()
    from former where i.id = former.id returning i.id, former.auto_merge as dropped`,
);
