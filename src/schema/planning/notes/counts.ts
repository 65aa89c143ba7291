import type { ObjectRef } from '@pothos/core';
import type { Context } from '../../../context.ts';
import { isAdministrator } from '../../../policy/index.ts';
import { batched } from '../../engine/batched.ts';
import { builder, type Types } from '../../engine/builder.ts';
import { MergeRequest } from '../../reviews/merge-requests/types.ts';
import { Issue } from '../issues/types.ts';
import { countResolvable, countThreads, type ResolvableThreads, type Threads } from './statements/counts.ts';

/** How many threads issues and merge requests have. The counts of a page are read in one statement. */

const readsAll = ({ readsInternal }: { readonly readsInternal: boolean }, { viewer }: Context): boolean =>
  readsInternal || isAdministrator(viewer);

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
      resolve: async (one, _args, context) =>
        (await countsOf(context, one.id))?.[readsAll(one, context) ? 'total' : 'open'] ?? 0,
    }),
  );
}

const resolvableOf = batched<ResolvableThreads>(async ({ database }, ids) => {
  const rows = await database.rows(countResolvable, [ids]);
  return new Map(rows.map((row) => [row.id, row]));
});

builder.objectFields(MergeRequest, (t) => ({
  resolvableDiscussionsCount: t.int({
    nullable: true,
    description: 'The number of threads that can be resolved and that you can read.',
    resolve: async (one, _args, context) =>
      (await resolvableOf(context, one.id))?.[readsAll(one, context) ? 'total' : 'open'] ?? 0,
  }),
  resolvedDiscussionsCount: t.int({
    nullable: true,
    description: 'How many of these are resolved.',
    resolve: async (one, _args, context) =>
      (await resolvableOf(context, one.id))?.[readsAll(one, context) ? 'resolved' : 'openResolved'] ?? 0,
  }),
}));

countedIn(Issue, 'issue_id');
countedIn(MergeRequest, 'merge_request_id');
