import type { DeploymentStatus } from '../../../../values/ci/environments.ts';
import { allowsRollback, isOutdated } from '../../../../database/access/outdated-deployments.ts';
import { statement } from '../../../../database/index.ts';
import { ListQuery, parent, readByIds, type Parent, type Reading } from '../../../../database/list.ts';

/** A deployment. */
export interface DeploymentRecord {
  readonly id: number;
  readonly iid: number;
  readonly projectId: number;
  readonly projectPath: string;
  readonly environmentId: number;
  readonly ref: string;
  readonly tag: boolean;
  readonly sha: string;
  readonly status: DeploymentStatus;
  readonly userId: number | null;
  /** The job that does it; null for one that a script reported. */
  readonly jobId: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly finishedAt: Date | null;
}

const deploymentReading: Reading<DeploymentRecord> = {
  columns: `its.id, its.iid, its.project_id as "projectId", place.full_path as "projectPath",
    its.environment_id as "environmentId", its.ref, its.tag, its.sha, its.status, its.user_id as "userId",
    its.job_id as "jobId", its.created_at as "createdAt", its.updated_at as "updatedAt", its.finished_at as "finishedAt"`,
  from: 'deployments its join projects place on place.id = its.project_id',
  id: 'its.id',
};

/** Deployments by id. $1 ids. */
export const readDeployments = readByIds('read_deployments', deploymentReading);

/** A deployment of a project, by its id or its number there. $1 project, $2 id or null, $3 number. */
export const findDeployment = statement<DeploymentRecord>(
  'find_deployment',
  `select ${deploymentReading.columns} from ${deploymentReading.from}
    where its.project_id = $1::int and case when $2::int is null then its.iid = $3::int else its.id = $2::int end`,
);

/** What is on some environments now: the newest successful deployment of each. $1 environments, $2 status. */
export const lastDeployments = statement<DeploymentRecord>(
  'last_deployments',
  `select ${deploymentReading.columns}
     from unnest($1::int[]) asked(id)
    cross join lateral (
      select d.id from deployments d where d.environment_id = asked.id and d.status = $2::text order by d.id desc limit 1
    ) newest
     join (${deploymentReading.from}) on its.id = newest.id`,
);

/** A row if a job would bring something older to its environment than what is there. $1 job. */
export const findOutdated = statement<{ allowsRollback: boolean }>(
  'find_outdated_deployment',
  `select ${allowsRollback} as "allowsRollback" from ci_jobs j join projects p on p.id = j.project_id
    where j.id = $1::int and ${isOutdated}`,
);

/** Deployments that never ended come last. The index names the same expression. */
const finished = `coalesce(d.finished_at, '9999-12-31Z'::timestamptz)`;

export const deploymentOrders = {
  id: { column: 'd.id', type: 'int' },
  iid: { column: 'd.iid', type: 'int' },
  created_at: { column: 'd.created_at', type: 'timestamptz' },
  updated_at: { column: 'd.updated_at', type: 'timestamptz' },
  finished_at: { column: finished, type: 'timestamptz' },
  ref: { column: 'd.ref', type: 'text' },
} as const;

/** Filters of a list of deployments. Omitted or null filters match everything. */
export interface DeploymentFilter {
  /** The name of the environment. */
  readonly environment?: string | null | undefined;
  /** Any of these. */
  readonly statuses?: readonly string[] | null | undefined;
  readonly updatedAfter?: Date | null | undefined;
  readonly updatedBefore?: Date | null | undefined;
  readonly finishedAfter?: Date | null | undefined;
  readonly finishedBefore?: Date | null | undefined;
}

function filtered(query: ListQuery<DeploymentRecord>, filter: DeploymentFilter): ListQuery<DeploymentRecord> {
  return query
    .given(filter.statuses, (statuses) => `d.status = any(${statuses}::text[])`)
    .given(filter.updatedAfter, (moment) => `d.updated_at >= ${moment}::timestamptz`)
    .given(filter.updatedBefore, (moment) => `d.updated_at <= ${moment}::timestamptz`)
    .given(filter.finishedAfter, (moment) => `d.finished_at >= ${moment}::timestamptz`)
    .given(filter.finishedBefore, (moment) => `d.finished_at <= ${moment}::timestamptz`);
}

/** The deployments of a project. */
export function deploymentsOf(project: number, filter: DeploymentFilter): ListQuery<DeploymentRecord> {
  const query = new ListQuery<DeploymentRecord>('deployments d', 'd.id', deploymentReading);
  const place = `${query.key(project)}::int`;
  query.where(`d.project_id = ${place}`);
  return filtered(query, filter).given(
    filter.environment,
    (name) =>
      `d.environment_id = (select e.id from environments e where e.project_id = ${place} and e.name = ${name}::text)`,
  );
}

/** The deployments to an environment. */
export function deploymentsTo(environment: number | Parent, filter: DeploymentFilter): ListQuery<DeploymentRecord> {
  const query = new ListQuery<DeploymentRecord>('deployments d', 'd.id', deploymentReading);
  query.where(`d.environment_id = ${environment === parent ? parent : `${query.key(environment)}::int`}`);
  return filtered(query, filter);
}
