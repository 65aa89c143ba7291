import type { When } from '../../../ci/start.ts';
import type { CiStatus } from '../../../values/ci/statuses.ts';
import {
  featureLevel,
  isProjectOf,
  liveProject,
  projectAccessLevel,
  publicJobs,
} from '../../../database/access/places.ts';
import { statement } from '../../../database/index.ts';
import { ListQuery, parent, readByIds, type Parent, type Reading } from '../../../database/list.ts';
import { all, readJobs as mayReadJobs, roles, seePlace, toSql, variantOf, type Viewer } from '../../../policy/index.ts';

/** A job, or a status that a script reported. */
export interface JobRecord {
  readonly id: number;
  readonly kind: 'job' | 'status';
  readonly pipelineId: number;
  readonly projectId: number;
  readonly projectPath: string;
  readonly name: string;
  readonly stage: string;
  readonly stageIndex: number;
  readonly ref: string;
  readonly tag: boolean;
  readonly sha: string;
  readonly status: CiStatus;
  readonly allowFailure: boolean;
  readonly description: string | null;
  readonly targetUrl: string | null;
  readonly coverage: number | null;
  readonly userId: number | null;
  readonly failureReason: string | null;
  readonly retried: boolean;
  /** When it starts; null for a status. */
  readonly when: When | null;
  /** The names of the jobs that it needs; null: it waits for all earlier stages. */
  readonly needs: readonly string[] | null;
  /** When a delayed job starts. */
  readonly scheduledAt: Date | null;
  readonly tags: readonly string[];
  readonly exitCode: number | null;
  readonly runnerId: number | null;
  /** The machine of it. */
  readonly runnerManagerId: number | null;
  /** When its log and artifacts were removed. */
  readonly erasedAt: Date | null;
  readonly queuedAt: Date | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly createdAt: Date;
}

const jobReading: Reading<JobRecord> = {
  columns: `its.id, its.kind, its.pipeline_id as "pipelineId", its.project_id as "projectId",
    place.full_path as "projectPath", its.name, its.stage, its.stage_index as "stageIndex", its.ref, its.tag, its.sha,
    its.status, its.allow_failure as "allowFailure", its.description, its.target_url as "targetUrl", its.coverage,
    its.user_id as "userId", its.failure_reason as "failureReason", its.retried, its.when_to_run as "when",
    case when its.has_needs then its.needs end as needs, its.scheduled_at as "scheduledAt", its.tags,
    its.exit_code as "exitCode", its.runner_id as "runnerId",
    its.runner_manager_id as "runnerManagerId", its.erased_at as "erasedAt", its.queued_at as "queuedAt",
    its.started_at as "startedAt", its.finished_at as "finishedAt", its.created_at as "createdAt"`,
  from: 'ci_jobs its join projects place on place.id = its.project_id',
  id: 'its.id',
};

/** Jobs by id. $1 ids. */
export const readJobs = readByIds('read_ci_jobs', jobReading);

/** The jobs of pipelines that count, in the order of their stages. $1 pipelines. */
export const latestJobs = statement<JobRecord>(
  'latest_jobs_of_pipelines',
  `select ${jobReading.columns} from ${jobReading.from}
    where its.pipeline_id = any($1::int[]) and not its.retried order by its.pipeline_id, its.stage_index, its.id`,
);

/** Those of some projects whose jobs the viewer reads. $1 ids, $2 the viewer (or null). */
export const projectsWithJobs = (viewer: Viewer) =>
  statement<{ id: number }>(
    `projects_with_jobs_for_${variantOf(viewer)}`,
    `select p.id from projects p join namespaces n on n.id = p.namespace_id
      where p.id = any($1::int[]) and ${liveProject} and ${toSql(all(seePlace, mayReadJobs), viewer, {
        visibility: 'p.visibility',
        accessLevel: projectAccessLevel('$2::int'),
        level: featureLevel,
        publicJobs,
      })}`,
  );

export const jobOrders = {
  id: { column: 'j.id', type: 'int' },
  pipeline_id: { column: 'j.pipeline_id', type: 'int' },
} as const;

/** Filters of a list of jobs. Omitted or null filters match everything. */
export interface JobFilter {
  /** Any of these. */
  readonly statuses?: readonly string[] | null | undefined;
  /** Whether those are listed in whose place a later one counts. */
  readonly retried: boolean;
  readonly kind?: JobRecord['kind'] | undefined;
  readonly ref?: string | null | undefined;
  readonly stage?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly pipelineId?: number | null | undefined;
}

