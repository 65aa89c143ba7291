import { featureLevel, liveProject } from '../../../database/access/places.ts';
import { batchedStatement, batchedWrite, byNumber, statement } from '../../../database/index.ts';
import type { PlannedArtifacts, PlannedJob } from '../../../ci/plan.ts';
import type { RunnerType } from '../../../values/ci/runners.ts';

/** Has a job wait again that a runner didn’t get. $1 job. */
export const putBack = statement<object>(
  'put_back_ci_job',
  `update ci_jobs set status = 'pending', runner_id = null, runner_manager_id = null, token_digest = null,
          issued_digest = null, started_at = null, contacted_at = null, updated_at = now()
    where id = $1::int and status = 'running'`,
);

/** Whether the commit of a pipeline is kept by a reference. $1 pipeline. */
export const isRefKept = statement<{ kept: boolean }>(
  'is_ref_of_pipeline_kept',
  'select ref_kept as kept from pipelines where id = $1::int',
);

/** Notes that a reference keeps the commit of a pipeline, or that it’s gone. $1 pipeline, $2. */
export const noteKeptRef = statement<object>(
  'note_kept_ref_of_pipeline',
  'update pipelines set ref_kept = $2::boolean where id = $1::int',
);

/** Everything that a job’s payload says, except variables. */
export interface HandOutRow {
  readonly name: string;
  readonly stage: string;
  readonly ref: string;
  readonly tag: boolean;
  readonly sha: string;
  readonly isProtected: boolean;
  readonly timeout: number | null;
  readonly environment: string | null;
  readonly startedAt: Date;
  readonly queuedSeconds: number;
  readonly plan: PlannedJob | null;
  readonly pipelineId: number;
  readonly pipelineIid: number;
  readonly pipelineName: string | null;
  /** What the schedule says that started it. */
  readonly scheduleDescription: string | null;
  readonly source: string;
  readonly beforeSha: string | null;
  readonly pipelineCreatedAt: Date;
  readonly mergeRequestId: number | null;
  readonly sourceBranch: string | null;
  /** The open merge requests of its branch, as references, comma-separated. */
  readonly openMergeRequests: string | null;
  readonly projectId: number;
  readonly projectName: string;
  readonly projectPath: string;
  readonly namespaceId: number;
  readonly projectDescription: string | null;
  readonly fullPath: string;
  readonly visibility: string;
  readonly defaultBranch: string | null;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly userId: number | null;
  readonly username: string | null;
  readonly userName: string | null;
  readonly userEmail: string | null;
  readonly runnerId: number;
  readonly runnerDescription: string;
  readonly runnerTags: readonly string[];
  readonly maximumTimeout: number | null;
  readonly runningInProject: number | null;
  /** Whether people gave variables to its pipeline, or to it. */
  readonly hasGiven: boolean;
}

/** SQL of what the payloads of jobs say. @param jobs where they are @param columns more of them */
const handOutOf = (jobs: 'ci_jobs' | 'claimed', columns = '') =>
  `select${columns} j.name, j.stage, j.ref, j.tag, j.sha, j.protected as "isProtected", j.timeout, j.environment,
          j.started_at as "startedAt",
          greatest(0, extract(epoch from j.started_at - j.queued_at))::int as "queuedSeconds",
          plan.plan, q.id as "pipelineId", q.iid as "pipelineIid", q.name as "pipelineName", q.source,
          case when q.source = 'schedule' then (
            select s.description from pipeline_schedule_runs run join pipeline_schedules s on s.id = run.schedule_id
             where run.pipeline_id = q.id limit 1) end as "scheduleDescription", q.before_sha as "beforeSha",
          q.created_at as "pipelineCreatedAt", m.id as "mergeRequestId", m.source_branch as "sourceBranch",
          case when not q.tag then (
            select string_agg(open.name, ',' order by open.id) from (
              select i.id, t.full_path || '!' || i.iid as name from merge_requests i join projects t on t.id = i.project_id
               where i.state = 'OPENED' and i.source_project_id = q.project_id
                 and i.source_branch = coalesce(m.source_branch, q.ref)
               order by i.id limit 4) open) end as "openMergeRequests",
          p.id as "projectId", p.name as "projectName", p.path as "projectPath", p.full_path as "fullPath",
          p.namespace_id as "namespaceId", p.description as "projectDescription",
          lower(p.visibility::text) as visibility, p.default_branch as "defaultBranch", p.attributes,
          u.id as "userId", u.username, u.name as "userName",
          (select e.address from emails e where e.primary_of = u.id) as "userEmail",
          r.id as "runnerId", r.description as "runnerDescription", r.tags as "runnerTags", r.maximum_timeout as "maximumTimeout",
          case when r.kind = 'instance_type' then (
            select count(*)::int from ci_jobs o where o.project_id = j.project_id and o.status = 'running' and o.kind = 'job'
               and o.id <> j.id) end as "runningInProject",
          exists (select from ci_pipeline_variables v where v.pipeline_id = q.id)
            or exists (select from ci_job_variables v where v.job_id = j.id) as "hasGiven"
     from ${jobs} j
     join pipelines q on q.id = j.pipeline_id
     join projects p on p.id = j.project_id
     join runners r on r.id = j.runner_id
     left join ci_job_plans plan on plan.job_id = j.id
     left join merge_requests m on m.id = q.merge_request_id
     left join users u on u.id = j.user_id and u.deleting_since is null`;

