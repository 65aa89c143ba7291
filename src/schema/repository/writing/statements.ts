import { statement } from '../../../database/index.ts';
import { eventsFrom } from '../../../events/statements.ts';
import type { BranchRule, TagRule } from '../../../policy/index.ts';
import { storedWith } from '../../../values/kinds/job-kinds.ts';

const following = storedWith('follow_references');
const making = storedWith('create_pipelines');
const measuring = storedWith('measure_repository');

/** What a writer needs to know of a project, at the time of the write. */
export interface WritingRow {
  full_path: string;
  default_branch: string | null;
  archived: boolean;
  /** Of the group that contains it; empty in a personal namespace. */
  group_attributes: { readonly [name: string]: unknown };
  rules: readonly BranchRule[];
  tag_rules: readonly TagRule[];
}

/**
 * Makes the row of a repository, if it has none, and locks it: one writer of a repository at a time, in any process. $1
 * project.
 */
export const lockRepository = statement<LockedRow>(
  'lock_repository',
  `insert into repositories (project_id, written_at) values ($1::int, clock_timestamp())
   on conflict (project_id) do update set written_at = clock_timestamp()
   returning written_at::text as locked_at, xmax = 0 as is_new`,
);

interface LockedRow {
  /** As a text, to be compared. */
  locked_at: string;
  /** Whether this made the row. */
  is_new: boolean;
}

/** SQL of the attributes of the namespace `n`, if that is a group. */
const groupAttributes = `case when n.kind = 'GROUP' then n.attributes else '{}' end`;

/** The branch and the rules of a project that isn't being removed. $1 project. */
export const findWriting = statement<WritingRow>(
  'find_writing',
  `select p.full_path, p.default_branch, p.archived, ${groupAttributes} as group_attributes,
      coalesce((select jsonb_agg(jsonb_build_object('name', r.name, 'pushAccessLevel', r.push_access_level,
          'mergeAccessLevel', r.merge_access_level, 'allowForcePush', r.allow_force_push))
        from protected_branches r where r.project_id = p.id), '[]') as rules,
      coalesce((select jsonb_agg(jsonb_build_object('name', r.name, 'createAccessLevel', r.create_access_level))
        from protected_tags r where r.project_id = p.id), '[]') as tag_rules
     from projects p join namespaces n on n.id = p.namespace_id
    where p.id = $1::int and p.deleting_since is null and n.deleting_since is null`,
);

/** A change that was recorded, and that git may not have made yet. */
export interface RecordedChange {
  id: number;
  ref: string;
  before: string | null;
  after: string | null;
  /** Of the project. */
  default_branch: string | null;
}

/** Changes that a writer recorded and didn't see through, the oldest first. $1 project. */
export const findUnapplied = statement<RecordedChange>(
  'find_unapplied',
  `select c.id, c.ref, c.before, c.after, p.default_branch from ref_changes c join projects p on p.id = c.project_id
    where c.project_id = $1::int and not c.applied order by c.id`,
);

/**
 * After git made changes: what is in the repository is counted; merge requests and activity follow changes of branches and tags,
 * pipelines all; none of an import. $1 ids.
 */
export const markApplied = statement<object>(
  'mark_applied',
  `with applied as (
     update ref_changes set applied = true where id = any($1::int[]) and not applied returning project_id, ref, imported
   )
   insert into jobs (name, payload, key, priority, max_attempts)
   select distinct 'follow_references', jsonb_build_object('projectId', project_id), project_id::text, ${following.priority}::smallint,
     ${following.attempts}::int from applied where (ref like 'refs/heads/%' or ref like 'refs/tags/%') and not imported
   union all
   select distinct 'create_pipelines', jsonb_build_object('projectId', project_id), project_id::text, ${making.priority}::smallint,
     ${making.attempts}::int from applied where not imported
   union all
   select distinct 'measure_repository', jsonb_build_object('projectId', project_id), project_id::text, ${measuring.priority}::smallint,
     ${measuring.attempts}::int from applied
   on conflict (name, key) where lease is null and dead_at is null do nothing`,
);

/**
 * Records changes with their events, in the transaction before git makes them. $1 project, $2 actor, $3 references, $4
 * values before, $5 values after, $6 the default branch from now on, or null if it stays.
 */
export const recordChanges = statement<{ id: number }>(
  'record_changes',
  `with changed as (
     insert into ref_changes (project_id, ref, before, after, actor_id, ci_options)
     select $1::int, one.ref, one.before, one.after, $2::int, $7::text[]
       from unnest($3::text[], $4::text[], $5::text[]) with ordinality one(ref, before, after, place) order by one.place
     returning id, project_id
   ), ${eventsFrom('ref.changed', 'changed', { actor: '$2', project: 'project_id', subject: 'id' })},
   stored as (
     update repositories set writes = writes + 1, written_at = now() where project_id = $1::int
   ), project as (
     update projects set last_activity_at = now(), default_branch = coalesce($6::text, default_branch) where id = $1::int
   )
   select id from changed order by id`,
);

/**
 * Records changes that an import makes: without events, and nothing follows from them. $1 project, $2 references, $3 values
 * before, $4 values after, $5 the default branch, if the project has none.
 */
export const recordImported = statement<{ id: number }>(
  'record_imported_changes',
  `with changed as (
     insert into ref_changes (project_id, ref, before, after, imported)
     select $1::int, one.ref, one.before, one.after, true
       from unnest($2::text[], $3::text[], $4::text[]) with ordinality one(ref, before, after, place) order by one.place
     returning id
   ), stored as (
     update repositories set writes = writes + 1, written_at = now() where project_id = $1::int
   ), project as (
     update projects set default_branch = $5::text where id = $1::int and default_branch is null and $5::text is not null
   )
   select id from changed order by id`,
);

