import type { MilestoneRecord } from '../../../database/access/planning.ts';
import type { UserRecord } from '../../../database/access/records.ts';
import { isAdministrator } from '../../../policy/index.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { builder } from '../../engine/builder.ts';
import { identify } from '../../engine/global-id.ts';
import { orNull, withTimes } from '../../engine/times.ts';
import { htmlOf, lineHtmlOf } from '../markdown/html.ts';
import { Milestone } from '../milestones/types.ts';
import { referenceFrom } from '../place/reference.ts';
import { Todoable } from '../todos/todoable.ts';
import { humanDuration } from '../time-tracking/duration.ts';
import { labelsAndAssignees } from './item-lists.ts';
import type { IssueRecord } from './statements/reading.ts';

/** An issue, with what the same statement read of it. */
export type ShownIssue = IssueRecord & { readonly subscribed?: boolean };

export const IssueType = builder.enumType('IssueType', {
  values: { ISSUE: {}, INCIDENT: {}, TEST_CASE: {}, TASK: {} } as const,
});

export const IssuableSeverity = builder.enumType('IssuableSeverity', {
  values: { UNKNOWN: {}, LOW: {}, MEDIUM: {}, HIGH: {}, CRITICAL: {} } as const,
});

const states = {
  opened: { value: 'OPENED' },
  closed: { value: 'CLOSED' },
  locked: { value: 'LOCKED', description: 'No issue is: its discussion can be locked.' },
  all: { value: 'ALL', description: 'Both; only in a filter.' },
} as const;
const IssueState = builder.enumType('IssueState', { values: states });
export const IssuableState = builder.enumType('IssuableState', { values: states });

export const TaskCompletionStatus = builder
  .objectRef<{ readonly tasks: number; readonly tasksCompleted: number }>('TaskCompletionStatus')
  .implement({
    description: 'The checkboxes of a description.',
    fields: (t) => ({ count: t.exposeInt('tasks'), completedCount: t.exposeInt('tasksCompleted') }),
  });

const numberOf = ({ iid }: IssueRecord) => `#${iid}`;
const pathOf = ({ projectPath, iid }: IssueRecord) => `/${projectPath}/-/issues/${iid}`;

export const Issue = builder.objectRef<ShownIssue>('Issue').implement({
  interfaces: [Todoable],
  description: 'An issue of a project.',
  fields: (t) => ({
    iid: t.exposeID('iid', { description: 'Its number in the project.' }),
    projectId: t.exposeInt('projectId', { description: 'The number of its project.' }),
    title: t.exposeString('title'),
    titleHtml: t.string({
      description: 'The title, as HTML that is safe in a page.',
      resolve: (issue, _args, context) => lineHtmlOf(context, issue.title, issue),
    }),
    description: t.exposeString('description', { nullable: true, description: 'As Markdown.' }),
    descriptionHtml: t.string({
      nullable: true,
      description: 'As HTML that is safe in a page, with links to what you see.',
      resolve: (issue, _args, context) =>
        issue.description === null ? null : htmlOf(context, issue.description, issue),
    }),
    state: t.field({ type: IssueState, direct: true, resolve: ({ state }) => state }),
    type: t.expose('type', { type: IssueType }),
    severity: t.expose('severity', { type: IssuableSeverity }),
    author: t.field({ type: UserCore, direct: true, resolve: ({ author }) => withTimes<UserRecord>(author) }),
    assignee: t.field({
      type: UserCore,
      nullable: true,
      description: 'The first of `assignees`; there is at most one.',
      direct: true,
      resolve: ({ assignee }) => orNull<UserRecord>(assignee),
    }),
    closedBy: t.field({
      type: UserCore,
      nullable: true,
      description: 'Who closed it; null for an open one.',
      direct: true,
      resolve: ({ closedBy }) => orNull<UserRecord>(closedBy),
    }),
    milestone: t.field({
      type: Milestone,
      nullable: true,
      direct: true,
      resolve: ({ milestone }) => orNull<MilestoneRecord>(milestone),
    }),
    labelTitles: t.stringList({
      description: 'The titles of its labels, in their order.',
      direct: true,
      resolve: ({ labels }) => labels.map(({ title }) => title),
    }),
    reference: t.string({
      description: 'A reference to it: `#7`.',
      args: {
        full: t.arg.boolean({ defaultValue: false, description: 'Whether with the path: `group/project#7`.' }),
        from: t.arg.id({ description: 'Id or full path of a group: the reference that a text of this group has.' }),
      },
      resolve: (issue, { full, from }) =>
        full
          ? `${issue.projectPath}${numberOf(issue)}`
          : from == null
            ? numberOf(issue)
            : referenceFrom(issue, numberOf(issue), from),
    }),
    dueDate: t.field({
      type: 'Time',
      nullable: true,
      direct: true,
      resolve: ({ dueDate }) => (dueDate === null ? null : new Date(`${dueDate}T00:00:00Z`)),
    }),
    confidential: t.exposeBoolean('confidential', {
      description: 'Whether only its author, its assignee and planners see it.',
    }),
    hidden: t.boolean({ description: 'Always false.', direct: true, resolve: () => false }),
    discussionLocked: t.exposeBoolean('discussionLocked', {
      nullable: true,
      description: 'Whether only members comment. Null until it is set for the first time.',
    }),
    upvotes: t.exposeInt('upvotes'),
    downvotes: t.exposeInt('downvotes'),
    userNotesCount: t.int({
      description: 'The number of comments that you can read.',
      direct: true,
      resolve: ({ notesCount, internalNotes, readsInternal }, _args, { viewer }) =>
        notesCount + (readsInternal || isAdministrator(viewer) ? internalNotes : 0),
    }),
    relativePosition: t.exposeInt('relativePosition', { nullable: true }),
    timeEstimate: t.exposeInt('timeEstimate', { description: 'In seconds.' }),
    totalTimeSpent: t.exposeInt('timeSpent', { description: 'In seconds.' }),
    humanTimeEstimate: t.string({
      nullable: true,
      direct: true,
      resolve: ({ timeEstimate }, _args, { settings }) => humanDuration(timeEstimate, settings),
    }),
    humanTotalTimeSpent: t.string({
      nullable: true,
      direct: true,
      resolve: ({ timeSpent }, _args, { settings }) => humanDuration(timeSpent, settings),
    }),
    taskCompletionStatus: t.field({ type: TaskCompletionStatus, direct: true, resolve: (issue) => issue }),
    moved: t.boolean({ direct: true, resolve: ({ movedToId }) => movedToId !== null }),
    webPath: t.string({ direct: true, description: 'The path of its page.', resolve: pathOf }),
    webUrl: t.string({
      description: 'Its page.',
      direct: true,
      resolve: (issue, _args, { baseUrl }) => `${baseUrl}${pathOf(issue)}`,
    }),
    closedAt: t.expose('closedAt', { type: 'Time', nullable: true }),
    createdAt: t.expose('createdAt', { type: 'Time' }),
    updatedAt: t.expose('updatedAt', { type: 'Time' }),
  }),
});

identify(Issue, 'Issue');

labelsAndAssignees(Issue);
