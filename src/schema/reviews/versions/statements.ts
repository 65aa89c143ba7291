import { statement } from '../../../database/index.ts';
import { liveProject } from '../../../database/access/places.ts';
import { rootOf } from '../../repository/repositories/statements.ts';
import { settledFrom, todosFrom } from '../../planning/todos/statements/parts.ts';
import { jobsFrom } from '../../../database/jobs-from.ts';
import { ListQuery, type Parent, type Reading } from '../../../database/list.ts';
import type { MergeRequestRecord } from '../merge-requests/statements/reading.ts';

/** What is needed to look at the branches of a merge request. */
export interface BranchesRow {
  id: number;
  iid: number;
  project_id: number;
  full_path: string;
  default_branch: string | null;
  source_project_id: number | null;
  source_branch: string;
  target_branch: string;
  state: MergeRequestRecord['state'];
  description: string | null;
  author_id: number;
  head_sha: string | null;
  base_sha: string | null;
  start_sha: string | null;
  merge_status: MergeRequestRecord['mergeStatus'];
  checked_head: string | null;
  checked_target: string | null;
  /** Whether the projects have repositories. */
  has_target: boolean;
  has_source: boolean;
}

const branches = `select i.id, i.iid, i.project_id, p.full_path, p.default_branch, i.source_project_id, i.source_branch, i.target_branch,
     i.state, i.description, i.author_id, i.head_sha, i.base_sha, i.start_sha, i.merge_status, i.checked_head, i.checked_target,
     exists (select from repositories stored where stored.project_id = i.project_id) as has_target,
     exists (select from repositories stored where stored.project_id = i.source_project_id) as has_source
   from merge_requests i join projects p on p.id = i.project_id join namespaces n on n.id = p.namespace_id`;

/** $1 merge request. */
export const findBranches = statement<BranchesRow>(
  'find_branches_of_merge_request',
  `${branches} where i.id = $1::int and ${liveProject}`,
);

/** The same, locked until the transaction ends. $1 merge request. */
export const lockBranches = statement<BranchesRow>(
  'lock_branches_of_merge_request',
  `${branches} where i.id = $1::int and ${liveProject} for update of i`,
);

/**
 * Stores a version, and that it is the current one. Another head drops an automatic merge, unless it was asked for with
 * this head. $1 merge request, $2 head, $3 base, $4 head of the target, $5 files, $6 commits.
 */
export const storeVersion = statement<{ id: number; dropped: boolean }>(
  'store_merge_request_version',
  `with former as (
     select id, auto_merge and not (coalesce(head_sha, '') = $2 or coalesce(merge_params->>'sha', '') = $2) as drops
       from merge_requests where id = $1::int
   ), current as (
     update merge_requests i set head_sha = $2, base_sha = $3, start_sha = $4, files_count = $5::int,
       commits_count = $6::int, auto_merge = auto_merge and not former.drops,
       merge_user_id = case when former.drops then null else merge_user_id end, updated_at = now()
      from former where i.id = former.id returning i.id, former.drops
   ), stored as (
     insert into merge_request_versions (merge_request_id, head_sha, base_sha, start_sha, files_count, commits_count)
     select id, $2, $3, $4, $5::int, $6::int from current returning id
   )
   select stored.id, current.drops as dropped from stored cross join current`,
);

/**
 * Stores whether it can be merged. $1 merge request, $2 status, $3 head, $4 head of the target, $5 whether a rebase is needed.
 * `auto_merge`: whether it is to be merged by itself, and not before `merge_after`.
 */
export const storeMergeStatus = statement<{ readonly auto_merge: boolean; readonly merge_after: Date | null }>(
  'store_merge_status',
  `update merge_requests set merge_status = $2::"MergeStatus", checked_head = $3, checked_target = $4, needs_rebase = $5
    where id = $1::int returning auto_merge, merge_after`,
);

/**
 * Makes a to-do for the author of a merge request that can't be merged any more, and for the person who has it merge by itself.
 * They cause them, as in GitLab. $1 merge request. A row for each of them, with whether it is the latter.
 */
