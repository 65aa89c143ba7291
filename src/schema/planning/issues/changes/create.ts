import type { Context } from '../../../../context.ts';
import { takenIn, type Sql } from '../../../../database/index.ts';
import type { PlaceRow } from '../../../../database/access/places.ts';
import { BadRequest, Conflict, Forbidden, NotFound } from '../../../../errors.ts';
import { adminIssue, createIssue, dateIssue, holds, setIssueMetadata, writes } from '../../../../policy/index.ts';
import { Problems } from '../../../engine/input.ts';
import { mutation } from '../../../engine/mutation.ts';
import { facts, lookUp, prefetchPlace } from '../../../places/place/look-up.ts';
import { publishTodos } from '../../live/publish.ts';
import { followUpOf, type FollowUp } from '../../notes/follow-up.ts';
import { crossReferences, referencesIn } from '../../notes/text.ts';
import { newIssue, planCommands, type Plan } from '../../quick-actions/plan.ts';
import { changeWithin, type IssueChange } from './change.ts';
import {
  assigneeIdOf,
  checkAssignees,
  checkDescription,
  checkTitle,
  creationOf,
  labelIdsOf,
  milestoneIdOf,
  requirePerson,
  titlesOf,
  type NewIssue,
} from './input.ts';
import { issuePayload } from './payload.ts';
import { findProjectOfIssues, type ProjectOfIssues } from '../statements/reading.ts';
import { IssuableSeverity, IssueType } from '../types.ts';

/** The largest number that an owner chooses: as many are left for the issues after it. */
const largestIid = 1_000_000_000;

/** @throws Conflict for a number that is taken, NotFound if the project was archived or removed meanwhile */
async function makeIssue(
  context: Context,
  project: Pick<ProjectOfIssues, 'id' | 'full_path'>,
  author: number,
  given: NewIssue,
  plan: Plan | undefined,
  followUp: FollowUp | undefined,
): Promise<number> {
  const { id: projectId, full_path: projectPath } = project;
  const insert = async (sql: Sql) => {
    const { statement, values } = creationOf(projectId, author, given);
    const [made] = await sql.rows(statement, values);
    if (!made) throw new NotFound('Project');
    return made;
  };
  const from = { kind: 'Issue', id: 0, iid: null, projectId, projectPath } as const;
  const refer = await crossReferences(context, from, author, referencesIn(given.title, given.description));
  const withMore = () =>
    context.database.transaction(async (sql) => {
      const made = await insert(sql);
      if (plan?.change.state === 'CLOSED')
        await changeWithin(sql, author, { id: made.id, projectId }, { state: 'CLOSED' });
      await plan?.finish(sql, made.id);
      // It locks the merge request, which the notes of references name.
      await followUp?.resolve(sql, made);
      await refer?.(sql, made);
      return made;
    });
  try {
    const { id, todoOwners } = await (plan || refer || followUp ? withMore() : insert(context.database));
    publishTodos(context, todoOwners, id);
    followUp?.publish();
    return id;
  } catch (error) {
    throw takenIn(error) === 'issues' ? new Conflict('Duplicated issue') : error;
  }
}

/** Reads the commands of the description of a new issue. */
const planForNew = (context: Context, row: PlaceRow, author: number, description: string) =>
  planCommands(
    context,
    {
      projectId: row.id,
      facts: { ...facts(row), issue: { authorId: author, assigneeId: null, confidential: false } },
      before: async () => newIssue,
    },
    description,
  );

/** A new issue with what commands set: it begins with that, and no note mentions it. */
function withCommands(given: NewIssue, change: IssueChange): NewIssue {
  const { title = given.title, labels, addLabels } = change;
  const removed = new Set(change.removeLabels?.ids);
  const ids = [...(labels ? labels.ids : (given.labelIds ?? [])), ...(addLabels?.ids ?? [])];
  return {
    ...given,
    title,
    labels: labels ? [] : given.labels,
    labelIds: ids.filter((id) => !removed.has(id)),
    assigneeId: change.assigneeId === undefined ? given.assigneeId : change.assigneeId,
    milestoneId: change.milestoneId === undefined ? given.milestoneId : change.milestoneId,
    dueDate: change.dueDate === undefined ? given.dueDate : change.dueDate,
    confidential: change.confidential ?? given.confidential,
    discussionLocked: change.discussionLocked ?? given.discussionLocked,
  };
}

