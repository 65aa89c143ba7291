import type { AutoStopSetting, DeploymentTier, EnvironmentState } from '../../../../values/ci/environments.ts';
import { levelColumns, projectStatement, publicJobs, type PlaceRow } from '../../../../database/access/places.ts';
import { statement } from '../../../../database/index.ts';
import { ListQuery, readByIds, type Reading } from '../../../../database/list.ts';

/** An environment of a project. */
export interface EnvironmentRecord {
  readonly id: number;
  readonly projectId: number;
  readonly projectPath: string;
  readonly name: string;
  readonly slug: string;
  readonly externalUrl: string | null;
  readonly tier: DeploymentTier;
  readonly state: EnvironmentState;
  readonly description: string | null;
  readonly autoStopAt: Date | null;
  readonly autoStopSetting: AutoStopSetting;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const environmentReading: Reading<EnvironmentRecord> = {
  columns: `its.id, its.project_id as "projectId", place.full_path as "projectPath", its.name, its.slug,
    its.external_url as "externalUrl", its.tier, its.state, its.description, its.auto_stop_at as "autoStopAt",
    its.auto_stop_setting as "autoStopSetting", its.created_at as "createdAt", its.updated_at as "updatedAt"`,
  from: 'environments its join projects place on place.id = its.project_id',
  id: 'its.id',
};

/** Environments by id. $1 ids. */
export const readEnvironmentsById = readByIds('read_environments', environmentReading);

/** An environment of a project by its name. $1 project, $2 name. */
export const environmentNamed = statement<EnvironmentRecord>(
  'find_environment_by_name',
  `select ${environmentReading.columns} from ${environmentReading.from}
    where its.project_id = $1::int and its.name = $2::text`,
);

/** A project, as those who ask for its environments need it. */
export interface EnvironmentsRow extends PlaceRow {
  archived: boolean;
}

export const findEnvironments = projectStatement<EnvironmentsRow>(
  'find_environments',
  `, p.archived ${levelColumns('environments', 'builds')}, ${publicJobs} as public_jobs`,
);

export const environmentOrders = {
  name: { column: 'e.name', type: 'text' },
} as const;

/** Filters of a list of environments. Omitted or null filters match everything. */
export interface EnvironmentFilter {
  readonly name?: string | null | undefined;
  /** A part of the name. */
  readonly search?: string | null | undefined;
  /** Any of these. */
  readonly states?: readonly string[] | null | undefined;
  /** The folder: what stands before the first slash of the name. */
  readonly type?: string | null | undefined;
}

/** The environments of a project. */
export function environmentList(project: number, filter: EnvironmentFilter): ListQuery<EnvironmentRecord> {
  const query = new ListQuery<EnvironmentRecord>('environments e', 'e.id', environmentReading);
  return query
    .where(`e.project_id = ${query.key(project)}::int`)
    .given(filter.name, (name) => `e.name = ${name}::text`)
    .given(filter.states, (states) => `e.state = any(${states}::text[])`)
    .given(filter.type, (type) => `e.name like '%/%' and split_part(e.name, '/', 1) = ${type}::text`)
    .search(filter.search, ['e.name']);
}
