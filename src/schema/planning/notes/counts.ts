import type { ObjectRef } from '@pothos/core';
import { statement } from '../../../database/index.ts';
import { isAdministrator } from '../../../policy/index.ts';
import { batched } from '../../engine/batched.ts';
import { builder, type Types } from '../../engine/builder.ts';
import { MergeRequest } from '../../reviews/merge-requests/types.ts';
import { Issue } from '../issues/types.ts';

/** How many threads issues and merge requests have. The counts of a page are read in one statement. */

interface Threads {
  readonly id: number;
  readonly total: number;
  /** Those that everyone who reads it may read. */
  readonly open: number;
}

/** Counts the threads of people. $1 ids of issues or merge requests. */
const countThreads = (column: 'issue_id' | 'merge_request_id') =>
  statement<Threads>(
    `count_threads_by_${column}`,
    `select t.${column} as id, count(distinct t.discussion_id)::int as total,
       count(distinct t.discussion_id) filter (where not t.internal)::int as open
       from notes t where t.${column} = any($1::int[]) and not t.system group by t.${column}`,
  );

function countedIn<Item extends { readonly id: number; readonly readsInternal: boolean }>(
  type: ObjectRef<Types, Item>,
  column: 'issue_id' | 'merge_request_id',
): void {
  const count = countThreads(column);
  const countsOf = batched<Threads>(async ({ database }, ids) => {
    const rows = await database.rows(count, [ids]);
    return new Map(rows.map((row) => [row.id, row]));
  });
  builder.objectField(type, 'userDiscussionsCount', (t) =>
    t.int({
      description: 'The number of threads that you can read. A single comment is one.',
      resolve: async ({ id, readsInternal }, _args, context) => {
        const counts = await countsOf(context, id);
        return (readsInternal || isAdministrator(context.viewer) ? counts?.total : counts?.open) ?? 0;
      },
    }),
  );
}

countedIn(Issue, 'issue_id');
countedIn(MergeRequest, 'merge_request_id');
