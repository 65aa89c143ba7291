import { statement } from '../../../database/index.ts';
import { liveProject } from '../../../database/access/places.ts';

/** Issues by the full paths of their projects, in lower case, and their numbers. $1 paths, $2 numbers. */
export const issuesNamed = statement<{ id: number; project_id: number; iid: number }>(
  'issues_named_as_closed',
  `select distinct i.id, i.project_id, i.iid from unnest($1::text[], $2::int[]) wanted(path, iid)
     join routes r on r.path = wanted.path join issues i on i.project_id = r.project_id and i.iid = wanted.iid
     join projects p on p.id = i.project_id join namespaces n on n.id = p.namespace_id where ${liveProject} limit 100`,
);

/** Stores which issues a merge request closes, instead of those before. $1 merge request, $2 issues. */
export const storeClosed = statement<object>(
  'store_issues_of_merge_request',
  `with gone as (
     delete from merge_request_issues where merge_request_id = $1::int and closes and issue_id <> all($2::int[])
   )
   insert into merge_request_issues (merge_request_id, issue_id, closes)
   select $1::int, one.id, true from unnest($2::int[]) one(id)
   on conflict (merge_request_id, issue_id) do update set closes = true`,
);

/** The issues that merging closes. $1 merge request. */
export const findClosed = statement<{ id: number }>(
  'find_issues_of_merge_request',
  'select issue_id as id from merge_request_issues where merge_request_id = $1::int and closes order by issue_id',
);

/** The merge requests that closed issues by being merged. $1 issues, $2 project, $3 commits that came with the merge. */
export const findClosers = statement<{ issue_id: number; id: number }>(
  'find_closers_of_issues',
  `select link.issue_id, i.id from merge_request_issues link join merge_requests i on i.id = link.merge_request_id
    where link.issue_id = any($1::int[]) and link.closes and i.project_id = $2::int and i.state = 'MERGED'
      and (i.merge_commit_sha = any($3::text[]) or i.squash_commit_sha = any($3::text[]) or i.head_sha = any($3::text[]))
    order by i.id`,
);
