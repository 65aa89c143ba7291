import type { MilestoneRecord } from '../../../database/access/planning.ts';
import type { UserRecord } from '../../../database/access/records.ts';
import { isAdministrator } from '../../../policy/index.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { builder } from '../../engine/builder.ts';
import { identify } from '../../engine/global-id.ts';
import { orNull, withTimes } from '../../engine/times.ts';
import { htmlOf, lineHtmlOf } from '../../planning/markdown/html.ts';
import { Milestone } from '../../planning/milestones/types.ts';
import { referenceFrom } from '../../planning/place/reference.ts';
import { Todoable } from '../../planning/todos/todoable.ts';
import { humanDuration } from '../../planning/time-tracking/duration.ts';
import { labelsAndAssignees } from '../../planning/issues/item-lists.ts';
import { TaskCompletionStatus } from '../../planning/issues/types.ts';
import type { SeenMergeRequest } from './look-up.ts';
import { mustBeRebased } from './status.ts';
import type { MergeRequestRecord } from './statements/reading.ts';
import { decidesSquash } from '../../../values/attributes/squash-option.ts';

export type { MergeParams, MergeRequestRecord } from './statements/reading.ts';

/** A merge request, with what its look-up read besides. */
export type ShownMergeRequest = MergeRequestRecord & {
  readonly subscribed?: boolean;
  readonly headPipelineId?: number | null;
  /** What the viewer may do in the target. */
  readonly rights?: Pick<SeenMergeRequest, 'facts' | 'isArchived'>;
};

export const MergeRequestState = builder.enumType('MergeRequestState', {
  values: {
    opened: { value: 'OPENED' },
    closed: { value: 'CLOSED' },
    locked: { value: 'LOCKED', description: 'It is being merged.' },
    merged: { value: 'MERGED' },
    all: { value: 'ALL', description: 'Only in a filter.' },
  } as const,
});

const MergeStatus = builder.enumType('MergeStatus', {
  description: 'Whether git can merge it, as was last seen.',
  values: ['UNCHECKED', 'CHECKING', 'CAN_BE_MERGED', 'CANNOT_BE_MERGED', 'CANNOT_BE_MERGED_RECHECK'] as const,
});

export const DiffRefs = builder.objectRef<{ base: string; head: string; start: string }>('DiffRefs').implement({
  description: 'The commits that a diff lies between.',
  fields: (t) => ({
    baseSha: t.exposeString('base', { description: 'Where both branches parted.' }),
    headSha: t.exposeString('head', { description: 'The head of the source branch.' }),
    startSha: t.exposeString('start', { description: 'The head of the target branch when the diff was made.' }),
  }),
});

const numberOf = ({ iid }: MergeRequestRecord) => `!${iid}`;
const pathOf = ({ projectPath, iid }: MergeRequestRecord) => `/${projectPath}/-/merge_requests/${iid}`;

