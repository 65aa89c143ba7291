import type { ObjectRef } from '@pothos/core';
import type { Context } from '../../../context.ts';
import { ListQuery, parent } from '../../../database/list.ts';
import { userById } from '../../accounts/users/read.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { batchedLists } from '../../engine/batched.ts';
import { builder, type Types } from '../../engine/builder.ts';
import { identify } from '../../engine/global-id.ts';
import { listOfEach, nestedList } from '../../engine/list.ts';
import { connectionOf, readApart, type Rows } from '../../engine/page.ts';
import { projectById } from '../../places/place/read.ts';
import { Project } from '../../places/place/types.ts';
import { MergeRequest } from '../../reviews/merge-requests/types.ts';
import { mergeRequestById } from '../../reviews/merge-requests/read.ts';
import { issueById } from '../issues/read.ts';
import { Issue } from '../issues/types.ts';
import { timelogList, type TimelogRecord } from './statements.ts';

/** The times that were spent on issues and merge requests, one by one. Who reads these reads the times, too. */

export const Timelog = builder.objectRef<TimelogRecord>('Timelog').implement({
  description: 'A time that a person spent on an issue or a merge request.',
  fields: (t) => ({
    timeSpent: t.exposeInt('seconds', { description: 'In seconds. Negative: it was subtracted.' }),
    spentAt: t.expose('spentAt', { type: 'Time', nullable: true }),
    summary: t.exposeString('summary', { nullable: true, description: 'What was done.' }),
    user: t.field({
      type: UserCore,
      resolve: async ({ userId }, _args, context) => (await userById(context, userId))!,
    }),
    project: t.field({
      type: Project,
      description: 'The project of the issue or the merge request.',
      resolve: async ({ projectId }, _args, context) => (await projectById(context, projectId))!,
    }),
    issue: t.field({
      type: Issue,
      nullable: true,
      resolve: ({ issueId }, _args, context) => (issueId === null ? null : issueById(context, issueId)),
    }),
    mergeRequest: t.field({
      type: MergeRequest,
      nullable: true,
      resolve: ({ mergeRequestId }, _args, context) =>
        mergeRequestId === null ? null : mergeRequestById(context, mergeRequestId),
    }),
  }),
});
identify(Timelog, 'Timelog');

/** Times with their sum. */
interface TimelogRows extends Rows<TimelogRecord> {
  readonly spent: () => Promise<string>;
}

builder.objectField(connectionOf(Timelog) as never, 'totalSpentTime', (t) =>
  t.field({
    ...readApart,
    type: 'BigInt',
    description: 'What all of them are together, in seconds.',
    resolve: async (connection: unknown, _args, { database }) => {
      const { rows } = connection as { readonly rows: ListQuery<TimelogRecord> | TimelogRows };
      if (!(rows instanceof ListQuery)) return await rows.spent();
      const { statement, values } = rows.sum('t.seconds');
      return (await database.rows(statement, values))[0]!.total;
    },
  }),
);

/** The lists of many records, of which one statement reads a page, the length or the sum of each. */
export function timelogsOfEach<Asked>(
  build: (context: Context, asked: Asked) => ListQuery<TimelogRecord>,
): (context: Context, parent: number, asked: Asked) => TimelogRows {
  const lists = listOfEach(build);
  const sums = batchedLists(
    async (context: Context, parents, asked: Asked) => {
      const { statement, values } = build(context, asked).sums(parents, 't.seconds');
      return await context.database.rows(statement, values);
    },
    ({ parent_id }) => parent_id,
  );
  return (context, id, asked) => ({
    ...lists(context, id, asked),
    spent: async () => (await sums(context, id, asked))[0]!.total,
  });
}

/** Adds the field `timelogs` to a type. */
function timelogsOf<Item extends { readonly id: number }>(
  type: ObjectRef<Types, Item>,
  column: 'issue_id' | 'merge_request_id',
): void {
  const ofEach = timelogsOfEach((_context, _asked: object) => timelogList(column, parent));
  nestedList(type, 'timelogs', {
    type: Timelog,
    orders: { id: { column: 't.id', type: 'int' } },
    by: 'id_asc',
    description: 'The times that were spent on it, the oldest entry first.',
    rows: (context, _asked, _info, { id }) => ofEach(context, id, {}),
  });
}

timelogsOf(Issue, 'issue_id');
timelogsOf(MergeRequest, 'merge_request_id');
