/**
 * SQL condition: the pipeline `latest` of the project `place` is the newest successful one of a branch or tag that is there,
 * and its project keeps the artifacts of such pipelines (`keep_latest_artifact`).
 */
export const isLatestPipeline = `(latest.status = 'success' and latest.merge_request_id is null
  and coalesce((place.attributes->>'keepLatestArtifact')::boolean, true)
  and exists (
    select from ci_refs known
     where known.project_id = latest.project_id and known.tag = latest.tag and known.ref = latest.ref
       and known.status <> 'deleted')
  and not exists (
    select from pipelines newer
     where newer.project_id = latest.project_id and newer.ref = latest.ref and newer.tag = latest.tag
       and newer.id > latest.id and newer.status = 'success' and newer.merge_request_id is null))`;

/** SQL condition: what a job left is kept although its time is over. @param job SQL for the id of the job */
export const isLatest = (job: string) =>
  `exists (
     select from ci_jobs its join pipelines latest on latest.id = its.pipeline_id
       join projects place on place.id = its.project_id
      where its.id = ${job} and ${isLatestPipeline})`;
