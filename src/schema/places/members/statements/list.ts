import type { ListsOfMany } from '../../../../database/list.ts';
import { listsOf, type Watcher } from './page.ts';
import type { MemberRow, Scope } from './row.ts';
import { membersOfSource, sourcesOf, type Relation } from './sources.ts';

/** Filters of a list of members. Null matches everyone. */
export interface MemberFilter {
  readonly relations: readonly Relation[];
  /** An `ilike` pattern for names and usernames. */
  readonly pattern: string | null;
  /** A complete address, in lower case, as an alternative to the pattern. */
  readonly address: string | null;
  /** Whether it matches addresses that only administrators see. */
  readonly everyAddress: boolean;
  /** Ids of people. */
  readonly people: readonly number[] | null;
  readonly skippedPeople: readonly number[] | null;
  /** Highest roles. */
  readonly accessLevels: readonly number[] | null;
}

/**
 * Filters of members: the person is `u`, the membership `m`. $2 the viewer, $4 a pattern, $5 only these people, $6 not these,
 * $7 only these roles, which are the highest ones: someone with a higher role from another source isn't listed. $8 an
 * address: only a complete one matches, so that a search doesn't reveal one letter by letter. $9 whether the viewer sees
 * those that aren't public.
 */
const wanted = (scope: Scope) => `u.deleting_since is null
  and ($4::text is null or u.username ilike $4 or u.name ilike $4 or u.public_email = $8::text
    or (($9::boolean or u.id = $2) and u.id = (select e.user_id from emails e where e.address = $8)))
  and ($5::int[] is null or m.user_id = any($5))
  and ($6::int[] is null or not m.user_id = any($6))
  and ($7::int[] is null or m.access_level = any($7) and not exists (
    select from source other cross join lateral (${membersOfSource[scope]('other')}) higher
     where higher.user_id = m.user_id and higher.access_level > m.access_level))`;

/** Each person of a place once, with their highest role and the nearest place that gives it. */
function membersOf(scope: Scope, sources: string, order: 'asc' | 'desc', bounds: string, limit: string): string {
  // Order before joining the people, so that the join stops at the end of the page. Limit each source to a page: the
  // first people of the result are among the first people of each source.
  return `with source as materialized (${sources})
          select distinct on (m.user_id) m.*, s.group_id, s.project_id, s.shared
            from source s
            cross join lateral (
              select m.* from lateral (${membersOfSource[scope]('s')} order by user_id ${order}) m join users u on u.id = m.user_id
               where ${wanted(scope)} and ${bounds}
               order by m.user_id ${order} limit ${limit}
            ) m
           order by m.user_id ${order}, m.access_level desc, s.depth desc`;
}

const byShares: readonly Relation[] = ['SHARED_FROM_GROUPS', 'INVITED_GROUPS', 'SHARED_INTO_ANCESTORS'];

/** The members of places, each list ordered by the ids of people. $1 the places, $2 the viewer, $3 to $9 the filter. */
export function memberLists(scope: Scope, watcher: Watcher, filter: MemberFilter): ListsOfMany<MemberRow> {
  const { relations, pattern, people, skippedPeople, accessLevels, address, everyAddress } = filter;
  const below = scope === 'group' && relations.includes('DESCENDANTS');
  // A list without them doesn't read the tables of shares.
  const shared = relations.some((relation) => byShares.includes(relation));
  return listsOf({
    name: `${scope}_members_${below ? 'below_' : ''}${shared ? 'shared_' : ''}${watcher.variant}`,
    by: 'm.user_id',
    values: [watcher.id, relations, pattern, people, skippedPeople, accessLevels, address, everyAddress],
    rows: (order, bounds, limit) =>
      membersOf(scope, sourcesOf[scope](watcher, { below, shared }), order, bounds, limit),
  });
}
