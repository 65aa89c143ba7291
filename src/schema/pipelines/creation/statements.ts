import { statement } from '../../../database/index.ts';
import type { CiStatus } from '../../../values/ci/statuses.ts';

/** What making a pipeline needs to know of a project. */
export interface CreatingRow {
  readonly name: string;
  readonly visibility: string;
  readonly configPath: string | null;
  /** In seconds. */
  readonly timeout: number | null;
  readonly cancelsOlder: boolean;
  readonly variablesRole: string | null;
}

/** $1 project. */
export const findCreating = statement<CreatingRow>(
  'find_creating_pipelines',
  `select p.name, p.visibility::text as visibility, p.attributes->>'ciConfigPath' as "configPath",
          (p.attributes->>'buildTimeout')::int as timeout,
          coalesce(p.attributes->>'autoCancelPendingPipelines', 'enabled') <> 'disabled' as "cancelsOlder",
          p.attributes->>'ciPipelineVariablesMinimumOverrideRole' as "variablesRole"
     from projects p where p.id = $1::int and p.deleting_since is null`,
);

/** A pipeline that this transaction made: no one else sees it. */
interface MadePipeline {
  readonly id: number;
  readonly projectId: number;
  readonly ref: string;
  readonly tag: boolean;
  readonly sha: string;
  readonly status: CiStatus;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly createdAt: Date;
}

/**
 * Makes a pipeline; none if there is one for this change of a branch or tag already. $1 project, $2 ref, $3 whether that is a
 * tag, $4 commit, $5 source, $6 person, $7 the commit before, $8 name, $9 what is wrong with its configuration, $10 merge
 * request, $11 whether its ref is protected, $12 change of a reference, $13 what a newer commit cancels, $14 what a failed job
 * cancels, $15 whether only the first for this commit of the merge request is made: after `lockPipelineNumbers`, $16 warnings
 * about its configuration.
 */
export const insertPlanned = statement<MadePipeline>(
  'insert_planned_pipeline',
  `with number as (
     insert into project_counters as c (project_id, kind, last)
     select $1::int, 'PIPELINE', 1
      where ($12::int is null or not exists (
        select from pipelines known where known.ref_change_id = $12::int
           and coalesce(known.merge_request_id, 0) = coalesce($10::int, 0)))
        and not ($15::boolean and exists (
        select from pipelines known where known.merge_request_id = $10::int and known.sha = $4))
     on conflict (project_id, kind) do update set last = c.last + 1 returning c.last
   )
   insert into pipelines as p (project_id, iid, ref, tag, sha, source, user_id, before_sha, name, yaml_errors,
                               merge_request_id, protected, ref_change_id, cancel_on_new_commit, cancel_on_job_failure,
                               warnings)
   select $1::int, number.last, $2, $3::boolean, $4, $5, $6::int, $7::text, $8::text, $9::text, $10::int, $11::boolean, $12::int,
          $13::text, $14::text, $16::text[]
     from number
   on conflict do nothing
   returning p.id, p.project_id as "projectId", p.ref, p.tag, p.sha, p.status, p.started_at as "startedAt",
     p.finished_at as "finishedAt", p.created_at as "createdAt"`,
);

/**
 * Adds jobs to a pipeline, as they were planned. $1 pipeline, $2 the plans, $3 person, $4 seconds that a job may take if its
 * plan doesn’t say, $5 the names of their environments.
 */
export const insertJobs = statement<object>(
  'insert_planned_jobs',
  `with given as (
     select planned.job, planned.position, ($5::text[])[planned.position] as environment
       from jsonb_array_elements($2::jsonb) with ordinality planned(job, position)
   ), made as (
     insert into ci_jobs (kind, pipeline_id, project_id, name, stage, stage_index, ref, tag, sha, allow_failure, user_id,
                          when_to_run, needs, has_needs, start_in, tags, protected, interruptible, timeout, environment)
     select 'job', p.id, p.project_id, g.job->>'name', g.job->>'stage', (g.job->>'stageIndex')::int, p.ref, p.tag, p.sha,
            (g.job->>'allowFailure')::boolean, $3::int, g.job->>'when',
            case when jsonb_typeof(g.job->'needs') = 'array'
              then array(select need->>'job' from jsonb_array_elements(g.job->'needs') need) else '{}' end,
            jsonb_typeof(g.job->'needs') = 'array', (g.job->>'startIn')::int,
            array(select jsonb_array_elements_text(g.job->'tags')), p.protected, (g.job->>'interruptible')::boolean,
            coalesce((g.job->>'timeout')::int, $4::int), g.environment
       from given g cross join pipelines p where p.id = $1::int order by g.position
     returning id, name
   )
   insert into ci_job_plans (job_id, plan) select made.id, g.job from made join given g on g.job->>'name' = made.name`,
);

