import type { Change } from '../../../changes/index.ts';
import type { Context } from '../../../context.ts';
import { Forbidden, NotFound } from '../../../errors.ts';
import { reads } from '../../../policy/index.ts';
import { userById } from '../../accounts/users/read.ts';
import { CurrentUser } from '../../accounts/users/types.ts';
import { builder } from '../../engine/builder.ts';
import { requirePerson } from '../issues/input.ts';
import { lookUpIssueById } from '../issues/look-up.ts';
import { Issue, type ShownIssue } from '../issues/types.ts';
import type { IssuePart } from './publish.ts';

/** Live subscriptions to an issue, by GitLab's names, and to one's to-dos. */

const admission = { class: 'token', scopes: reads } as const;

/** What GitLab calls an issue where it could be a merge request, too. */
const Issuable = builder.unionType('Issuable', { types: [Issue], resolveType: () => 'Issue' });

/** The changes of an issue that the viewer reads. @throws NotFound */
async function watch(context: Context, given: string, wants: (change: Change) => boolean) {
  const person = requirePerson(context);
  const { issue } = await lookUpIssueById(context, given);
  // To-dos about several issues change at once, too.
  return await context.changes.subscribe(
    person,
    (change) => (change.id === issue.id || (change.id === null && change.subject === 'TODO')) && wants(change),
  );
}

/** The issue as it is now; null if the viewer doesn't read it any more. */
async function now(context: Context, given: string): Promise<ShownIssue | null> {
  try {
    const { issue, subscribed } = await lookUpIssueById(context, given);
    return { ...issue, subscribed };
  } catch (error) {
    if (error instanceof NotFound || error instanceof Forbidden) return null;
    throw error;
  }
}

const parts = {
  issuableTitleUpdated: ['TITLE', 'the title'],
  issuableDescriptionUpdated: ['DESCRIPTION', 'the description'],
  issuableAssigneesUpdated: ['ASSIGNEES', 'the assignee'],
  issuableLabelsUpdated: ['LABELS', 'the labels'],
  issuableMilestoneUpdated: ['MILESTONE', 'the milestone'],
  issuableDatesUpdated: ['DATES', 'the due date'],
} as const satisfies Readonly<Record<string, readonly [act: IssuePart, words: string]>>;

for (const [name, [act, words]] of Object.entries(parts)) {
  builder.subscriptionField(name, (t) =>
    t.field({
      type: Issuable,
      nullable: true,
      description: `An issue, after a change of ${words}; null if you no longer read it.`,
      admission,
      args: { issuableId: t.arg({ type: 'IssuableID', required: true }) },
      subscribe: (_root, { issuableId }, context) =>
        watch(context, issuableId, (change) => change.subject === 'ISSUE' && change.act === act),
      resolve: (_change, { issuableId }, context) => now(context, issuableId),
    }),
  );
}

builder.subscriptionField('issuableTodoUpdated', (t) =>
  t.field({
    type: Issuable,
    nullable: true,
    description: 'An issue, after a change of your to-dos about it; null if you no longer read it.',
    admission,
    args: { issuableId: t.arg({ type: 'IssuableID', required: true }) },
    subscribe: (_root, { issuableId }, context) => watch(context, issuableId, ({ subject }) => subject === 'TODO'),
    resolve: (_change, { issuableId }, context) => now(context, issuableId),
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
      watch(context, id, ({ subject, act }) => subject === 'ISSUE' && act === 'CHANGED'),
    resolve: (_change, { id }, context) => now(context, id),
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
