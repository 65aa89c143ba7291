import { BadRequest, NotFound } from '../../../../errors.ts';
import { adminIssue, writes } from '../../../../policy/index.ts';
import { mutation, type FieldsOf } from '../../../engine/mutation.ts';
import { Problems } from '../../../engine/input.ts';
import { announce, changeWithin } from './change.ts';
import { assigneeIdOf, checkAssignees, labelIdsOf, milestoneIdOf, requirePerson } from './input.ts';
import { lookUpIssueById, requireIssueRight } from '../look-up.ts';
import { IssueStateEvent } from './update.ts';

/** Maximum number of issues that are changed at once. */
const maxIssues = 100;

mutation('issuesBulkUpdate', {
  payload: (t: FieldsOf<{ count: number }>) => ({
    updatedIssueCount: t.exposeInt('count', { nullable: true }),
  }),
  description: `Changes up to ${maxIssues} issues in one transaction: all of them or none. For planners and above.`,
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    parentId: t.id({ description: 'Not needed: the issues say where they are.' }),
    ids: t.field({ type: ['IssueID'], required: true }),
    stateEvent: t.field({ type: IssueStateEvent }),
    confidential: t.boolean(),
    milestoneId: t.field({ type: 'MilestoneID', description: 'Null: none.' }),
    assigneeIds: t.field({ type: ['UserID'], description: 'At most one. Empty: no one.' }),
    addLabelIds: t.field({ type: ['LabelID'] }),
    removeLabelIds: t.field({ type: ['LabelID'] }),
  }),
  resolve: async (context, input) => {
    const { ids, milestoneId, assigneeIds } = input;
    if (ids.length > maxIssues) throw new BadRequest(`Change no more than ${maxIssues} issues at once.`);
    const problems = new Problems();
    checkAssignees(problems, assigneeIds);
    problems.refuse();
    const seen = await Promise.all(ids.map((id) => lookUpIssueById(context, id)));
    for (const one of seen) requireIssueRight(context, one, adminIssue);
    const actor = requirePerson(context);
    const labels = (given: readonly string[] | null | undefined) =>
      given == null ? undefined : { titles: [], ids: labelIdsOf(given) };
    // In the order of their ids, so that two of these don't wait for each other.
    const issues = new Map(seen.map(({ issue }) => [issue.id, issue]));
    const ordered = [...issues.values()].toSorted((one, other) => one.id - other.id);
    const effects = await context.database.transaction(async (sql) => {
      const done: Awaited<ReturnType<typeof changeWithin>>[] = [];
      for (const issue of ordered) {
        const effect = await changeWithin(sql, actor, issue, {
          state: input.stateEvent ?? undefined,
          confidential: input.confidential ?? undefined,
          milestoneId: milestoneId === undefined ? undefined : milestoneIdOf(milestoneId),
          assigneeId: assigneeIds == null ? undefined : assigneeIdOf(assigneeIds),
          addLabels: labels(input.addLabelIds),
          removeLabels: labels(input.removeLabelIds),
        });
        done.push(effect);
      }
      return done;
    });
    ordered.forEach((issue, index) => announce(context, actor, issue, effects[index]));
    if (ordered.length === 0) throw new NotFound('Issue');
    return { count: ordered.length };
  },
});
