import { ListQuery, parent, type Parent } from '../../../../database/list.ts';
import { pipelineReading, type PipelineRecord } from './reading.ts';

export const pipelineOrders = {
  id: { column: 'pl.id', type: 'int' },
  status: { column: 'pl.status', type: 'text' },
  ref: { column: 'pl.ref', type: 'text' },
  updated_at: { column: 'pl.updated_at', type: 'timestamptz' },
  user_id: { column: 'coalesce(pl.user_id, 0)', type: 'int' },
} as const;

/** Filters of a list of pipelines. Omitted or null filters match everything. */
export interface PipelineFilter {
  readonly status?: string | null | undefined;
  /** Any of these. */
  readonly statuses?: readonly string[] | null | undefined;
  readonly ref?: string | null | undefined;
  readonly sha?: string | null | undefined;
  /** Those for the heads of the versions of this merge request, but those of tags. */
  readonly mergeRequest?: number | undefined;
  /** Those that this schedule started. */
  readonly schedule?: number | undefined;
  readonly source?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly username?: string | null | undefined;
  /** Whether their configuration is wrong. */
  readonly yamlErrors?: boolean | null | undefined;
  readonly updatedAfter?: Date | null | undefined;
  readonly updatedBefore?: Date | null | undefined;
  readonly createdAfter?: Date | null | undefined;
  readonly createdBefore?: Date | null | undefined;
  /** Only the latest of each of these branches, or of these tags. */
  readonly latestOf?: { readonly tag: boolean; readonly names: readonly string[] } | null | undefined;
}

/** The pipelines of a project. */
export function pipelineList(project: number | Parent, filter: PipelineFilter): ListQuery<PipelineRecord> {
  const query = new ListQuery<PipelineRecord>('pipelines pl', 'pl.id', pipelineReading);
  const place = project === parent ? parent : `${query.key(project)}::int`;
  query.where(`pl.project_id = ${place}`);
  const { latestOf, yamlErrors } = filter;
  if (yamlErrors != null) query.where(`pl.yaml_errors is ${yamlErrors ? 'not ' : ''}null`);
  if (latestOf) {
    const names = query.value(latestOf.names);
    query.where(
      `pl.id = any(array(
         select (select one.id from pipelines one
                  where one.project_id = ${place} and one.ref = given.name and one.tag = ${latestOf.tag}
                  order by one.id desc limit 1)
           from unnest(${names}::text[]) given(name)))`,
    );
  }
  return query
    .given(filter.status, (status) => `pl.status = ${status}::text`)
    .given(filter.statuses, (statuses) => `pl.status = any(${statuses}::text[])`)
    .given(filter.ref, (ref) => `pl.ref = ${ref}::text`)
    .given(filter.sha, (sha) => `pl.sha = ${sha}::text`)
    .given(
      filter.mergeRequest,
      (id) =>
        `not pl.tag and pl.sha = any(array(select v.head_sha from merge_request_versions v where v.merge_request_id = ${id}::int))`,
    )
    .given(
      filter.schedule,
      (id) => `pl.id in (select r.pipeline_id from pipeline_schedule_runs r where r.schedule_id = ${id}::int)`,
    )
    .given(filter.source, (source) => `pl.source = ${source}::text`)
    .given(filter.name, (name) => `pl.name = ${name}::text`)
    .given(
      filter.username,
      (username) =>
        `coalesce(pl.user_id, 0) = (select n.owner_id from routes r join namespaces n on n.id = r.namespace_id where r.path = lower(${username}::text) and n.owner_id is not null)`,
    )
    .given(filter.updatedAfter, (moment) => `pl.updated_at > ${moment}::timestamptz`)
    .given(filter.updatedBefore, (moment) => `pl.updated_at < ${moment}::timestamptz`)
    .given(filter.createdAfter, (moment) => `pl.created_at > ${moment}::timestamptz`)
    .given(filter.createdBefore, (moment) => `pl.created_at < ${moment}::timestamptz`);
}
