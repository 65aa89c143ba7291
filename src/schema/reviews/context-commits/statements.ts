import { statement } from '../../../database/index.ts';

/** The context commits of a merge request. $1 merge request. */
export const findContextCommits = statement<{ sha: string }>(
  'find_context_commits',
  'select sha from merge_request_context_commits where merge_request_id = $1::int order by sha',
);

/**
 * Attaches commits to a merge request, as far as they aren't yet. The row of the merge request is locked, so that together
 * they stay within the bound. $1 merge request, $2 commits, $3 the most that it may have. No row: it would have more.
 */
export const insertContextCommits = statement<{ id: number }>(
  'insert_context_commits',
  `with of as (
     select i.id from merge_requests i where i.id = $1::int for update
   ), wanted as (
     select of.id from of where $3::int >= (select count(*) from (
       select c.sha from merge_request_context_commits c where c.merge_request_id = of.id union select unnest($2::text[])) one)
   ), made as (
     insert into merge_request_context_commits (merge_request_id, sha)
     select wanted.id, one.sha from wanted, unnest($2::text[]) one(sha) on conflict do nothing
   )
   select id from wanted`,
);

/** Detaches commits. $1 merge request, $2 commits. Returns those that were attached. */
export const deleteContextCommits = statement<{ sha: string }>(
  'delete_context_commits',
  'delete from merge_request_context_commits where merge_request_id = $1::int and sha = any($2::text[]) returning sha',
);
