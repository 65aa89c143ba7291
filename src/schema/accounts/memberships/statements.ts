import { statement } from '../../../database/index.ts';
import { ListQuery, type Reading } from '../../../database/list.ts';

/** The direct memberships of people in groups and projects, in one list. */

export interface MembershipRow {
  /** Of the list: two tables count their rows on their own. */
  readonly id: number;
  readonly sourceId: number;
  readonly sourceName: string;
  readonly sourceType: 'PROJECT' | 'NAMESPACE';
  readonly accessLevel: number;
}

const valid = `(m.expires_at is null or m.expires_at > (now() at time zone 'utc')::date)`;

const memberships = `(
  select m.id::bigint * 2 as id, m.user_id, n.id as source_id, n.name as source_name, 'NAMESPACE' as source_type, m.access_level
    from group_members m join namespaces n on n.id = m.group_id where ${valid} and n.deleting_since is null
  union all
  select m.id::bigint * 2 + 1, m.user_id, p.id, p.name, 'PROJECT', m.access_level
    from project_members m join projects p on p.id = m.project_id where ${valid} and p.deleting_since is null
) m`;

const reading: Reading<MembershipRow> = {
  columns: `m.id, m.source_id as "sourceId", m.source_name as "sourceName", m.source_type as "sourceType", m.access_level as "accessLevel"`,
  from: memberships,
  id: 'm.id',
};

/** The memberships of a person, by kind. */
export const membershipsOf = (userId: number, type: string | null | undefined): ListQuery<MembershipRow> => {
  const query = new ListQuery(memberships, 'm.id', reading);
  return query.where(`m.user_id = ${query.key(userId)}::int`).given(type, (kind) => `m.source_type = ${kind}::text`);
};

export interface AssociationsRow {
  readonly groups_count: number;
  readonly projects_count: number;
  readonly issues_count: number;
  readonly merge_requests_count: number;
}

/** How many groups and projects a person is a direct member of, and what they wrote. $1 their id. */
export const countAssociations = statement<AssociationsRow>(
  'count_associations',
  `select count(*) filter (where m.source_type = 'NAMESPACE')::int as groups_count,
          count(*) filter (where m.source_type = 'PROJECT')::int as projects_count,
          (select count(*)::int from issues i where i.author_id = $1::int) as issues_count,
          (select count(*)::int from merge_requests i where i.author_id = $1::int) as merge_requests_count
     from ${memberships} where m.user_id = $1::int`,
);
