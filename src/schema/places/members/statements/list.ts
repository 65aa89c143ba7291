import { groupAccessLevel, liveGroup, stillMember } from '../../../../database/access/places.ts';
import type { ListsOfMany } from '../../../../database/list.ts';
import { listsOf, type Watcher } from './page.ts';
import { ofProject, ownColumns, type MemberRow, type Scope } from './row.ts';

/** Where members of a place come from: itself, the groups above it, the groups below it. */
export type Relation = 'DIRECT' | 'INHERITED' | 'DESCENDANTS';

/** Filters of a list of members. Null matches everyone. */
export interface MemberFilter {
  readonly relations: readonly Relation[];
  /** An `ilike` pattern for names and usernames. */
  readonly pattern: string | null;
  /** Ids of people. */
  readonly people: readonly number[] | null;
  readonly skippedPeople: readonly number[] | null;
  /** Highest roles. */
  readonly accessLevels: readonly number[] | null;
}

const seenGroup = ({ visible }: Watcher) =>
  visible({ visibility: 'n.visibility', accessLevel: groupAccessLevel('$2::int') });

/** The groups above a place `p` with an `ancestry`, the place itself among them if it is a group. */
const above = (place: string, is: string) =>
  `select a.id as group_id, null::int as project_id, a.depth
     from ${place}, unnest(place.ancestry) with ordinality as a(id, depth) join namespaces n on n.id = a.id
    where ${is}`;

/**
 * The sources of members of the place `parent.id`: the place itself, the groups above it that the viewer sees, the groups
 * below it that the viewer sees. Of two sources the one with the larger depth is nearer.
 * @param below whether the groups below count
 */
const sources: Record<Scope, (seen: string, below: boolean) => string> = {
  group: (seen, below) => {
    const own = `a.id = parent.id and 'DIRECT' = any($3::text[])`;
    const inherited = `a.id <> parent.id and 'INHERITED' = any($3::text[]) and ${seen}`;
    const around = above('namespaces place', `place.id = parent.id and (${own} or ${inherited})`);
    if (!below) return around;
    return `${around}
      union all
      select n.id, null, -cardinality(n.ancestry) from namespaces n
       where n.ancestry @> array[parent.id] and n.id <> parent.id and ${liveGroup} and ${seen}`;
  },
  project: (seen) =>
    `select null::int as group_id, parent.id as project_id, 1000::bigint as depth where 'DIRECT' = any($3::text[])
     union all
     ${above(
       'projects p join namespaces place on place.id = p.namespace_id',
       `p.id = parent.id and n.kind = 'GROUP' and 'INHERITED' = any($3::text[]) and ${seen}`,
     )}`,
};

/** The members of a source. */
const membersOfSource: Record<Scope, (source: string) => string> = {
  group: (source) =>
    `select ${ownColumns} from group_members m where m.group_id = ${source}.group_id and ${stillMember}`,
  project: (source) =>
    `select ${ownColumns} from group_members m where m.group_id = ${source}.group_id and ${stillMember}
     union all
     select ${ownColumns} from (${ofProject(`${source}.project_id`)}) m where ${stillMember}`,
};

/**
 * Filters of members: the person is `u`, the membership `m`. $4 a pattern, $5 only these people, $6 not these, $7 only
 * these roles, which are the highest ones: someone with a higher role from another source isn't listed.
 */
const wanted = (scope: Scope) => `u.deleting_since is null
  and ($4::text is null or u.username ilike $4 or u.name ilike $4)
  and ($5::int[] is null or m.user_id = any($5))
  and ($6::int[] is null or not m.user_id = any($6))
  and ($7::int[] is null or m.access_level = any($7) and not exists (
    select from source other cross join lateral (${membersOfSource[scope]('other')}) higher
     where higher.user_id = m.user_id and higher.access_level > m.access_level))`;

/** Each person of a place once, with their highest role and the nearest place that gives it. */
function membersOf(scope: Scope, sourcesOf: string, order: 'asc' | 'desc', bounds: string, limit: string): string {
  // Order before joining the people, so that the join stops at the end of the page. Limit each source to a page: the
  // first people of the result are among the first people of each source.
  return `with source as materialized (${sourcesOf})
          select distinct on (m.user_id) m.*, s.group_id, s.project_id
            from source s
            cross join lateral (
              select m.* from lateral (${membersOfSource[scope]('s')} order by user_id ${order}) m join users u on u.id = m.user_id
               where ${wanted(scope)} and ${bounds}
               order by m.user_id ${order} limit ${limit}
            ) m
           order by m.user_id ${order}, m.access_level desc, s.depth desc`;
}

/** The members of places, each list ordered by the ids of people. $1 the places, $2 the viewer, $3 to $7 the filter. */
export function memberLists(scope: Scope, watcher: Watcher, filter: MemberFilter): ListsOfMany<MemberRow> {
  const below = scope === 'group' && filter.relations.includes('DESCENDANTS');
  const { relations, pattern, people, skippedPeople, accessLevels } = filter;
  return listsOf({
    name: `${scope}_members_${below ? 'below_' : ''}${watcher.variant}`,
    by: 'm.user_id',
    values: [watcher.id, relations, pattern, people, skippedPeople, accessLevels],
    rows: (order, bounds, limit) => membersOf(scope, sources[scope](seenGroup(watcher), below), order, bounds, limit),
  });
}