/** $1 project, $2 its default branch from now on. */
export const storeDefaultBranch = statement<object>(
  'store_default_branch',
  'update projects set default_branch = $2::text where id = $1::int',
);

/** Protects a branch, unless a rule of that name does already. $1 project, $2 branch, $3 push, $4 merge, $5 force. */
export const protectBranch = statement<object>(
  'protect_first_branch',
  `insert into protected_branches (project_id, name, push_access_level, merge_access_level, allow_force_push)
   values ($1::int, $2, $3::int, $4::int, $5) on conflict (project_id, name) do nothing`,
);

/** Who commits over the API. `address` is null for a person without one. */
export interface CommitterRow {
  name: string;
  username: string;
  commit_email: string | null;
  address: string | null;
}

/** $1 person. */
export const findCommitter = statement<CommitterRow>(
  'find_committer',
  `select u.name, u.username, u.attributes->>'commitEmail' as commit_email, e.address
     from users u left join emails e on e.primary_of = u.id where u.id = $1::int`,
);

/** Repositories with changes that were recorded some time ago and aren't known to be made. $1 seconds, $2 the last one seen. */
export const findUnsettled = statement<{ id: number }>(
  'find_unsettled',
  `select distinct c.project_id as id from ref_changes c join projects p on p.id = c.project_id
    where not c.applied and c.created_at < now() - make_interval(secs => $1::int) and c.project_id > $2::int
    order by c.project_id limit 100`,
);

/** A repository that is counted. */
export interface MeasuredRow {
  default_branch: string | null;
  writes: number;
}

/** $1 project. */
export const findMeasured = statement<MeasuredRow>(
  'find_measured',
  `select p.default_branch, stored.writes
     from repositories stored join projects p on p.id = stored.project_id
    where stored.project_id = $1::int`,
);

/**
 * $1 project, $2 bytes, $3 commits, $4 path of the README, $5 languages. First the repository, then the project, as writers
 * do.
 */
export const storeMeasured = statement<object>(
  'store_measured',
  `with stored as (
     update repositories set size = $2::bigint, commits = $3::int, languages = $5::jsonb
      where project_id = $1::int returning project_id
   )
   update projects set readme_path = $4::text from stored
    where id = stored.project_id and readme_path is distinct from $4::text`,
);

/** After the files of a repository were put in order. $1 project. */
export const storeMaintained = statement<object>(
  'store_maintained',
  'update repositories set writes = 0 where project_id = $1::int',
);

/** Begins the copy of a fork. $1 fork, $2 source. Nothing if the source has no branch. */
export const beginCopy = statement<{ id: number }>(
  'begin_copy',
  `update projects fork set import_status = 'scheduled'
     from projects source
    where fork.id = $1::int and source.id = $2::int and source.default_branch is not null
    returning fork.id`,
);

/** $1 fork, $2 status. */
export const storeCopyStatus = statement<object>(
  'store_copy_status',
  'update projects set import_status = $2 where id = $1::int',
);

/** A project whose repository is copied, and the attributes of the group that gets it. $1 source, $2 fork. */
export const findCopied = statement<Pick<WritingRow, 'default_branch' | 'group_attributes'>>(
  'find_copied',
  `select source.default_branch, ${groupAttributes} as group_attributes
     from projects source join projects fork on fork.id = $2::int join namespaces n on n.id = fork.namespace_id
    where source.id = $1::int and fork.deleting_since is null and fork.import_status is distinct from 'finished'`,
);

/**
 * Ends the copy of a fork: its branch is that of the source, and protected. First the repository, then the project. $1
 * fork, $2 default branch, $3 who pushes to it, or null for no rule, $4 who merges, $5 force.
 */
export const endCopy = statement<object>(
  'end_copy',
  `with rule as (
     insert into protected_branches (project_id, name, push_access_level, merge_access_level, allow_force_push)
     select $1::int, $2::text, $3::int, $4::int, $5::boolean where $2::text is not null and $3::int is not null
     on conflict (project_id, name) do nothing
   ), stored as (
     insert into repositories (project_id, writes, written_at) values ($1::int, 1, now())
     on conflict (project_id) do update set writes = repositories.writes + 1, written_at = now() returning project_id
   )
   update projects set default_branch = $2::text, import_status = 'finished' from stored where id = stored.project_id`,
);

/** Repositories whose project is gone. $1 at most. */
export const findAbandoned = statement<{ id: number }>(
  'find_abandoned',
  `select stored.project_id as id from repositories stored
    where not exists (select from projects p where p.id = stored.project_id) order by 1 limit $1::int`,
);

/** Forgets repositories whose files were taken away. $1 projects. */
export const forgetRepositories = statement<object>(
  'forget_repositories',
  `with changes as (delete from ref_changes where project_id = any($1::int[]))
   delete from repositories where project_id = any($1::int[])`,
);

/** Forgets a repository to which nothing was ever written, and that no one locked since. $1 project, $2 that moment. */
export const forgetUnwritten = statement<{ id: number }>(
  'forget_unwritten',
  `delete from repositories where project_id = $1::int and written_at = $2::text::timestamptz
      and not exists (select from ref_changes change where change.project_id = $1::int)
   returning project_id as id`,
);