function filtered(query: ListQuery<JobRecord>, { retried, kind, ...filter }: JobFilter): ListQuery<JobRecord> {
  if (!retried) query.where('not j.retried');
  if (kind !== undefined) query.where(`j.kind = '${kind}'`);
  return query
    .given(filter.statuses, (statuses) => `j.status = any(${statuses}::text[])`)
    .given(filter.ref, (ref) => `j.ref = ${ref}::text`)
    .given(filter.stage, (stage) => `j.stage = ${stage}::text`)
    .given(filter.name, (name) => `j.name = ${name}::text`)
    .given(filter.pipelineId, (id) => `j.pipeline_id = ${id}::int`);
}

/** The jobs of a pipeline. */
export function jobsOf(pipeline: number | Parent, filter: JobFilter): ListQuery<JobRecord> {
  const query = new ListQuery<JobRecord>('ci_jobs j', 'j.id', jobReading);
  query.where(`j.pipeline_id = ${pipeline === parent ? parent : `${query.key(pipeline)}::int`}`);
  return filtered(query, filter);
}

/** The jobs of a project, those included in whose place a later one counts. */
export function jobsOfProject(
  project: number | Parent,
  { statuses, name }: Pick<JobFilter, 'statuses' | 'name'>,
): ListQuery<JobRecord> {
  const query = new ListQuery<JobRecord>('ci_jobs j', 'j.id', jobReading);
  query.where(`j.project_id = ${project === parent ? parent : `${query.key(project)}::int`}`).countApart();
  return filtered(query, { statuses, name, retried: true, kind: 'job' });
}

/** Which jobs of a runner. */
export interface RunnerJobFilter extends Pick<JobFilter, 'statuses'> {
  /** On this machine of it. */
  readonly systemId?: string | null | undefined;
}

/**
 * The jobs that a runner carries out, or did.
 * @param reader who sees those of the projects whose members they are, from Reporter on; null for all of them
 */
export function jobsOfRunner(
  runner: number | Parent,
  reader: number | null,
  { statuses, systemId }: RunnerJobFilter,
): ListQuery<JobRecord> {
  const query = new ListQuery<JobRecord>('ci_jobs j', 'j.id', jobReading);
  query.where(`j.runner_id = ${runner === parent ? parent : `${query.key(runner)}::int`}`);
  if (reader !== null) {
    const person = `${query.key(reader)}::int`;
    query.where(`exists (select from projects p where p.id = j.project_id and ${isProjectOf(person)(roles.reporter)})`);
  }
  query.given(
    systemId,
    (id) => `j.runner_manager_id in (select m.id from runner_managers m where m.system_id = ${id}::text)`,
  );
  return filtered(query, { statuses, retried: true, kind: 'job' });
}

/** The statuses and jobs of a commit. */
export function statusesOf(project: number, sha: string, filter: JobFilter): ListQuery<JobRecord> {
  const query = new ListQuery<JobRecord>('ci_jobs j', 'j.id', jobReading);
  query.where(`j.project_id = ${query.key(project)}::int and j.sha = ${query.key(sha)}::text`);
  return filtered(query, filter);
}

/** Notes that log and artifacts of a finished job are removed. $1 id. No row: they were already, or it hasn’t finished. */
export const eraseJob = statement<{ id: number }>(
  'erase_ci_job',
  `update ci_jobs set erased_at = now(), updated_at = now()
    where id = $1::int and kind = 'job' and erased_at is null and started_at is not null
      and status in ('success', 'failed', 'canceled', 'skipped') returning id`,
);

/** How many jobs of a pipeline have a status and may fail or not, of those that count. $1 pipeline. */
export const stateOfJobs = statement<{
  status: CiStatus;
  allowFailure: boolean;
  covered: number;
  coverage: number | null;
  startedAt: Date | null;
}>(
  'state_of_jobs',
  `select status, allow_failure as "allowFailure", count(coverage)::int as covered, sum(coverage) as coverage,
          min(started_at) as "startedAt"
     from ci_jobs where pipeline_id = $1::int and not retried group by status, allow_failure`,
);

/** When the jobs of a pipeline ran, of those that count. $1 pipeline. */
export const timesOfJobs = statement<{ startedAt: Date | null; finishedAt: Date | null }>(
  'times_of_jobs',
  `select started_at as "startedAt", finished_at as "finishedAt" from ci_jobs where pipeline_id = $1::int and not retried`,
);

/**
 * Cancels what is reported or waits in a pipeline, which this transaction has locked. $1 pipeline, $2 statuses, $3 whether only
 * jobs that may be interrupted.
 */
export const cancelJobs = statement<{ id: number; environment: string | null }>(
  'cancel_jobs',
  `update ci_jobs
      set status = 'canceled', finished_at = now(), updated_at = now(), token_digest = null, scheduled_at = null
    where pipeline_id = $1::int and status = any($2::text[]) and not retried and (interruptible or not $3::boolean)
   returning id, environment`,
);
