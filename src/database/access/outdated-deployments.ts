/**
 * SQL condition: the job `j` of the project `p` would bring something older to its environment than what is there, which its
 * project doesn't want (`ci_forward_deployment_enabled`). Jobs are compared, since a deployment begins with its job.
 */
export const isOutdated = `(j.environment is not null
  and coalesce((p.attributes->>'ciForwardDeploymentEnabled')::boolean, true)
  and exists (
    select from environments e cross join lateral (
      select d.sha, d.job_id, d.created_at from deployments d
       where d.environment_id = e.id and d.status = 'success' order by d.id desc limit 1
    ) there
     where e.project_id = j.project_id and e.name = j.environment and there.sha <> j.sha
       and case when there.job_id is null then there.created_at > j.created_at else there.job_id > j.id end)
  and not exists (
    select from ci_job_plans planned
     where planned.job_id = j.id and coalesce(planned.plan->'environment'->>'action', 'start') <> 'start'))`;

/** SQL condition: the project `p` lets people run an older deployment again (`ci_forward_deployment_rollback_allowed`). */
export const allowsRollback = `coalesce((p.attributes->>'ciForwardDeploymentRollbackAllowed')::boolean, true)`;
