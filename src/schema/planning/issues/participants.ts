import type { ObjectRef } from '@pothos/core';
import { parent } from '../../../database/list.ts';
import { reads } from '../../../policy/index.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { listOfEach, nestedList, rootList } from '../../engine/list.ts';
import { usually } from '../../engine/page.ts';
import type { Types } from '../../engine/builder.ts';
import { lookUpMergeRequest, prefetchMergeRequest } from '../../reviews/merge-requests/look-up.ts';
import { MergeRequest } from '../../reviews/merge-requests/types.ts';
import { lookUpIssue, prefetchIssue } from './look-up.ts';
import { participantList } from './statements/people.ts';
import { Issue } from './types.ts';

const list = {
  type: UserCore,
  orders: { id: { column: 'u.id', type: 'int' } },
  by: 'id_asc',
} as const;

rootList('issueParticipants', {
  ...list,
  description: 'The people who take part in an issue and can read it.',
  admission: { class: 'token', scopes: reads, anonymous: true },
  prefetch: prefetchIssue,
  args: (t) => ({
    project: t.id({ required: true, description: 'Id or full path of the project of the issue.' }),
    iid: t.string({ required: true }),
  }),
  rows: async (context, name) =>
    participantList({ column: 'issue_id', id: (await lookUpIssue(context, name)).issue.id }),
});

rootList('mergeRequestParticipants', {
  ...list,
  description: 'The people who take part in a merge request and can read it.',
  admission: { class: 'token', scopes: reads, anonymous: true },
  prefetch: prefetchMergeRequest,
  args: (t) => ({
    project: t.id({ required: true, description: 'Id or full path of the target.' }),
    iid: t.string({ required: true }),
  }),
  rows: async (context, name) =>
    participantList({ column: 'merge_request_id', id: (await lookUpMergeRequest(context, name)).mergeRequest.id }),
});

/** Adds the field `participants` to a type. */
function participantsOf<Item extends { readonly id: number }>(
  type: ObjectRef<Types, Item>,
  column: 'issue_id' | 'merge_request_id',
): void {
  const ofEach = listOfEach((_context, _asked: object) => participantList({ column, id: parent }));
  nestedList(type, 'participants', {
    ...list,
    ...usually(20),
    description: 'The people who take part in it and can read it.',
    rows: (context, _asked, _info, { id }) => ofEach(context, id, {}),
  });
}

participantsOf(Issue, 'issue_id');
participantsOf(MergeRequest, 'merge_request_id');