export const unmergeableTodos = statement<{ user_id: number; waited: boolean }>(
  'unmergeable_todos',
  `with item as (
     select id, project_id, author_id, case when auto_merge then merge_user_id end as waiting_id from merge_requests where id = $1::int
   ), owed as (
     select distinct u.id as user_id, 'UNMERGEABLE' as action, item.id as item_id, item.project_id, coalesce(u.id = item.waiting_id, false) as waited
       from item join users u on u.id in (item.author_id, item.waiting_id)
   ), made as (
     ${todosFrom('owed', { mergeRequest: 'owed.item_id', project: 'owed.project_id', author: 'owed.user_id' })}
   )
   select user_id, waited from owed`,
);

/** Who gave a branch a head last. $1 project, $2 full name of the branch, $3 head. */
export const findPusher = statement<{ actor_id: number | null }>(
  'find_pusher',
  `select c.actor_id from ref_changes c where c.project_id = $1::int and c.ref = $2 and c.after = $3 order by c.id desc limit 1`,
);

/** The pending to-dos of who pushed are done. $1 merge request, $2 who pushed. */
export const settlePushers = statement<{ id: number }>(
  'settle_todos_of_pusher',
  `with pushed as (select $1::int as id) ${settledFrom('pushed', { mergeRequest: 'pushed.id', person: '$2::int' })}`,
);

/** A branch as one of both ends of open merge requests. */
export interface EndRow {
  id: number;
  project_id: number;
  author_id: number;
  is_source: boolean;
  head_sha: string | null;
  created_at: Date;
}

/** Open merge requests from a branch or into it. $1 project, $2 branch. */
export const findOpenOf = statement<EndRow>(
  'find_open_merge_requests_of_branch',
  `select i.id, i.project_id, i.author_id, true as is_source, i.head_sha, i.created_at from merge_requests i
    where i.source_project_id = $1::int and i.source_branch = $2 and i.state = 'OPENED'
   union all
   select i.id, i.project_id, i.author_id, false, i.head_sha, i.created_at from merge_requests i
    where i.project_id = $1::int and i.target_branch = $2 and i.state = 'OPENED'
   order by 1`,
);

/** Has those merge requests checked that aren't, in the background. $1 merge requests. Returns them. */
export const requestChecks = statement<{ id: number }>(
  'request_checks_of_merge_requests',
  `with unknown as (
     select id from merge_requests where id = any($1::int[]) and state = 'OPENED'
       and merge_status not in ('CAN_BE_MERGED', 'CANNOT_BE_MERGED')
   ), asked as (${jobsFrom('check_merge_request', {
     payload: `jsonb_build_object('mergeRequestId', id)`,
     key: 'id::text',
     from: 'from unknown',
     waiting: 'stays',
   })})
   select id from unknown`,
);

/**
 * SQL of the jobs that close merge requests whose source is removed, or isn't related to their target any more: one for each
 * that is open between a project of the CTE `from` and another one.
 * @param actor SQL for who caused it, or null
 * @param both whether those into the projects, too
 */
export const closingOrphansOf = (from: string, actor: string, both = false) =>
  jobsFrom('close_orphaned_merge_request', {
    payload: `jsonb_build_object('mergeRequestId', i.id, 'actorId', ${actor}::int)`,
    key: 'i.id::text',
    from: `from ${from} one join merge_requests i on i.source_project_id = one.id ${both ? 'or i.project_id = one.id' : ''}
    where i.state = 'OPENED' and i.source_project_id <> i.project_id`,
    waiting: 'stays',
  });

/**
 * The target of an open merge request, locked, if its source is removed or isn't related to it; and who caused that, if they
 * are still there. `leaving`: its author is being removed. $1 merge request, $2 person or null.
 */
export const lockOrphan = statement<{ project_id: number; actor_id: number | null; leaving: boolean }>(
  'lock_orphaned_merge_request',
  `select i.project_id, (select u.id from users u where u.id = $2::int and u.deleting_since is null) as actor_id,
       exists (select from users u where u.id = i.author_id and u.deleting_since is not null) as leaving
     from merge_requests i join projects p on p.id = i.project_id join namespaces n on n.id = p.namespace_id
    where i.id = $1::int and i.state = 'OPENED' and ${liveProject}
      and not exists (
        select from projects source where source.id = i.source_project_id and source.deleting_since is null
           and ${rootOf('i.source_project_id')} = ${rootOf('i.project_id')}
      ) for update of i`,
);