/** What a job’s payload says. $1 job. */
export const readHandOut = statement<HandOutRow>(
  'read_job_for_runner',
  `${handOutOf('ci_jobs')} where j.id = $1::int and j.status = 'running'`,
);

/** A job that a runner claimed. */
export interface ClaimedRow extends HandOutRow {
  readonly id: number;
  /** Whether its pipeline isn’t marked as running yet, or nothing keeps its commit. */
  readonly isFirst: boolean;
  /** Whether its pipeline has jobs of earlier stages. */
  readonly hasEarlier: boolean;
}

/** SQL for jobs `j` that the runner `me` may carry out by their tags. */
const fitting = `j.status = 'pending' and j.kind = 'job' and j.tags <@ me.tags
        and (me.run_untagged or j.tags <> '{}') and (j.protected or not me.protected)`;

/** SQL for projects `p`, in the namespace `n`, whose jobs are carried out. */
const open = `${liveProject} and not p.archived and ${featureLevel('builds')} <> 'disabled'`;

/** SQL for the runners of the instance and of groups that a project `p` takes. */
const takes = (kind: 'shared' | 'group') => `coalesce((p.attributes->>'${kind}RunnersEnabled')::boolean, true)`;

/**
 * Of some jobs, those that are pending and that no recently active runner may carry out. $1 jobs.
 */
export const findWithoutRunner = statement<{ id: number }>(
  'find_jobs_without_runner',
  `select j.id
     from ci_jobs j
     join projects p on p.id = j.project_id
     join namespaces n on n.id = p.namespace_id
    where j.id = any($1::int[]) and j.status = 'pending' and j.kind = 'job' and not exists (
      select from runners me
       where not me.paused and me.contacted_at > now() - interval '2 hours' and ${fitting} and ${open}
         and case me.kind
               when 'project_type' then exists (
                 select from runner_projects rp where rp.runner_id = me.id and rp.project_id = p.id)
               when 'group_type' then ${takes('group')} and me.group_id = any(n.ancestry)
               else ${takes('shared')} and n.shared_runners_setting <> 'disabled_and_unoverridable' end)`,
);

/** How many of the oldest waiting jobs a claim of an instance’s runner looks at. */
const window = 300;

/** SQL of the job that a runner of a project or a group gets: the oldest. */
const oldest = `chosen as (
     select j.id
       from me
       join ci_jobs j on ${fitting}
       join projects p on p.id = j.project_id
       join namespaces n on n.id = p.namespace_id
      where ${open} and case me.kind
              when 'project_type' then exists (
                select from runner_projects rp where rp.runner_id = me.id and rp.project_id = p.id)
              else ${takes('group')} and me.group_id = any(n.ancestry) end
      order by j.id limit 1 for update of j skip locked
   )`;

/** SQL of the job that a runner of the instance gets: one of the project with the fewest that run. */
const fairest = `waiting as materialized (
     select j.id, j.project_id
       from me
       join ci_jobs j on ${fitting}
       join projects p on p.id = j.project_id
       join namespaces n on n.id = p.namespace_id
      where ${open} and ${takes('shared')} and n.shared_runners_setting <> 'disabled_and_unoverridable'
      order by j.id limit ${window}
   ), busy as materialized (
     select o.project_id, count(*) as running from ci_jobs o
      where o.status = 'running' and o.kind = 'job'
        and o.project_id = any(array(select distinct w.project_id from waiting w))
      group by o.project_id
   ), placed as (
     select w.*, row_number() over (partition by w.project_id order by w.id) as place from waiting w
   ), chosen as (
     select j.id from placed w
       left join busy b on b.project_id = w.project_id
       join ci_jobs j on j.id = w.id
      where j.status = 'pending'
      order by coalesce(b.running, 0) + w.place, w.id
      limit 1 for update of j skip locked
   )`;

/**
 * Gives a runner a job that it may carry out, and returns what its payload says. One conditional change, which skips what
 * others are about to take: no job is given twice. It locks no pipeline. $1 runner, $2 the machine, $3 the digest of the
 * token.
 */
const claimOf = (name: string, chosen: string) =>
  batchedWrite<ClaimedRow>(
    name,
    `with me as (select * from runners where id = $1::int and not paused), ${chosen}, claimed as (
       update ci_jobs j
          set status = 'running', runner_id = $1::int, runner_manager_id = $2::int, token_digest = $3::bytea,
              issued_digest = $3::bytea, started_at = clock_timestamp(), contacted_at = clock_timestamp(), updated_at = now()
         from chosen where j.id = chosen.id
       returning j.*
     )
     ${handOutOf(
       'claimed',
       ` j.id, q.status <> 'running' or not q.ref_kept as "isFirst", exists (
            select from ci_jobs o where o.pipeline_id = q.id and not o.retried and o.stage_index < j.stage_index) as "hasEarlier",`,
     )}`,
    byNumber,
  );

