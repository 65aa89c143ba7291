import {
  groupStatement,
  isProjectOf,
  liveProject,
  projectStatement,
  groupsOf,
  type PlaceRow,
} from '../../../../database/access/places.ts';
import { ListQuery, parent, readByIds, type Parent, type Reading } from '../../../../database/list.ts';
import { statement } from '../../../../database/index.ts';
import type { RunnerStatus, RunnerType } from '../../../../values/ci/runners.ts';
import { roles } from '../../../../policy/index.ts';

/** A project or a group, as those who give it runners need it. */
export interface RunnerPlaceRow extends PlaceRow {
  readonly full_path: string;
  readonly archived: boolean;
}

export const findProject = projectStatement<RunnerPlaceRow>('find_project_of_runners', ', p.full_path, p.archived');
export const findGroup = groupStatement<RunnerPlaceRow>('find_group_of_runners', ', n.full_path, false as archived');

/** A runner, with what its latest machine says of itself. */
export interface RunnerRow {
  readonly id: number;
  readonly kind: RunnerType;
  readonly groupId: number | null;
  readonly creatorId: number | null;
  readonly description: string;
  readonly maintenanceNote: string | null;
  readonly paused: boolean;
  readonly locked: boolean;
  readonly runUntagged: boolean;
  readonly isProtected: boolean;
  readonly maximumTimeout: number | null;
  readonly tags: readonly string[];
  readonly contactedAt: Date | null;
  readonly createdAt: Date;
  readonly systemId: string | null;
  readonly version: string | null;
  readonly revision: string | null;
  readonly platform: string | null;
  readonly architecture: string | null;
  readonly executor: string | null;
  readonly ipAddress: string | null;
}

const reading: Reading<RunnerRow> = {
  columns: `its.id, its.kind, its.group_id as "groupId", its.creator_id as "creatorId", its.description,
    its.maintenance_note as "maintenanceNote", its.paused, its.locked, its.run_untagged as "runUntagged",
    its.protected as "isProtected", its.maximum_timeout as "maximumTimeout", its.tags, its.contacted_at as "contactedAt",
    its.created_at as "createdAt", latest.system_id as "systemId", latest.version, latest.revision, latest.platform,
    latest.architecture, latest.executor, latest.ip_address as "ipAddress"`,
  from: `runners its left join lateral (
    select m.* from runner_managers m where m.runner_id = its.id order by m.contacted_at desc nulls last, m.id desc limit 1
  ) latest on true`,
  id: 'its.id',
};

export const readRunners = readByIds('read_runners', reading);

export const runnerOrders = {
  id: { column: 'r.id', type: 'int' },
  created: { column: 'r.created_at', type: 'timestamptz' },
} as const;

/** Filters of a list of runners. Omitted or null filters match everything. */
export interface RunnerFilter {
  readonly type?: RunnerType | null | undefined;
  readonly paused?: boolean | null | undefined;
  readonly status?: RunnerStatus | null | undefined;
  /** Runners that have all of these. */
  readonly tags?: readonly string[] | null | undefined;
}

const hasStatus: Readonly<Record<RunnerStatus, string>> = {
  online: `r.contacted_at > now() - interval '2 hours'`,
  offline: `r.contacted_at <= now() - interval '2 hours' and r.contacted_at >= now() - interval '7 days'`,
  stale: `coalesce(r.contacted_at, r.created_at) < now() - interval '7 days'`,
  never_contacted: `r.contacted_at is null and r.created_at >= now() - interval '7 days'`,
};

function filtered(query: ListQuery<RunnerRow>, { type, paused, status, tags }: RunnerFilter): ListQuery<RunnerRow> {
  if (status != null) query.where(hasStatus[status]);
  return query
    .given(type, (given) => `r.kind = ${given}::text`)
    .given(paused, (given) => `r.paused = ${given}::boolean`)
    .given(tags, (given) => `r.tags @> ${given}::text[]`);
}

