import { statement } from '../../../../database/index.ts';

/** How many threads something has. */
export interface Threads {
  readonly id: number;
  readonly total: number;
  /** Those that everyone who reads it may read. */
  readonly open: number;
}

/** How many threads of a merge request can be resolved. */
export interface ResolvableThreads extends Threads {
  readonly resolved: number;
  /** The resolved ones of those that everyone who reads it may read. */
  readonly openResolved: number;
}

/** Counts the threads that can be resolved. $1 ids of merge requests. */
export const countResolvable = statement<ResolvableThreads>(
  'count_resolvable_threads',
  `select th.id, count(*)::int as total, count(*) filter (where not th.internal)::int as open,
     count(*) filter (where th.resolved)::int as resolved, count(*) filter (where th.resolved and not th.internal)::int as "openResolved"
     from (select t.merge_request_id as id, bool_or(t.internal) as internal, bool_and(t.resolved_at is not null) as resolved
             from notes t where t.merge_request_id = any($1::int[]) and t.type is not null and not t.system
            group by t.merge_request_id, t.discussion_id) th
    group by th.id`,
);

/** Counts the threads of people. $1 ids of issues or merge requests. */
export const countThreads = (column: 'issue_id' | 'merge_request_id') =>
  statement<Threads>(
    `count_threads_by_${column}`,
    `select t.${column} as id, count(distinct t.discussion_id)::int as total,
       count(distinct t.discussion_id) filter (where not t.internal)::int as open
       from notes t where t.${column} = any($1::int[]) and not t.system group by t.${column}`,
  );
