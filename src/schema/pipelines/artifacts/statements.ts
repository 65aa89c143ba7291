import { isLatest } from '../../../database/access/kept-artifacts.ts';
import { statement } from '../../../database/index.ts';

/** A file that a job left. Sizes are numbers: none reaches what a float can’t count. */
export interface ArtifactRow {
  readonly id: number;
  readonly jobId: number;
  /** `archive`, `metadata`, `junit` … */
  readonly kind: string;
  readonly format: 'zip' | 'gzip' | 'raw';
  readonly filename: string;
  readonly size: number;
  readonly sha256: Buffer;
  readonly location: string;
  readonly isPublic: boolean;
  readonly expiresAt: Date | null;
}

const columns = `a.id, a.job_id as "jobId", a.kind, a.format, a.filename, a.size::float8 as size, a.sha256, a.location,
  a.public as "isPublic", a.expires_at as "expiresAt"`;

/** What is whole, belongs to a job and hasn’t expired, or is kept nevertheless. */
const there = `a.complete and (a.expires_at is null or a.expires_at > now() or ${isLatest('a.job_id')})`;

/** A running job by its token, with what its configuration says of artifacts. $1 job, $2 digest of the token. */
export const runningJobOf = statement<{
  jobId: number;
  projectId: number;
  pipelineId: number;
  isPublic: boolean;
  expireIn: string | null;
  /** How large a file may be by the project, or else by the nearest group that says so; null: as the instance allows. */
  mostMegabytes: number | null;
}>(
  'running_job_of_token',
  `select j.id as "jobId", j.project_id as "projectId", j.pipeline_id as "pipelineId",
          coalesce((p.plan -> 'artifacts' ->> 'public')::boolean, true) as "isPublic",
          p.plan -> 'artifacts' ->> 'expireIn' as "expireIn",
          coalesce((place.attributes->>'maxArtifactsSize')::int, (
            select (above.attributes->>'maxArtifactsSize')::int from namespaces above
             where above.id = any(n.ancestry) and above.attributes->>'maxArtifactsSize' is not null
             order by cardinality(above.ancestry) desc limit 1)) as "mostMegabytes"
     from ci_jobs j join projects place on place.id = j.project_id join namespaces n on n.id = place.namespace_id
     left join ci_job_plans p on p.job_id = j.id
    where j.id = $1::int and j.token_digest = $2::bytea and j.status = 'running'`,
);

/**
 * A running job by its token, which fetches the artifacts of a job that it needs: one of its own pipeline, at the latest in
 * the stage before its own. $1 the job with the artifacts, $2 digest of the token.
 */
export const needyJobOf = statement<{ jobId: number }>(
  'needy_job_of_token',
  `select j.id as "jobId" from ci_jobs j join ci_jobs source on source.pipeline_id = j.pipeline_id
    where source.id = $1::int and j.token_digest = $2::bytea and j.status = 'running'
      and (source.id = j.id or (case when j.has_needs then source.name = any(j.needs) or source.stage_index < j.stage_index
                                     else source.stage_index < j.stage_index end))`,
);

/** Notes a file before it is made. $1 job, $2 kind, $3 format, $4 filename, $5 location. */
export const beginArtifact = statement<{ id: number }>(
  'begin_artifact',
  `insert into ci_artifacts (job_id, kind, format, filename, location)
   select j.id, $2, $3, $4, $5 from ci_jobs j where j.id = $1::int and j.status = 'running' returning id`,
);

/**
 * Notes that a file is whole, unless its job has one of that kind, or isn’t running any more.
 * $1 file, $2 bytes, $3 SHA-256, $4 whether it is public, $5 seconds until it expires, or null.
 */
export const completeArtifact = statement<{ id: number }>(
  'complete_artifact',
  `update ci_artifacts a
      set complete = true, size = $2::float8::bigint, sha256 = $3::bytea, public = $4::boolean,
          expires_at = now() + $5::float8 * interval '1 second'
     from ci_jobs j
    where a.id = $1::int and j.id = a.job_id and j.status = 'running'
      and not exists (select from ci_artifacts other where other.job_id = a.job_id and other.kind = a.kind and other.complete)
   returning a.id`,
);