export const MergeRequest = builder.objectRef<ShownMergeRequest>('MergeRequest').implement({
  interfaces: [Todoable],
  description: 'A merge request of a project, its target.',
  fields: (t) => ({
    iid: t.exposeID('iid', { description: 'Its number in the target.' }),
    projectId: t.exposeInt('projectId', { description: 'The number of the target.' }),
    targetProjectId: t.exposeInt('projectId', { description: 'The same.' }),
    sourceProjectId: t.exposeInt('sourceProjectId', { nullable: true, description: 'Null when the fork is gone.' }),
    sourceBranch: t.exposeString('sourceBranch'),
    targetBranch: t.exposeString('targetBranch'),
    title: t.exposeString('title'),
    titleHtml: t.string({
      description: 'The title, as HTML that is safe in a page.',
      resolve: (one, _args, context) => lineHtmlOf(context, one.title, one),
    }),
    description: t.exposeString('description', { nullable: true, description: 'As Markdown.' }),
    descriptionHtml: t.string({
      nullable: true,
      description: 'As HTML that is safe in a page, with links to what you see.',
      resolve: (one, _args, context) => (one.description === null ? null : htmlOf(context, one.description, one)),
    }),
    state: t.field({ type: MergeRequestState, direct: true, resolve: ({ state }) => state }),
    draft: t.exposeBoolean('draft', { description: 'Whether its title says that it isn’t ready.' }),
    author: t.field({ type: UserCore, direct: true, resolve: ({ author }) => withTimes<UserRecord>(author) }),
    assignee: t.field({
      type: UserCore,
      nullable: true,
      description: 'The first of `assignees`; there is at most one.',
      direct: true,
      resolve: ({ assignee }) => orNull<UserRecord>(assignee),
    }),
    reviewer: t.field({
      type: UserCore,
      nullable: true,
      description: 'The first of `reviewers`; there is at most one.',
      direct: true,
      resolve: ({ reviewer }) => orNull<UserRecord>(reviewer),
    }),
    mergeUser: t.field({
      type: UserCore,
      nullable: true,
      description: 'Who merged it, or set it to merge by itself.',
      direct: true,
      resolve: ({ mergeUser }) => orNull<UserRecord>(mergeUser),
    }),
    closedBy: t.field({
      type: UserCore,
      nullable: true,
      description: 'Who closed it; null unless it is closed.',
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
      description: 'A reference to it: `!7`.',
      args: {
        full: t.arg.boolean({ defaultValue: false, description: 'Whether with the path: `group/project!7`.' }),
        from: t.arg.id({ description: 'Id or full path of a group: the reference that a text of this group has.' }),
      },
      resolve: (one, { full, from }) =>
        full
          ? `${one.projectPath}${numberOf(one)}`
          : from == null
            ? numberOf(one)
            : referenceFrom(one, numberOf(one), from),
    }),
    diffHeadSha: t.exposeString('headSha', {
      nullable: true,
      description: 'The head of the current version; null while a branch is missing.',
    }),
    diffRefs: t.field({
      type: DiffRefs,
      nullable: true,
      description: 'The commits of the current version; null while a branch is missing.',
      direct: true,
      resolve: ({ baseSha, headSha, startSha }) =>
        baseSha !== null && headSha !== null && startSha !== null
          ? { base: baseSha, head: headSha, start: startSha }
          : null,
    }),
    filesCount: t.exposeInt('filesCount', {
      nullable: true,
      description: 'How many files it changes, up to one more than a diff shows; null while a branch is missing.',
    }),
    commitCount: t.exposeInt('commitsCount', { description: 'How many commits it has, up to 1,001.' }),
    mergeStatusEnum: t.field({ type: MergeStatus, direct: true, resolve: ({ mergeStatus }) => mergeStatus }),
    conflicts: t.boolean({
      description: 'Whether git can’t merge it, as was last seen.',
      direct: true,
      resolve: ({ mergeStatus }) => mergeStatus === 'CANNOT_BE_MERGED',
    }),
    mergeError: t.exposeString('mergeError', {
      nullable: true,
      description: 'Why the last merge or rebase failed.',
    }),
    rebaseInProgress: t.boolean({ direct: true, resolve: ({ rebasingSince }) => rebasingSince !== null }),
    mergeableDiscussionsState: t.boolean({
      description: 'Whether no thread stands in the way of merging.',
      direct: true,
      resolve: ({ rules, unresolved }) => rules.onlyAllowMergeIfAllDiscussionsAreResolved !== true || unresolved === 0,
    }),
    squash: t.exposeBoolean('squash', { description: 'Whether its commits become one when it is merged.' }),
    squashOnMerge: t.boolean({
      description: 'The same, by what the project demands.',
      direct: true,
      resolve: ({ squash, rules }) => rules.squashOption === 'always' || (squash && rules.squashOption !== 'never'),
    }),
    squashReadOnly: t.boolean({
      description: 'Whether the project decides this, whatever `squash` says.',
      direct: true,
      resolve: ({ rules }) => decidesSquash(rules.squashOption),
    }),
    shouldBeRebased: t.boolean({
      description: 'Whether it has to be rebased before it is merged, as was last seen.',
      direct: true,
      resolve: mustBeRebased,
    }),
    forceRemoveSourceBranch: t.exposeBoolean('forceRemoveSource', {
      nullable: true,
      description: 'Whether its author asked for the source branch to be removed once it is merged.',
    }),
    shouldRemoveSourceBranch: t.boolean({
      nullable: true,
      description: 'What the call to merge said about the source branch.',
      direct: true,
      resolve: ({ mergeParams }) => mergeParams?.removeSource ?? null,
    }),
    allowCollaboration: t.exposeBoolean('allowCollaboration', {
      description: 'Whether members of the target may push to the source branch of a fork.',
    }),
    autoMergeEnabled: t.exposeBoolean('autoMerge', {
      description: 'Whether it is merged once its pipeline succeeds.',
    }),
    mergeWhenPipelineSucceeds: t.exposeBoolean('autoMerge', { nullable: true, description: 'The same.' }),
    mergeCommitSha: t.exposeString('mergeCommitSha', {
      nullable: true,
      description: 'The merge commit; null after a fast-forward.',
    }),
    squashCommitSha: t.exposeString('squashCommitSha', { nullable: true }),
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
    taskCompletionStatus: t.field({ type: TaskCompletionStatus, direct: true, resolve: (one) => one }),
    webPath: t.string({ direct: true, description: 'The path of its page.', resolve: pathOf }),
    webUrl: t.string({
      description: 'Its page.',
      direct: true,
      resolve: (one, _args, { baseUrl }) => `${baseUrl}${pathOf(one)}`,
    }),
    mergedAt: t.expose('mergedAt', { type: 'Time', nullable: true }),
    mergeAfter: t.expose('mergeAfter', {
      type: 'Time',
      nullable: true,
      description: 'The moment before which it isn’t merged.',
    }),
    closedAt: t.expose('closedAt', { type: 'Time', nullable: true }),
    preparedAt: t.field({
      type: 'Time',
      nullable: true,
      description: 'Since when its first diff is there.',
      direct: true,
      resolve: ({ createdAt, headSha }) => (headSha === null ? null : createdAt),
    }),
    createdAt: t.expose('createdAt', { type: 'Time' }),
    updatedAt: t.expose('updatedAt', { type: 'Time' }),
  }),
});

identify(MergeRequest, 'MergeRequest');

labelsAndAssignees(MergeRequest);