const claimOldest = claimOf('claim_oldest_ci_job', oldest);

/** How a runner gets a job. */
export const claimJob: Readonly<Record<RunnerType, typeof claimOldest>> = {
  instance_type: claimOf('claim_ci_job_fairly', fairest),
  group_type: claimOldest,
  project_type: claimOldest,
};

export interface SealedVariableRow {
  readonly of: 'pipeline' | 'job';
  readonly key: string;
  readonly kind: string;
  readonly raw: boolean;
  readonly sealed: Buffer;
}

/** The variables that people gave a pipeline and a job. $1 pipeline, $2 job. */
export const readGivenVariables = batchedStatement<SealedVariableRow>(
  'read_given_variables_of_job',
  `select 'pipeline' as of, v.key, v.kind, v.raw, v.sealed from ci_pipeline_variables v where v.pipeline_id = $1::int
   union all
   select 'job', v.key, 'env_var', false, v.sealed from ci_job_variables v where v.job_id = $2::int`,
);

/** A job whose artifacts another one fetches. */
export interface NeededRow {
  readonly id: number;
  readonly name: string;
  readonly status: 'success' | 'failed' | 'canceled';
  readonly erased: boolean;
  readonly finishedAt: Date | null;
  /** What it leaves, as it was planned. */
  readonly artifacts: PlannedArtifacts | null;
}

/**
 * The jobs whose artifacts a job fetches: those that it names, or all of earlier stages. $1 job, $2 names or null, of those
 * that count.
 */
export const findNeededJobs = batchedStatement<NeededRow>(
  'find_jobs_that_a_job_needs',
  `select o.id, o.name, o.status, o.erased_at is not null as erased, o.finished_at as "finishedAt",
          nullif(plan.plan->'artifacts', 'null') as artifacts
     from ci_jobs j
     join ci_jobs o on o.pipeline_id = j.pipeline_id and o.kind = 'job' and not o.retried and o.id <> j.id
      and o.status in ('success', 'failed', 'canceled')
     left join ci_job_plans plan on plan.job_id = o.id
    where j.id = $1::int and case when $2::text[] is null then o.stage_index < j.stage_index else o.name = any($2::text[]) end
    order by o.stage_index, o.id`,
);

/** Notes that a runner asked: its machine and when. $1 runner, $2 what the machine calls itself, $3 to $7 what it says of itself, $8 address. */
export const noteContact = batchedWrite<{ id: number; kind: RunnerType }>(
  'note_contact_of_runner',
  `with seen as (
     select m.id, m.runner_id from runner_managers m
      where m.runner_id = $1::int and m.system_id = $2 and m.contacted_at > now() - interval '1 minute'
        and m.version is not distinct from $3
   ), runner as (
     update runners set contacted_at = now()
      where id = $1::int and not exists (select from seen) and coalesce(contacted_at < now() - interval '1 minute', true)
   ), noted as (
     insert into runner_managers as m (runner_id, system_id, version, revision, platform, architecture, executor, ip_address, contacted_at)
     select id, $2, $3, $4, $5, $6, $7, $8, now() from runners where id = $1::int and not exists (select from seen)
     on conflict (runner_id, system_id) do update
       set version = excluded.version, revision = excluded.revision, platform = excluded.platform,
           architecture = excluded.architecture, executor = excluded.executor, ip_address = excluded.ip_address,
           contacted_at = excluded.contacted_at
     returning m.id
   )
   select machine.id, r.kind from (select id from seen union all select id from noted) machine, runners r
    where r.id = $1::int`,
  byNumber,
);

/** Notes that the runner of a job said something: every 15 minutes. $1 job. */
export const noteJobContact = statement<object>(
  'note_report_of_job',
  `update ci_jobs set contacted_at = now()
    where id = $1::int and status = 'running' and coalesce(contacted_at < now() - interval '15 minutes', true)`,
);

/** Where a job deploys to that says at which address that is seen, unexpanded. $1 job. */
export const findDeployedAddress = statement<{ name: string; slug: string; tier: string; url: string }>(
  'find_address_that_a_job_deploys_to',
  `select e.name, e.slug, e.tier, p.plan->'environment'->>'url' as url
     from job_environments its
     join environments e on e.id = its.environment_id
     join ci_job_plans p on p.job_id = its.job_id and p.plan->'environment'->>'url' <> ''
    where its.job_id = $1::int and its.action = 'start'`,
);

/** The status of a job. $1 job. */
export const findStatus = statement<{ status: string }>(
  'find_status_of_job',
  'select status from ci_jobs where id = $1::int',
);

/** Pipelines that have finished and whose commits are still kept. $1 the last one that was seen, $2 how many. */
export const findKeptRefs = statement<{ id: number; projectId: number }>(
  'find_kept_refs_of_pipelines',
  `select id, project_id as "projectId" from pipelines
    where ref_kept and id > $1::int and status in ('success', 'failed', 'canceled', 'skipped')
      and finished_at < now() - interval '1 minute'
    order by id limit $2::int`,
);
