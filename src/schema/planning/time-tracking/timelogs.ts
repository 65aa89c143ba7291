import type { ObjectRef } from '@pothos/core';
import { parent } from '../../../database/list.ts';
import { userById } from '../../accounts/users/read.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { builder, type Types } from '../../engine/builder.ts';
import { identify } from '../../engine/global-id.ts';
import { listOfEach, nestedList } from '../../engine/list.ts';
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

/** Adds the field `timelogs` to a type. */
function timelogsOf<Item extends { readonly id: number }>(
  type: ObjectRef<Types, Item>,
  column: 'issue_id' | 'merge_request_id',
): void {
  const ofEach = listOfEach((_context, _asked: object) => timelogList(column, parent));
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