/** SQL for whether the merge request `i` was checked with another head of its target, or never. @param tip the present one */
const isOutdated = (tip: string) => `i.source_project_id is not null and i.checked_target is distinct from ${tip}`;

/**
 * After a change of the target: whether they can be merged isn't known any more, unless they were checked with its present
 * head, or lack a source branch. One job checks some of them again, others are checked when someone asks. So are those that
 * weren't known before: a check of them that runs may have read the former head. $1 merge requests, $2 project, $3 branch, $4
 * its present head, or null.
 */
export const uncheck = statement<object>(
  'uncheck_merge_requests',
  `with unchecked as (update merge_requests i set merge_status = case merge_status when 'CAN_BE_MERGED' then 'UNCHECKED'::"MergeStatus"
     when 'CANNOT_BE_MERGED' then 'CANNOT_BE_MERGED_RECHECK'::"MergeStatus" else merge_status end
    where id = any($1::int[]) and merge_status in ('CAN_BE_MERGED', 'CANNOT_BE_MERGED') and ${isOutdated('$4')}
   )
   ${jobsFrom('check_merge_requests', {
     payload: `jsonb_build_object('projectId', $2::int, 'branch', $3::text)`,
     key: `concat($2::int, ' ', $3::text)`,
     from: `where exists (select from merge_requests i where i.id = any($1::int[]) and ${isOutdated('$4')})`,
     waiting: 'stays',
   })}`,
);

/**
 * Open merge requests into a branch that aren't checked with its present head: those that are to be merged by themselves first,
 * and of the others those that changed last. $1 project, $2 branch, $3 its present head, or null, $4 how many of the others.
 */
export const findUnchecked = statement<{ id: number }>(
  'find_unchecked_merge_requests',
  `select id from (
     select i.id, i.auto_merge, i.updated_at, row_number() over (order by i.auto_merge, i.updated_at desc) as place from merge_requests i
      where i.project_id = $1::int and i.target_branch = $2 and i.state = 'OPENED' and i.source_project_id is not null
        and (i.merge_status not in ('CAN_BE_MERGED', 'CANNOT_BE_MERGED') or i.checked_target is distinct from $3)
   ) placed where auto_merge or place <= $4::int order by auto_merge desc, updated_at desc`,
);

/** What decides what a push to a branch sets off. $1 project. */
export const findFollowingProject = statement<{
  full_path: string;
  default_branch: string | null;
  closes_issues: boolean;
}>(
  'find_following_project',
  `select p.full_path, p.default_branch, coalesce((p.attributes->>'autocloseReferencedIssues')::boolean, true) as closes_issues
     from projects p where p.id = $1::int and p.deleting_since is null`,
);

/** A version as it is shown. */
export interface VersionRecord {
  readonly id: number;
  readonly mergeRequestId: number;
  readonly projectId: number;
  readonly headSha: string;
  readonly baseSha: string;
  readonly startSha: string;
  readonly filesCount: number;
  readonly createdAt: Date;
}

const versionReading: Reading<VersionRecord> = {
  columns: `v.id, v.merge_request_id as "mergeRequestId", i.project_id as "projectId", v.head_sha as "headSha", v.base_sha as "baseSha",
    v.start_sha as "startSha", v.files_count as "filesCount", v.created_at as "createdAt"`,
  from: 'merge_request_versions v join merge_requests i on i.id = v.merge_request_id',
  id: 'v.id',
};

/** The versions of a merge request. @param id its id */
export function versionList(id: number | Parent): ListQuery<VersionRecord> {
  const query = new ListQuery<VersionRecord>('merge_request_versions v', 'v.id', versionReading);
  return query.where(`v.merge_request_id = ${typeof id === 'number' ? `${query.key(id)}::int` : id}`);
}

/** A version of a merge request. $1 merge request, $2 version. */
export const findVersion = statement<VersionRecord>(
  'find_merge_request_version',
  `select ${versionReading.columns} from ${versionReading.from} where v.merge_request_id = $1::int and v.id = $2::int`,
);
