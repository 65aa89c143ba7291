import { BadRequest } from '../../../../errors.ts';
import { adminIssue, dateIssue, updateIssue, writes } from '../../../../policy/index.ts';
import { builder } from '../../../engine/builder.ts';
import { Problems } from '../../../engine/input.ts';
import { mutation } from '../../../engine/mutation.ts';
import { openForIssues } from '../../../reviews/merge-requests/changes/of-issue.ts';
import { crossReferences, referencesIn } from '../../notes/text.ts';
import { planFor } from '../../quick-actions/issue.ts';
import { merged, publishCopies } from '../../quick-actions/plan.ts';
import { announce, changeWithin, type IssueChange } from './change.ts';
import {
  assigneeIdOf,
  checkAssignees,
  checkDescription,
  checkTitle,
  labelNames,
  milestoneIdOf,
  requirePerson,
} from './input.ts';
import { lookUpIssue, mayOnIssue, prefetchNamed, requireIssueRight } from '../look-up.ts';
import { issuePayload } from './payload.ts';
import { IssuableSeverity, IssueType } from '../types.ts';

export const IssueStateEvent = builder.enumType('IssueStateEvent', {
  values: { CLOSE: { value: 'CLOSED' }, REOPEN: { value: 'OPENED' } } as const,
});

mutation('updateIssue', {
  payload: issuePayload,
  description:
    'Changes an issue. Omitted fields stay as they are. Its author and its assignee change title, description and state, planners everything; what you may not change is left out.',
  admission: { class: 'token', scopes: writes },
  prefetch: prefetchNamed,
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path or id of the project.' }),
    iid: t.string({ required: true }),
    title: t.string(),
    description: t.string({ description: 'As Markdown. Null: none. Commands in it are carried out.' }),
    stateEvent: t.field({ type: IssueStateEvent }),
    type: t.field({ type: IssueType }),
    severity: t.field({ type: IssuableSeverity }),
    confidential: t.boolean(),
    locked: t.boolean(),
    dueDate: t.field({ type: 'ISO8601Date', description: 'Null: none.' }),
    milestoneId: t.id({ description: 'Null: none.' }),
    assigneeIds: t.field({ type: ['UserID'], description: 'At most one. Null or empty: no one.' }),
    labelIds: t.idList({ description: 'All labels that it has afterwards.' }),
    addLabelIds: t.idList(),
    removeLabelIds: t.idList(),
    labels: t.stringList({ description: 'The titles of all labels that it has afterwards. Missing ones are made.' }),
    addLabels: t.stringList({ description: 'Titles. Missing ones are made.' }),
    removeLabels: t.stringList({ description: 'Titles.' }),
    createdAt: t.field({ type: 'Time', description: 'Only owners change it.' }),
    updatedAt: t.field({ type: 'Time', description: 'Only owners choose it.' }),
  }),
  resolve: async (context, input) => {
    const seen = await lookUpIssue(context, { project: input.projectPath, iid: input.iid });
    requireIssueRight(context, seen, updateIssue);
    const actor = requirePerson(context);
    const problems = new Problems();
    if (input.title !== undefined) checkTitle(problems, input.title ?? '');
    checkDescription(problems, input.description ?? null);
    checkAssignees(problems, input.assigneeIds);
    problems.refuse();
    const labels = labelNames(input.labels, input.labelIds);
    const addLabels = labelNames(input.addLabels, input.addLabelIds);
    const removeLabels = labelNames(input.removeLabels, input.removeLabelIds);
    if (labels && (input.addLabelIds || input.removeLabelIds))
      throw new BadRequest('Set all labels, or add and remove some, not both.');
    const { milestoneId, assigneeIds } = input;
    const plan = input.description
      ? await planFor(context, { ...seen.issue, facts: seen.facts }, input.description)
      : undefined;
    const given: IssueChange = {
      title: input.title?.trim(),
      description: plan ? plan.text : input.description,
      state: input.stateEvent ?? undefined,
      ...(mayOnIssue(context, seen, adminIssue) && {
        type: input.type ?? undefined,
        severity: input.severity ?? undefined,
        confidential: input.confidential ?? undefined,
        discussionLocked: input.locked ?? undefined,
        dueDate: input.dueDate,
        milestoneId: milestoneId === undefined ? undefined : milestoneIdOf(milestoneId),
        assigneeId: assigneeIds === undefined ? undefined : assigneeIdOf(assigneeIds),
        labels,
        addLabels,
        removeLabels,
      }),
      ...(mayOnIssue(context, seen, dateIssue) && {
        createdAt: input.createdAt ?? undefined,
        updatedAt: input.updatedAt ?? undefined,
      }),
    };
    const { issue } = seen;
    const change = plan ? merged(given, plan.change) : given;
    const references = referencesIn(change.title, change.description);
    const refer = await crossReferences(context, { ...issue, kind: 'Issue' }, actor, references);
    const effect = await context.database.transaction(async (sql) => {
      const done = await changeWithin(sql, actor, issue, change);
      await plan?.finish(sql, issue.id);
      await refer?.(sql);
      await plan?.leave(sql);
      return done;
    });
    announce(context, actor, issue, effect);
    publishCopies(context, plan);
    await openForIssues(context, plan?.branches ?? []);
    return { id: issue.id };
  },
});