/** Gives files up: they are removed soon. $1 files. */
export const abandonArtifacts = statement<object>(
  'abandon_artifacts',
  `update ci_artifacts set job_id = null where id = any($1::int[])`,
);

/** Gives up the artifacts of jobs, with what was read from them. $1 jobs. */
export const abandonArtifactsOfJobs = statement<{ id: number }>(
  'abandon_artifacts_of_jobs',
  `with tests as (delete from ci_test_reports where job_id = any($1::int[])),
        variables as (delete from ci_reported_variables where job_id = any($1::int[]))
   update ci_artifacts set job_id = null where job_id = any($1::int[]) returning id`,
);

/** The same for all jobs of a project, but for the latest ones if the project keeps them. $1 project. */
export const abandonArtifactsOfProject = statement<{ id: number }>(
  'abandon_artifacts_of_project',
  `update ci_artifacts a set job_id = null from ci_jobs j
    where j.id = a.job_id and j.project_id = $1::int and a.complete and not ${isLatest('j.id')} returning a.id`,
);

/** Keeps the artifacts of a job for good. $1 job. */
export const keepArtifactsOf = statement<{ id: number }>(
  'keep_artifacts',
  `update ci_artifacts a set expires_at = null where a.job_id = $1::int and ${there} returning a.id`,
);

/** The files of jobs. $1 jobs. */
export const artifactsOfJobs = statement<ArtifactRow>(
  'artifacts_of_jobs',
  `select ${columns} from ci_artifacts a where a.job_id = any($1::int[]) and ${there} order by a.job_id, a.id`,
);

/** The file of a kind that is there already. $1 file that was received. */
export const sameKind = statement<{ sha256: Buffer }>(
  'artifact_of_same_kind',
  `select other.sha256 from ci_artifacts a join ci_artifacts other
       on other.job_id = a.job_id and other.kind = a.kind and other.complete
    where a.id = $1::int`,
);

/** The job of a name in the newest successful pipeline of a branch or tag that has it, with an archive. $1 project, $2 ref, $3 name. */
export const latestJobWithArchive = statement<{ id: number }>(
  'latest_job_with_archive',
  `select j.id from pipelines p join ci_jobs j on j.pipeline_id = p.id
    where p.project_id = $1::int and p.ref = $2::text and p.status = 'success' and j.name = $3::text and not j.retried
      and j.status = 'success'
      and exists (select from ci_artifacts a where a.job_id = j.id and a.kind = 'archive' and ${there})
    order by p.id desc limit 1`,
);

/** Keeps the tests that a job reported. $1 job, $2 why they can’t be read or null, $3 the cases. */
export const keepTestReport = statement<object>(
  'keep_test_report',
  `insert into ci_test_reports (job_id, problem, cases) values ($1::int, $2, $3::jsonb)
   on conflict (job_id) do update set problem = excluded.problem, cases = excluded.cases`,
);

/** Keeps variables that a job reported. $1 job, $2 keys, $3 sealed values. */
export const keepReportedVariables = statement<object>(
  'keep_reported_variables',
  `insert into ci_reported_variables (job_id, key, sealed)
   select $1::int, given.key, given.sealed from unnest($2::text[], $3::bytea[]) given(key, sealed)
   on conflict (job_id, key) do update set sealed = excluded.sealed`,
);

/** Variables that jobs reported, in the order of the jobs. $1 jobs. */
export const reportedVariables = statement<{ jobId: number; key: string; sealed: Buffer }>(
  'reported_variables',
  `select v.job_id as "jobId", v.key, v.sealed from ci_reported_variables v where v.job_id = any($1::int[])
    order by v.job_id, v.key`,
);

/** The tests of a pipeline, job by job: those that count. $1 pipelines. */
export const testReportsOf = statement<{
  pipelineId: number;
  jobId: number;
  name: string;
  problem: string | null;
  cases: unknown;
}>(
  'test_reports_of_pipelines',
  `select j.pipeline_id as "pipelineId", j.id as "jobId", j.name, r.problem, r.cases
     from ci_jobs j join ci_test_reports r on r.job_id = j.id
    where j.pipeline_id = any($1::int[]) and not j.retried order by j.stage_index, j.id`,
);
