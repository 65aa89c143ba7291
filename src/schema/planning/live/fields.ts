import type { Change, ItemPart } from '../../../changes/index.ts';
import type { Context } from '../../../context.ts';
import { reads } from '../../../policy/index.ts';
import { userById } from '../../accounts/users/read.ts';
import { CurrentUser } from '../../accounts/users/types.ts';
import { whileReadable } from '../../engine/absent.ts';
import { builder } from '../../engine/builder.ts';
import { partsOf } from '../../engine/global-id.ts';
import { lookUpMergeRequestById } from '../../reviews/merge-requests/look-up.ts';
import { MergeRequest, type ShownMergeRequest } from '../../reviews/merge-requests/types.ts';
import { requirePerson } from '../issues/changes/input.ts';
import { lookUpIssueById } from '../issues/look-up.ts';
import { Issue, type ShownIssue } from '../issues/types.ts';

/** Live subscriptions to an issue or a merge request, by GitLab's names, and to one's to-dos. */

const admission = { class: 'token', scopes: reads } as const;

type Shown = ShownIssue | ShownMergeRequest;

/** What GitLab calls an issue where it could be a merge request, too. */
const Issuable = builder.unionType('Issuable', {
  types: [Issue, MergeRequest],
  // Only the latter has branches.
  resolveType: (one) => ('sourceBranch' in one ? 'MergeRequest' : 'Issue'),
});

/** An issue or a merge request as the viewer sees it now. @throws NotFound, Forbidden */
const kinds = {
  ISSUE: async (context: Context, given: string): Promise<ShownIssue> => {
    const { issue, subscribed } = await lookUpIssueById(context, given);
    return { ...issue, subscribed };
  },
  MERGE_REQUEST: async (context: Context, given: string): Promise<ShownMergeRequest> => {
    const { mergeRequest, subscribed } = await lookUpMergeRequestById(context, given);
    return { ...mergeRequest, subscribed };
  },
} as const satisfies Readonly<Record<string, (context: Context, given: string) => Promise<Shown>>>;
type Kind = keyof typeof kinds;

const kindOf = (given: string): Kind => (partsOf(given).type === 'MergeRequest' ? 'MERGE_REQUEST' : 'ISSUE');

/** The changes of something that the viewer reads. @throws NotFound, Forbidden */
async function watch(context: Context, kind: Kind, given: string, wants: (change: Change) => boolean) {
  const person = requirePerson(context);
  const { id } = await kinds[kind](context, given);
  return await context.changes.subscribe(
    person,
    // To-dos about several things change at once, too.
    (change) =>
      ((change.subject === kind && change.id === id) ||
        (change.subject === 'TODO' && (change.id === null || (kind === 'ISSUE' && change.id === id)))) &&
      wants(change),
  );
}

/** It as it is now; null if the viewer doesn't read it any more. */
async function now<Of extends Kind>(
  context: Context,
  kind: Of,
  given: string,
): Promise<Awaited<ReturnType<(typeof kinds)[Of]>> | null> {
  return (await whileReadable<Shown>(kinds[kind](context, given))) as Awaited<ReturnType<(typeof kinds)[Of]>> | null;
}

const parts = {
  issuableTitleUpdated: ['TITLE', 'the title'],
  issuableDescriptionUpdated: ['DESCRIPTION', 'the description'],
  issuableAssigneesUpdated: ['ASSIGNEES', 'the assignee'],
  issuableLabelsUpdated: ['LABELS', 'the labels'],
  issuableMilestoneUpdated: ['MILESTONE', 'the milestone'],
  issuableDatesUpdated: ['DATES', 'the due date'],
} as const satisfies Readonly<Record<string, readonly [act: ItemPart, words: string]>>;

