import { statement } from '../../../../database/index.ts';

/** How many threads something has. */
export interface Threads {
  readonly id: number;
  readonly total: number;
  /** Those that everyone who reads it may read. */
  readonly open: number;
}

/** Counts the threads of people. $1 ids of issues or merge requests. */
export const countThreads = (column: 'issue_id' | 'merge_request_id') =>
  statement<Threads>(
    `count_threads_by_${column}`,
    `select t.${column} as id, count(distinct t.discussion_id)::int as total,
       count(distinct t.discussion_id) filter (where not t.internal)::int as open
       from notes t where t.${column} = any($1::int[]) and not t.system group by t.${column}`,
  );
