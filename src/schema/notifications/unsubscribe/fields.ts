import { readUnsubscribeKey } from '../../../auth/index.ts';
import type { Context } from '../../../context.ts';
import { NotFound } from '../../../errors.ts';
import { builder } from '../../engine/builder.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { readableIssueById } from '../../planning/issues/read.ts';
import { readableEpicById } from '../../planning/epics/read.ts';
import { webPathOf } from '../../planning/epics/types.ts';
import { setSubscribed, type Subscribable } from '../../planning/subscriptions/subscribe.ts';
import { readableMergeRequestById } from '../../reviews/merge-requests/read.ts';
import { keyedItem } from './statements.ts';

/**
 * Unsubscribing by the link in a message, without signing in (RFC 8058): the key is the proof. It unsubscribes whom the
 * message went to, whichever person follows the link.
 */

interface Keyed {
  readonly item: Subscribable;
  readonly userId: number;
}

/** @throws NotFound for an unknown key, and if the person or what it is about is gone */
async function keyed({ keys, database }: Context, key: string): Promise<Keyed> {
  const named = readUnsubscribeKey(keys, key);
  // Others have no subscriptions.
  if (named === null || named.subjectKind === 'Commit' || named.subjectKind === 'Snippet')
    throw new NotFound('Message');
  const { subjectKind, subjectId, userId } = named;
  const [found] = await database.rows(keyedItem[subjectKind], [subjectId, userId]);
  if (!found) throw new NotFound('Message');
  const items: Record<typeof subjectKind, Subscribable> = {
    Issue: { issueId: subjectId },
    MergeRequest: { mergeRequestId: subjectId },
    Epic: { epicId: subjectId },
  };
  return { item: items[subjectKind], userId };
}

/** What a message was about, if the viewer reads it: its title, and the path of its page. */
async function shownIn(context: Context, { item }: Keyed): Promise<{ title: string; path: string } | null> {
  if ('issueId' in item) {
    const issue = await readableIssueById(context, item.issueId);
    return issue && { title: issue.title, path: `/${issue.projectPath}/-/issues/${issue.iid}` };
  }
  if ('epicId' in item) {
    const epic = await readableEpicById(context, item.epicId);
    return epic && { title: epic.title, path: webPathOf(epic) };
  }
  const one = await readableMergeRequestById(context, item.mergeRequestId);
  return one && { title: one.title, path: `/${one.projectPath}/-/merge_requests/${one.iid}` };
}

const UnsubscribeLink = builder.objectRef<Keyed>('UnsubscribeLink').implement({
  description: 'What the unsubscribe link of a message is about.',
  fields: (t) => ({
    title: t.string({
      nullable: true,
      description: 'The title of the issue, the merge request or the epic; null if you don’t read it.',
      resolve: async (link, _args, context) => (await shownIn(context, link))?.title ?? null,
    }),
    path: t.string({
      nullable: true,
      description: 'The path of its page; null if you don’t read it.',
      resolve: async (link, _args, context) => (await shownIn(context, link))?.path ?? null,
    }),
    isOwn: t.boolean({
      description: 'Whether the message went to you.',
      resolve: ({ userId }, _args, { viewer }) => viewer.person?.id === userId,
    }),
  }),
});

builder.queryField('unsubscribeLink', (t) =>
  t.field({
    type: UnsubscribeLink,
    nullable: true,
    description: 'What the unsubscribe link of a message is about.',
    admission: { class: 'session', anonymous: true },
    args: { key: t.arg.string({ required: true }) },
    resolve: (_root, { key }, context) => keyed(context, key),
  }),
);

mutation('unsubscribe', {
  description: 'Unsubscribes whom a message went to from what it was about. Again is fine.',
  admission: { class: 'session', anonymous: true },
  input: (t) => ({ key: t.string({ required: true, description: 'The key in the link of the message.' }) }),
  payload: (t: FieldsOf<{ link: Keyed }>) => ({ link: t.expose('link', { type: UnsubscribeLink }) }),
  resolve: async (context, { key }) => {
    const link = await keyed(context, key);
    await setSubscribed(context.database, link.item, link.userId, false);
    return { link };
  },
});
