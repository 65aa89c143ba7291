import type { User } from '../../../../database/index.ts';
import { userReading } from '../../../../database/access/records.ts';
import type { Listed, OfParent } from '../../../../database/list.ts';

/** Members of groups and of projects: two tables with the same columns and statements. */
export type Scope = 'group' | 'project';

/** A membership and its person, as the statements of lists read them. The person's columns have the model's names. */
export interface MemberRow extends User, Listed, OfParent {
  readonly member_id: number;
  readonly access_level: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  /** The person who added the member; null if unknown, or once that person is removed. */
  readonly created_by_id: number | null;
  /** The first day (UTC) on which the membership is no longer valid, as YYYY-MM-DD. */
  readonly expires_at: string | null;
  /** The group or project of the membership: one of the two is set. */
  readonly group_id: number | null;
  readonly project_id: number | null;
  /** Whether it counts by a share with the group. */
  readonly shared: boolean;
}

/** SQL: the columns that the two tables share. */
export const ownColumns = 'm.id, m.user_id, m.access_level, m.expires_at, m.created_at, m.updated_at, m.created_by_id';

/** SQL: the columns of a row, from the membership `m` with `group_id` and `project_id`, and the person. */
export const rowColumns = `${userReading.columns}, m.id as member_id, m.access_level, m.created_at, m.updated_at,
  m.created_by_id, m.expires_at::text as expires_at, m.group_id, m.project_id, m.shared`;

/**
 * SQL for the memberships that owners of personal namespaces have in the projects there, without stored rows: as rows of
 * project_members. They are numbered downwards from the largest id, by project.
 * @param of which ones: a condition on the project `p` or its namespace `o`
 */
const ofOwners = (of: string) =>
  `select 2147483647 - p.id, o.owner_id, 50::smallint, null::date, p.created_at, p.created_at, null::int, p.id
     from projects p join namespaces o on o.id = p.namespace_id
    where ${of} and o.owner_id is not null`;

/** SQL for the members of a project. */
export const ofProject = (project: string): string =>
  `select ${ownColumns}, m.project_id from project_members m where m.project_id = ${project}
   union all
   ${ofOwners(`p.id = ${project}`)}`;

/** SQL for a person's memberships of projects. */
export const inProjects = (person: string): string =>
  `select ${ownColumns}, m.project_id from project_members m where m.user_id = ${person}
   union all
   ${ofOwners(`o.owner_id = ${person}`)}`;
