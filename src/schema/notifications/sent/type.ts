import type { Context } from '../../../context.ts';
import { NotFound } from '../../../errors.ts';
import { causes, type CauseName } from '../../../notify/causes.ts';
import { isAdministrator } from '../../../policy/index.ts';
import { userById } from '../../accounts/users/read.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { builder } from '../../engine/builder.ts';
import { identify } from '../../engine/global-id.ts';
import { visibleGroupById, visibleProjectById } from '../../places/place/read.ts';
import { Project } from '../../places/place/types.ts';
import { readableEpicById } from '../../planning/epics/read.ts';
import { webPathOf } from '../../planning/epics/types.ts';
import { readableIssueById } from '../../planning/issues/read.ts';
import { Issue } from '../../planning/issues/types.ts';
import { readablePipelineById } from '../../pipelines/pipelines/read.ts';
import { pathOf } from '../../pipelines/pipelines/types.ts';
import { lookUpSnippet } from '../../planning/snippets/look-up.ts';
import { commentedCommit } from '../../repository/commits/commented.ts';
import { readableMergeRequestById } from '../../reviews/merge-requests/read.ts';
import { MergeRequest } from '../../reviews/merge-requests/types.ts';
import { ReasonType, ViaType } from '../recipients/types.ts';
import type { NotificationRecord } from './statements.ts';

const CauseType = builder.enumType('NotificationCause', {
  description: 'What a message is about. Those that are events have a switch in the settings.',
  values: Object.fromEntries(Object.entries(causes).map(([name, { description }]) => [name, { description }])) as {
    [Name in CauseName]: { description: string };
  },
});

const StateType = builder.enumType('NotificationState', {
  values: {
    WAITING: { description: 'It waits for its turn, or is held: `outcome` says why.' },
    SENT: { description: 'The mail server took it.' },
    FAILED: { description: 'The mail server refused it in every attempt.' },
    DROPPED: { description: 'It wasn’t sent: `outcome` says why.' },
  } as const,
});

/** The title and the path of what a message is about; null once the viewer doesn't read it any more. */
async function shownSubject(
  context: Context,
  { subjectKind, subjectId, projectId, noteId }: NotificationRecord,
): Promise<{ readonly title: string; readonly path: string } | null> {
  const note = noteId === null ? '' : `#note_${noteId}`;
  if (subjectKind === 'Issue') {
    const issue = await readableIssueById(context, subjectId);
    return issue && { title: issue.title, path: `/${issue.projectPath}/-/issues/${issue.iid}${note}` };
  }
  if (subjectKind === 'MergeRequest') {
    const one = await readableMergeRequestById(context, subjectId);
    return one && { title: one.title, path: `/${one.projectPath}/-/merge_requests/${one.iid}${note}` };
  }
  if (subjectKind === 'Epic') {
    const epic = await readableEpicById(context, subjectId);
    return epic && { title: epic.title, path: webPathOf(epic) };
  }
  if (subjectKind === 'Group') {
    const group = await visibleGroupById(context, subjectId);
    return group && { title: group.name, path: `/groups/${group.fullPath}` };
  }
  const project = await visibleProjectById(context, projectId);
  if (!project) return null;
  if (subjectKind === 'Pipeline') {
    const pipeline = await readablePipelineById(context, subjectId);
    return pipeline && { title: `#${pipeline.iid} · ${pipeline.ref}`, path: pathOf(pipeline) };
  }
  if (subjectKind === 'Commit') {
    const commit = await commentedCommit(context, project, subjectId);
    return commit && { title: commit.title, path: `/${project.fullPath}/-/commit/${commit.sha}#note_${subjectId}` };
  }
  if (subjectKind === 'Project') return { title: project.name, path: `/${project.fullPath}` };
  try {
    const { snippet } = await lookUpSnippet(context, String(subjectId));
    return { title: snippet.title, path: `/${project.fullPath}/-/snippets/${subjectId}${note}` };
  } catch (error) {
    if (error instanceof NotFound) return null;
    throw error;
  }
}

const forAdministrators =
  <Value>(pick: (record: NotificationRecord) => Value) =>
  (record: NotificationRecord, _args: object, { viewer }: Context): Value | null =>
    isAdministrator(viewer) ? pick(record) : null;

export const NotificationType = builder.objectRef<NotificationRecord>('Notification').implement({
  description: 'A message to a person about something that happened, sent or not.',
  fields: (t) => ({
    cause: t.expose('cause', { type: CauseType }),
    reason: t.expose('reason', { type: ReasonType, nullable: true, description: 'The reason that it gives, if any.' }),
    via: t.expose('via', { type: ViaType, description: 'How the person came to be notified.' }),
    state: t.expose('state', { type: StateType }),
    outcome: t.exposeString('outcome', { nullable: true, description: 'Why it is held, or why it was dropped.' }),
    title: t.string({
      nullable: true,
      description: 'The title of what it is about; null if you don’t read that any more.',
      resolve: async (record, _args, context) => (await shownSubject(context, record))?.title ?? null,
    }),
    url: t.string({
      nullable: true,
      description: 'The page of what it is about; null if you don’t read that any more.',
      resolve: async (record, _args, context) => {
        const shown = await shownSubject(context, record);
        return shown && `${context.baseUrl}${shown.path}`;
      },
    }),
    issue: t.field({
      type: Issue,
      nullable: true,
      description: 'The issue that it is about; null if you don’t read it any more.',
      resolve: ({ subjectKind, subjectId }, _args, context) =>
        subjectKind === 'Issue' ? readableIssueById(context, subjectId) : null,
    }),
    mergeRequest: t.field({
      type: MergeRequest,
      nullable: true,
      description: 'The merge request that it is about; null if you don’t read it any more.',
      resolve: ({ subjectKind, subjectId }, _args, context) =>
        subjectKind === 'MergeRequest' ? readableMergeRequestById(context, subjectId) : null,
    }),
    project: t.field({
      type: Project,
      nullable: true,
      description: 'The project where it happened; null if you don’t see it any more.',
      resolve: ({ projectId }, _args, context) => visibleProjectById(context, projectId),
    }),
    address: t.exposeString('address', {
      nullable: true,
      description: 'Where it was sent, or was to be sent in the last attempt.',
    }),
    createdAt: t.expose('createdAt', { type: 'Time' }),
    dueAt: t.expose('dueAt', { type: 'Time', description: 'When it is sent, or when the next attempt is.' }),
    sentAt: t.expose('sentAt', { type: 'Time', nullable: true }),
    user: t.field({
      type: UserCore,
      nullable: true,
      description: 'Whom it is to.',
      resolve: ({ userId }, _args, context) => userById(context, userId),
    }),
    attempts: t.int({
      nullable: true,
      description: 'For administrators; null for others.',
      resolve: forAdministrators(({ attempts }) => attempts),
    }),
    lastError: t.string({
      nullable: true,
      description: 'Why the last attempt failed. For administrators; null for others.',
      resolve: forAdministrators(({ lastError }) => lastError),
    }),
  }),
});

identify(NotificationType, 'Notification');
