import { groupStatement, projectStatement, type PlaceRow } from '../../../../database/access/places.ts';
import { ListQuery, parent, type Parent, type Reading } from '../../../../database/list.ts';
import { batchedStatement } from '../../../../database/index.ts';
import type { VariableScope, VariableType } from '../../../../values/ci/variables.ts';

/** A project or a group, as those who set its variables need it. */
export interface VariablePlaceRow extends PlaceRow {
  readonly full_path: string;
  readonly archived: boolean;
}

export const findProject = projectStatement<VariablePlaceRow>('find_project_of_variables', ', p.full_path, p.archived');
export const findGroup = groupStatement<VariablePlaceRow>(
  'find_group_of_variables',
  ', n.full_path, false as archived',
);

/** A variable. */
export interface VariableRow {
  readonly id: number;
  readonly projectId: number | null;
  readonly groupId: number | null;
  readonly key: string;
  readonly sealed: Buffer;
  readonly variableType: VariableType;
  readonly protected: boolean;
  readonly masked: boolean;
  readonly hidden: boolean;
  readonly raw: boolean;
  readonly environmentScope: string;
  readonly description: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const columnsOf = (table: string) => `${table}.id, ${table}.project_id as "projectId",
  ${table}.group_id as "groupId", ${table}.key, ${table}.sealed, ${table}.variable_type as "variableType",
  ${table}.protected, ${table}.masked, ${table}.hidden, ${table}.raw,
  ${table}.environment_scope as "environmentScope", ${table}.description, ${table}.created_at as "createdAt",
  ${table}.updated_at as "updatedAt"`;

const reading: Reading<VariableRow> = { columns: columnsOf('its'), from: 'ci_variables its', id: 'its.id' };

export const variableOrders = { key: { column: 'v.key', type: 'text' }, id: { column: 'v.id', type: 'int' } } as const;

/** SQL for the variables of a place. @param id SQL */
export const ofPlace = (table: string, id: string): Readonly<Record<VariableScope, string>> => ({
  project: `${table}.project_id = ${id}`,
  group: `${table}.group_id = ${id}`,
  // The value has to be used: PostgreSQL wants to know its type.
  instance: `${table}.project_id is null and ${table}.group_id is null and ${id} is not null`,
});

/** The variables of a place. @param id of the instance: 0 */
export function variableList(scope: VariableScope, id: number | Parent): ListQuery<VariableRow> {
  const query = new ListQuery<VariableRow>('ci_variables v', 'v.id', reading);
  return query.where(ofPlace('v', id === parent ? parent : `${query.key(id)}::int`)[scope]);
}

/** A variable as a job gets it. */
export interface JobVariableRow extends VariableRow {
  /** 0 for those of the instance, then those of groups from the root on; those of the project are last. */
  readonly level: number;
}

/**
 * What is set for the jobs of a project: in the project, the groups above it, and the instance. $1 project, $2 whether
 * protected ones are included, $3 whether those for some environments are.
 */
export const findJobVariables = batchedStatement<JobVariableRow>(
  'find_job_variables',
  `select ${columnsOf('v')},
          case when v.project_id is not null then 2147483647 else coalesce(array_position(n.ancestry, v.group_id), 0) end as level
     from projects p
     join namespaces n on n.id = p.namespace_id
    cross join lateral (
      select * from ci_variables one where one.project_id = p.id
      union all select * from ci_variables one where one.group_id = any(n.ancestry)
      union all select * from ci_variables one where one.project_id is null and one.group_id is null
    ) v
    where p.id = $1::int and (not v.protected or $2::boolean) and (v.environment_scope = '*' or $3::boolean)
    order by level, v.key, v.id`,
);
