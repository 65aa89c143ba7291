import type { CiStatus } from '../../../../values/ci/statuses.ts';
import type { PipelineSource } from '../../../../values/ci/pipeline-sources.ts';
import { statement } from '../../../../database/index.ts';
import { readByIds, type Reading } from '../../../../database/list.ts';

/** A pipeline as it is shown. */
export interface PipelineRecord {
  readonly id: number;
  readonly iid: number;
  readonly projectId: number;
  readonly projectPath: string;
  readonly ref: string;
  readonly tag: boolean;
  readonly sha: string;
  readonly beforeSha: string | null;
  readonly status: CiStatus;
  readonly source: PipelineSource;
  readonly name: string | null;
  readonly yamlErrors: string | null;
  readonly warnings: readonly string[];
  readonly userId: number | null;
  /** The merge request that it was made for. */
  readonly mergeRequestId: number | null;
  readonly coverage: number | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly duration: number | null;
  readonly queuedDuration: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const pipelineReading: Reading<PipelineRecord> = {
  columns: `its.id, its.iid, its.project_id as "projectId", place.full_path as "projectPath", its.ref, its.tag, its.sha,
    its.before_sha as "beforeSha", its.status, its.source, its.name, its.yaml_errors as "yamlErrors", its.warnings, its.user_id as "userId",
    its.merge_request_id as "mergeRequestId",
    its.coverage, its.started_at as "startedAt", its.finished_at as "finishedAt", its.duration,
    its.queued_duration as "queuedDuration", its.created_at as "createdAt", its.updated_at as "updatedAt"`,
  from: 'pipelines its join projects place on place.id = its.project_id',
  id: 'its.id',
};

/** Pipelines by id. $1 ids. */
export const readPipelinesById = readByIds('read_pipelines', pipelineReading);

/** A pipeline of a project by what names it; null leaves a name out. $1 project, $2 id, $3 number, $4 commit: its newest. */
export const findPipeline = statement<PipelineRecord>(
  'find_pipeline',
  `select ${pipelineReading.columns} from ${pipelineReading.from}
    where its.id = (
      select p.id from pipelines p
       where p.project_id = $1::int and ($2::int is null or p.id = $2::int) and ($3::int is null or p.iid = $3::int)
         and ($4::text is null or p.sha = $4::text)
       order by p.id desc limit 1)`,
);

/**
 * The newest pipeline of each commit, of whatever branch or tag. $1 projects, $2 commits: pairs at the same position. The
 * answer has the position, from 1.
 */
export const newestOfCommits = statement<PipelineRecord & { position: number }>(
  'newest_pipelines_of_commits',
  `select asked.position::int as position, ${pipelineReading.columns}
     from unnest($1::int[], $2::text[]) with ordinality asked(project_id, sha, position)
    cross join lateral (
      select p.id from pipelines p where p.project_id = asked.project_id and p.sha = asked.sha order by p.id desc limit 1
    ) newest
     join (${pipelineReading.from}) on its.id = newest.id`,
);

/**
 * The head pipelines of branches and tags: of each, the newest for the commit that it is at. $1 projects, $2 refs, $3
 * commits, $4 whether the ref is a tag, or null: either. All at the same position; the answer has the position, from 1.
 */
export const headsOf = statement<PipelineRecord & { position: number }>(
  'head_pipelines',
  `select asked.position::int as position, ${pipelineReading.columns}
     from unnest($1::int[], $2::text[], $3::text[], $4::boolean[]) with ordinality asked(project_id, ref, sha, tag, position)
    cross join lateral (
      select p.id from pipelines p
       where p.project_id = asked.project_id and p.sha = asked.sha and p.ref = asked.ref
         and (asked.tag is null or p.tag = asked.tag) order by p.id desc limit 1
    ) newest
     join (${pipelineReading.from}) on its.id = newest.id`,
);
