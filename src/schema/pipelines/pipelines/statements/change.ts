import type { CiStatus } from '../../../../values/ci/statuses.ts';
import { isLatestPipeline } from '../../../../database/access/kept-artifacts.ts';
import { statement, type Statement } from '../../../../database/index.ts';

/** A pipeline that this transaction has locked. */
export interface LockedPipeline {
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

const columns = `p.id, p.project_id as "projectId", p.ref, p.tag, p.sha, p.status, p.started_at as "startedAt",
  p.finished_at as "finishedAt", p.created_at as "createdAt"`;

/** Locks a pipeline until the transaction ends. $1 project, $2 id. */
export const lockPipeline = statement<LockedPipeline>(
  'lock_pipeline',
  `select ${columns} from pipelines p where p.project_id = $1::int and p.id = $2::int for update`,
);

/** Locks the newest pipeline of a commit. $1 project, $2 commit, $3 ref or null, $4 id or null. */
export const lockPipelineOf = statement<LockedPipeline>(
  'lock_pipeline_of_commit',
  `select ${columns} from pipelines p
    where p.project_id = $1::int and p.sha = $2::text and ($3::text is null or p.ref = $3::text)
      and ($4::int is null or p.id = $4::int)
    order by p.id desc limit 1 for update`,
);

/** The ref of the newest pipeline of a commit. $1 project, $2 commit, $3 id or null. */
export const refOfNewest = statement<{ ref: string }>(
  'ref_of_newest_pipeline',
  `select p.ref from pipelines p where p.project_id = $1::int and p.sha = $2::text
      and ($3::int is null or p.id = $3::int)
    order by p.id desc limit 1`,
);

/** Locks the numbers of a project’s pipelines until the transaction ends: no one else makes one. $1 project. */
export const lockNumbers = statement<object>(
  'lock_pipeline_numbers',
  `insert into project_counters as c (project_id, kind, last) values ($1::int, 'PIPELINE', 0)
   on conflict (project_id, kind) do update set last = c.last`,
);

/** Makes a pipeline. $1 project, $2 ref, $3 whether that is a tag, $4 commit, $5 source, $6 person. */
export const insertPipeline = statement<LockedPipeline>(
  'insert_pipeline',
  `with number as (
     insert into project_counters as c (project_id, kind, last) values ($1::int, 'PIPELINE', 1)
     on conflict (project_id, kind) do update set last = c.last + 1 returning c.last
   )
   insert into pipelines as p (project_id, iid, ref, tag, sha, source, user_id)
   select $1::int, number.last, $2, $3::boolean, $4, $5, $6::int from number
   returning ${columns}`,
);

/**
 * Writes what follows from the jobs of a pipeline. $1 id, $2 status, $3 start, $4 end, $5 duration, $6 coverage. The time
 * in the queue ends with the start.
 */
export const settlePipelineRow: Statement<object> = {
  changesPipeline: true,
  ...statement<object>(
    'settle_pipeline',
    `update pipelines set status = $2, started_at = $3::timestamptz, finished_at = $4::timestamptz,
          duration = $5::int, coverage = $6::float8, updated_at = now(),
          queued_duration = case when $3::timestamptz is not null
            then greatest(0, floor(extract(epoch from $3::timestamptz - created_at)))::int end
    where id = $1::int`,
  ),
};

/**
 * Remembers how the last pipeline of a branch or tag ended, and returns how the one before it did. An older pipeline than
 * the last one changes nothing, and has no row. $1 project, $2 whether it is a tag, $3 ref, $4 status, $5 pipeline.
 */
export const rememberEnd = statement<{ before: string | null }>(
  'remember_end_of_pipeline',
  `with former as (
     select status from ci_refs where project_id = $1::int and tag = $2::boolean and ref = $3::text for update
   )
   insert into ci_refs as r (project_id, tag, ref, status, pipeline_id)
   select $1::int, $2::boolean, $3::text, $4::text, $5::int from (select 1) one left join former on true
   on conflict (project_id, tag, ref) do update set status = excluded.status, pipeline_id = excluded.pipeline_id
     where r.pipeline_id <= excluded.pipeline_id
   returning (select status from former) as before`,
);

/**
 * Remembers that a branch or tag with pipelines was deleted: how those that exist end isn’t remembered any more. $1 project,
 * $2 whether it is a tag, $3 ref.
 */
export const rememberDeleted = statement<object>(
  'remember_deleted_ref_of_pipelines',
  `insert into ci_refs (project_id, tag, ref, status, pipeline_id)
   select $1::int, $2::boolean, $3::text, 'deleted', (select max(id) + 1 from pipelines)
    where exists (select from pipelines p where p.project_id = $1::int and p.ref = $3::text and p.tag = $2::boolean)
   on conflict (project_id, tag, ref) do update set status = excluded.status, pipeline_id = excluded.pipeline_id`,
);

/** Names a pipeline. $1 project, $2 id, $3 name. */
export const renamePipeline = statement<{ id: number }>(
  'rename_pipeline',
  `update pipelines set name = $3, updated_at = now() where project_id = $1::int and id = $2::int returning id`,
);

/**
 * Finished pipelines that are older than their project keeps them. $1 statuses, $2 the last one that was seen, $3 how many.
 */
export const findOld = statement<{ id: number; projectId: number }>(
  'find_old_pipelines',
  `select latest.id, latest.project_id as "projectId"
     from projects place join pipelines latest on latest.project_id = place.id
    where (place.attributes->>'ciDeletePipelinesInSeconds')::int > 0 and place.deleting_since is null
      and latest.created_at < now() - (place.attributes->>'ciDeletePipelinesInSeconds')::int * interval '1 second'
      and latest.status = any($1::text[]) and latest.id > $2::int and not ${isLatestPipeline}
    order by latest.id limit $3::int`,
);

/** Deletes a pipeline with its jobs, unless it was changed later than a moment. $1 project, $2 id, $3 the moment or null. */
export const deletePipeline = statement<{ id: number }>(
  'delete_pipeline',
  `delete from pipelines where project_id = $1::int and id = $2::int
      and ($3::timestamptz is null or date_trunc('second', updated_at) <= $3::timestamptz) returning id`,
);