const list = () => new ListQuery<RunnerRow>('runners r', 'r.id', reading);

/** All runners. */
export const allRunners = (filter: RunnerFilter): ListQuery<RunnerRow> => filtered(list(), filter);

/** SQL for whether a person administers the runner `r`: as a maintainer of one of its projects, or an owner of its group. */
const isAdministeredBy = (person: string) => `case r.kind
  when 'project_type' then exists (select from runner_projects rp join projects p on p.id = rp.project_id
    where rp.runner_id = r.id and ${isProjectOf(person)(roles.maintainer)})
  when 'group_type' then exists (select from namespaces n where n.id = r.group_id
    and n.ancestry && ${groupsOf(person, roles.owner)})
  else false end`;

/** The runners that a person administers. */
export function runnersOfPerson(personId: number, filter: RunnerFilter): ListQuery<RunnerRow> {
  const query = list();
  return filtered(query.where(isAdministeredBy(`${query.key(personId)}::int`)), filter);
}

/** The runners that carry out jobs of a project: its own, those of its groups, and those of the instance. */
export function runnersOfProject(project: number | Parent, filter: RunnerFilter): ListQuery<RunnerRow> {
  const query = list();
  const id = project === parent ? parent : `${query.key(project)}::int`;
  query.where(`(r.kind = 'instance_type'
    or exists (select from runner_projects rp where rp.runner_id = r.id and rp.project_id = ${id})
    or r.group_id = any(array(select unnest(n.ancestry) from projects p join namespaces n on n.id = p.namespace_id where p.id = ${id})))`);
  return filtered(query, filter);
}

/** The runners of a group and of the groups above. */
export function runnersOfGroup(group: number | Parent, filter: RunnerFilter): ListQuery<RunnerRow> {
  const query = list();
  const id = group === parent ? parent : `${query.key(group)}::int`;
  query.where(`r.group_id = any(array(select unnest(n.ancestry) from namespaces n where n.id = ${id}))`);
  return filtered(query, filter);
}

/** Those of some runners that a person administers. $1 runners, $2 person. */
export const administeredRunners = statement<{ id: number }>(
  'administered_runners',
  `select r.id from runners r where r.id = any($1::int[]) and ${isAdministeredBy('$2::int')}`,
);

/** The projects of runners, the first of each is its owner. $1 runners. */
export const projectsOfRunners = statement<{ runnerId: number; projectId: number }>(
  'projects_of_runners',
  `select rp.runner_id as "runnerId", rp.project_id as "projectId" from runner_projects rp
     join projects p on p.id = rp.project_id join namespaces n on n.id = p.namespace_id
    where rp.runner_id = any($1::int[]) and ${liveProject} order by rp.runner_id, rp.id`,
);

export interface ManagerRow {
  readonly id: number;
  readonly runnerId: number;
  readonly systemId: string;
  readonly version: string | null;
  readonly revision: string | null;
  readonly platform: string | null;
  readonly architecture: string | null;
  readonly executor: string | null;
  readonly ipAddress: string | null;
  readonly contactedAt: Date | null;
  readonly createdAt: Date;
}

const managers = `select m.id, m.runner_id as "runnerId", m.system_id as "systemId", m.version, m.revision, m.platform,
          m.architecture, m.executor, m.ip_address as "ipAddress", m.contacted_at as "contactedAt",
          m.created_at as "createdAt"
     from runner_managers m`;

/** Machines by id. $1 ids. */
export const readManagers = statement<ManagerRow>('read_runner_managers', `${managers} where m.id = any($1::int[])`);

/** The machines of runners, the latest first. $1 runners. */
export const managersOfRunners = statement<ManagerRow>(
  'managers_of_runners',
  `${managers} where m.runner_id = any($1::int[]) order by m.contacted_at desc nulls last, m.id desc limit 1000`,
);