/** Gives a pipeline variables. $1 pipeline, $2 keys, $3 kinds, $4 sealed values, $5 whether they are raw. */
export const storePipelineVariables = statement<object>(
  'store_pipeline_variables',
  `insert into ci_pipeline_variables (pipeline_id, key, kind, sealed, raw)
   select $1::int, given.key, given.kind, given.sealed, given.raw
     from unnest($2::text[], $3::text[], $4::bytea[], $5::boolean[]) given(key, kind, sealed, raw)`,
);

/** Variables that a pipeline was given. $1 pipeline. */
export const readPipelineVariables = statement<{ key: string; kind: string; sealed: Buffer; raw: boolean }>(
  'read_pipeline_variables',
  'select key, kind, sealed, raw from ci_pipeline_variables where pipeline_id = $1::int order by key',
);

/**
 * Older pipelines of a branch or tag that a new one makes superfluous: they go on, for other commits. What is canceled of them is
 * decided when they are locked. $1 the new pipeline.
 */
export const findSuperfluous = statement<{ id: number }>(
  'find_superfluous_pipelines',
  `select old.id from pipelines new join pipelines old
       on old.project_id = new.project_id and old.ref = new.ref and old.tag = new.tag and old.id < new.id
      and old.sha <> new.sha and old.source <> 'external'
      and coalesce(old.merge_request_id, 0) = coalesce(new.merge_request_id, 0)
    where new.id = $1::int
      and old.status in ('created', 'waiting_for_resource', 'preparing', 'pending', 'running', 'manual', 'scheduled')
      and case coalesce(old.cancel_on_new_commit, 'conservative')
        when 'none' then false
        when 'interruptible' then true
        else not exists (
          select from ci_jobs j where j.pipeline_id = old.id and j.kind = 'job' and not j.interruptible and j.started_at is not null)
        end
    order by old.id desc limit 100`,
);

/**
 * The first open merge requests of a branch, as references with full paths, comma-separated; null without any. $1 source
 * project, $2 branch.
 */
export const nameOpenMergeRequests = statement<{ names: string | null }>(
  'name_open_merge_requests',
  `select string_agg(open.name, ',' order by open.id) as names from (
     select i.id, p.full_path || '!' || i.iid as name from merge_requests i join projects p on p.id = i.project_id
      where i.state = 'OPENED' and i.source_project_id = $1::int and i.source_branch = $2 order by i.id limit 4) open`,
);

/** An open merge request whose source a pipeline is made for. */
export interface MergeRequestRow {
  readonly id: number;
  readonly baseSha: string | null;
  readonly sourceProjectId: number;
  readonly sourceBranch: string;
}

const mergeRequest = `select i.id, i.base_sha as "baseSha", i.source_project_id as "sourceProjectId",
    i.source_branch as "sourceBranch"
  from merge_requests i
 where i.state = 'OPENED' and i.source_project_id is not null`;

/**
 * The open merge requests of a branch that have no pipeline of their own for a commit. $1 source project, $2 branch, $3
 * commit, $4 the change that brought it, or null: one that was opened later isn't about what further changes replaced.
 */
export const findMergeRequestsFrom = statement<MergeRequestRow>(
  'find_merge_requests_without_pipeline',
  `${mergeRequest} and i.source_project_id = $1::int and i.source_branch = $2
     and not exists (select from pipelines known where known.merge_request_id = i.id and known.sha = $3)
     and not exists (
       select from ref_changes made join ref_changes further
           on further.project_id = made.project_id and further.ref = made.ref and further.id > made.id
        where made.id = $4::int and made.created_at <= i.created_at)
   order by i.id limit 100`,
);

/** The same for a merge request. $1 merge request. */
export const findOpenMergeRequest = statement<MergeRequestRow>(
  'find_merge_request_of_pipeline',
  `${mergeRequest} and i.id = $1::int`,
);

/** The merge request that an event is about, and who did it. $1 event. */
export const findCreated = statement<{ id: number; actorId: number | null }>(
  'find_created_merge_request',
  `select subject_id as id, actor_id as "actorId" from events where id = $1::bigint`,
);
