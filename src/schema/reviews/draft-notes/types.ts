import { parent } from '../../../database/list.ts';
import { reads } from '../../../policy/index.ts';
import { userById } from '../../accounts/users/read.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { orNull } from '../../engine/absent.ts';
import { builder } from '../../engine/builder.ts';
import { identify } from '../../engine/global-id.ts';
import { listOfEach, nestedList } from '../../engine/list.ts';
import { usually } from '../../engine/page.ts';
import { htmlOf } from '../../planning/markdown/html.ts';
import { DiffPosition } from '../diff-notes/types.ts';
import { MergeRequest } from '../merge-requests/types.ts';
import { lookUpDraft } from './look-up.ts';
import { draftList, type DraftNoteRecord } from './statements.ts';

/** Comments of a review that isn't published yet. */

export const DraftNote = builder.objectRef<DraftNoteRecord>('DraftNote').implement({
  description: 'A comment of a review that isn’t published yet. Only its author sees it.',
  fields: (t) => ({
    body: t.exposeString('body', { description: 'As Markdown.' }),
    bodyHtml: t.string({
      description: 'As HTML that is safe in a page, with links to what you see.',
      resolve: ({ body, projectId }, _args, context) => htmlOf(context, body, { projectId, namespaceId: null }),
    }),
    author: t.field({
      type: UserCore,
      nullable: true,
      resolve: ({ authorId }, _args, context) => userById(context, authorId),
    }),
    authorId: t.exposeInt('authorId', { description: 'The number of its author.' }),
    mergeRequestId: t.exposeInt('mergeRequestId', { description: 'The number of its merge request.' }),
    discussionKey: t.exposeString('discussionId', {
      nullable: true,
      description: 'The id in the REST API of the thread that it replies to; null if it starts one.',
    }),
    resolveDiscussion: t.exposeBoolean('resolveDiscussion', {
      description: 'Whether publishing it resolves the thread that it replies to.',
    }),
    commitId: t.exposeString('commitId', { nullable: true, description: 'The commit that its author had in view.' }),
    lineCode: t.exposeString('lineCode', { nullable: true, description: 'What identifies its line of the diff.' }),
    position: t.field({
      type: DiffPosition,
      nullable: true,
      description: 'Where its author put it in the diff; null for any other comment.',
      direct: true,
      resolve: ({ diffPosition }) => diffPosition,
    }),
    createdAt: t.expose('createdAt', { type: 'Time' }),
    updatedAt: t.expose('updatedAt', { type: 'Time' }),
  }),
});

identify(DraftNote, 'DraftNote');

const draftsOfEach = listOfEach(({ viewer }, _asked: object) => draftList(viewer, parent));

nestedList(MergeRequest, 'draftNotes', {
  type: DraftNote,
  description: 'Your comments that aren’t published yet, the oldest first.',
  ...usually(20),
  orders: { id: { column: 't.id', type: 'int' } },
  by: 'id_asc',
  rows: (context, _asked, _info, { id }) => draftsOfEach(context, id, {}),
});

builder.queryField('draftNote', (t) =>
  t.field({
    type: DraftNote,
    nullable: true,
    description: 'A comment of yours that isn’t published yet; null if it is missing, or someone else’s.',
    admission: { class: 'token', scopes: reads },
    args: {
      id: t.arg.id({ required: true }),
      projectPath: t.arg.id({ description: 'With `iid`: the merge request that it must be in.' }),
      iid: t.arg.string(),
    },
    resolve: async (_root, name, context) => (await orNull('DraftNote', lookUpDraft(context, name)))?.draft ?? null,
  }),
);
