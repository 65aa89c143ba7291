import { statement } from '../../../../database/index.ts';

/** The merge requests that deployments brought to environments. */

/** A deployment, and what was on its environment before. $1 deployment. */
export const deployedRange = statement<{
  id: number;
  projectId: number;
  environmentId: number;
  name: string;
  tier: string;
  ref: string;
  sha: string;
  before: string | null;
}>(
  'deployed_range',
  `select d.id, d.project_id as "projectId", d.environment_id as "environmentId", e.name, e.tier, d.ref, d.sha,
          (select former.sha from deployments former
            where former.environment_id = d.environment_id and former.status = 'success' and former.id < d.id
            order by former.id desc limit 1) as before
     from deployments d join environments e on e.id = d.environment_id
    where d.id = $1::int and d.status = 'success'`,
);

const insertLinks = `insert into deployment_merge_requests (deployment_id, merge_request_id, environment_id)
   select $1::int, m.id, $2::int from merge_requests m`;

/**
 * Links the merge requests that some commits merged, unless an earlier deployment to the environment brought them. $1
 * deployment, $2 environment, $3 project, $4 commits.
 */
export const linkMerged = statement<object>(
  'link_merged_to_deployment',
  `${insertLinks}
    where m.project_id = $3::int and m.state = 'MERGED'
      and (m.merge_commit_sha = any($4::text[]) or m.squash_commit_sha = any($4::text[]) or m.head_sha = any($4::text[]))
   on conflict do nothing`,
);

/** The first deployment to an environment: links all that was merged into its branch. $1 deployment, $2 environment, $3 project, $4 branch. */
export const linkAllMerged = statement<object>(
  'link_all_merged_to_deployment',
  `${insertLinks}
    where m.project_id = $3::int and m.state = 'MERGED' and m.target_branch = $4::text
   on conflict do nothing`,
);
