import type { ObjectRef } from '@pothos/core';
import { isAdministrator } from '../../../policy/index.ts';
import { batched } from '../../engine/batched.ts';
import { builder, type Types } from '../../engine/builder.ts';
import { MergeRequest } from '../../reviews/merge-requests/types.ts';
import { Issue } from '../issues/types.ts';
import { countThreads, type Threads } from './statements/counts.ts';

/** How many threads issues and merge requests have. The counts of a page are read in one statement. */

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