mutation('createIssue', {
  payload: issuePayload,
  description:
    'Creates an issue. Labels, assignee, milestone and due date are for members of the project; others’ are left out.',
  admission: { class: 'token', scopes: writes },
  prefetch: ({ input }) =>
    prefetchPlace(findProjectOfIssues, 'Project', (input as { projectPath?: unknown } | undefined)?.projectPath),
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path or id of the project.' }),
    title: t.string({ required: true }),
    description: t.string({ description: 'As Markdown. Commands in it are carried out.' }),
    type: t.field({ type: IssueType }),
    severity: t.field({ type: IssuableSeverity }),
    confidential: t.boolean({ description: 'Whether only its author, its assignee and planners see it.' }),
    locked: t.boolean({ description: 'Whether only members comment.' }),
    dueDate: t.field({ type: 'ISO8601Date' }),
    labels: t.stringList({ description: 'Titles. Labels that are missing are made, if you may make labels.' }),
    labelIds: t.field({ type: ['LabelID'], description: 'Instead of `labels`.' }),
    milestoneId: t.field({ type: 'MilestoneID' }),
    assigneeIds: t.field({ type: ['UserID'], description: 'At most one.' }),
    iid: t.int({ description: 'The number in the project. Only owners choose it.' }),
    createdAt: t.field({ type: 'Time', description: 'Only owners choose it.' }),
    mergeRequestToResolveDiscussionsOf: t.field({
      type: 'MergeRequestID',
      description:
        'A merge request whose open threads it continues: they are resolved, and listed where no description is given.',
    }),
    mergeRequestIidToResolveDiscussionsOf: t.string({
      description: 'The same by the number of the merge request in the project.',
    }),
    discussionToResolve: t.string({ description: 'Only this thread of the merge request: its id.' }),
  }),
  resolve: async (context, input) => {
    const row = await lookUp(context, findProjectOfIssues, 'Project', input.projectPath);
    const may = (rule: Parameters<typeof holds>[0]) => holds(rule, context.viewer, facts(row));
    if (row.archived || !may(createIssue)) throw new Forbidden();
    const author = requirePerson(context);
    const followUp = await followUpOf(context, row, input);
    const described = input.description ?? followUp?.description ?? null;
    const problems = new Problems();
    checkTitle(problems, input.title);
    checkDescription(problems, described);
    checkAssignees(problems, input.assigneeIds);
    if (input.iid != null && input.iid < 1) problems.add('iid', ['must be greater than 0']);
    if (input.iid != null && input.iid > largestIid) problems.add('iid', [`must be less than ${largestIid + 1}`]);
    problems.refuse();
    if (input.labels && input.labelIds) throw new BadRequest('Name labels by their titles or by their ids, not both.');
    const plan = input.description ? await planForNew(context, row, author, input.description) : undefined;
    const given: NewIssue = {
      title: input.title.trim(),
      description: plan ? plan.text : described,
      type: input.type ?? undefined,
      severity: input.severity ?? undefined,
      confidential: input.confidential ?? undefined,
      ...(may(setIssueMetadata) && {
        discussionLocked: input.locked,
        dueDate: input.dueDate,
        milestoneId: milestoneIdOf(input.milestoneId ?? null),
        assigneeId: assigneeIdOf(input.assigneeIds),
        labels: titlesOf(input.labels ?? []),
        labelIds: labelIdsOf(input.labelIds ?? []),
        makesLabels: may(adminIssue),
      }),
      ...(may(dateIssue) && { iid: input.iid ?? undefined, createdAt: input.createdAt ?? undefined }),
    };
    return {
      id: await makeIssue(context, row, author, plan ? withCommands(given, plan.change) : given, plan, followUp),
    };
  },
});