for (const [name, [act, words]] of Object.entries(parts)) {
  builder.subscriptionField(name, (t) =>
    t.field({
      type: Issuable,
      nullable: true,
      description: `An issue or a merge request, after a change of ${words}; null if you no longer read it.`,
      admission,
      args: { issuableId: t.arg({ type: 'IssuableID', required: true }) },
      subscribe: (_root, { issuableId }, context) =>
        watch(context, kindOf(issuableId), issuableId, (change) => change.act === act),
      resolve: (_change, { issuableId }, context) => now(context, kindOf(issuableId), issuableId),
    }),
  );
}

const partsOfMergeRequests = {
  mergeRequestReviewersUpdated: ['REVIEWERS', 'its reviewer'],
  mergeRequestApprovalStateUpdated: ['APPROVALS', 'its approvals'],
  mergeRequestMergeStatusUpdated: ['MERGE_STATUS', 'whether it can be merged'],
} as const satisfies Readonly<Record<string, readonly [act: ItemPart, words: string]>>;

for (const [name, [act, words]] of Object.entries(partsOfMergeRequests)) {
  builder.subscriptionField(name, (t) =>
    t.field({
      type: MergeRequest,
      nullable: true,
      description: `A merge request, after a change of ${words}; null if you no longer read it.`,
      admission,
      args: { issuableId: t.arg({ type: 'IssuableID', required: true }) },
      subscribe: (_root, { issuableId }, context) =>
        watch(context, 'MERGE_REQUEST', issuableId, (change) => change.act === act),
      resolve: (_change, { issuableId }, context) => now(context, 'MERGE_REQUEST', issuableId),
    }),
  );
}

for (const [name, argument, act, words] of [
  ['mergeRequestDiffGenerated', 'mergeRequestId', 'DIFF', 'a new version of it'],
  ['mergeRequestUpdated', 'id', 'CHANGED', 'any change of it. Quick successive changes may be sent as one event'],
] as const) {
  builder.subscriptionField(name, (t) =>
    t.field({
      type: MergeRequest,
      nullable: true,
      description: `A merge request, after ${words}; null if you no longer read it.`,
      admission,
      args: { [argument]: t.arg({ type: 'MergeRequestID', required: true }) },
      subscribe: (_root, args, context) =>
        watch(
          context,
          'MERGE_REQUEST',
          String(args[argument]),
          (change) => change.subject !== 'TODO' && change.act === act,
        ),
      resolve: (_change, args, context) => now(context, 'MERGE_REQUEST', String(args[argument])),
    }),
  );
}

builder.subscriptionField('issuableTodoUpdated', (t) =>
  t.field({
    type: Issuable,
    nullable: true,
    description: 'An issue or a merge request, after a change of your to-dos about it; null if you no longer read it.',
    admission,
    args: { issuableId: t.arg({ type: 'IssuableID', required: true }) },
    subscribe: (_root, { issuableId }, context) =>
      watch(context, kindOf(issuableId), issuableId, ({ subject }) => subject === 'TODO'),
    resolve: (_change, { issuableId }, context) => now(context, kindOf(issuableId), issuableId),
  }),
);

builder.subscriptionField('issueUpdated', (t) =>
  t.field({
    type: Issue,
    nullable: true,
    description:
      'An issue, after any change of it. Quick successive changes may be sent as one event; null if you no longer read it.',
    admission,
    args: { id: t.arg({ type: 'IssueID', required: true }) },
    subscribe: (_root, { id }, context) =>
      watch(context, 'ISSUE', id, ({ subject, act }) => subject === 'ISSUE' && act === 'CHANGED'),
    resolve: (_change, { id }, context) => now(context, 'ISSUE', id),
  }),
);

builder.subscriptionField('currentUserTodosUpdated', (t) =>
  t.field({
    type: CurrentUser,
    nullable: true,
    description: 'You, with your to-dos, after a change of them.',
    admission,
    subscribe: (_root, _args, context) =>
      context.changes.subscribe(requirePerson(context), ({ subject }) => subject === 'TODO'),
    resolve: (_change, _args, context) => userById(context, requirePerson(context)),
  }),
);
