import { userById } from '../../accounts/users/read.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { builder } from '../../engine/builder.ts';
import { identify } from '../../engine/global-id.ts';
import { namespaceById, projectById } from '../../places/place/read.ts';
import { Group, Project } from '../../places/place/types.ts';
import type { Context } from '../../../context.ts';
import { mergeRequestById } from '../../reviews/merge-requests/read.ts';
import { issueById } from '../issues/read.ts';
import { noteById } from '../notes/read.ts';
import { Note } from '../notes/types.ts';
import type { TodoAction, TodoRecord, TodoSubject } from './statements/read.ts';
import { Todoable } from './todoable.ts';

/** What a person has to look at. */

/** GitLab's kinds of to-dos. Only some of them arise here. */
const actions = [
  'assigned',
  'mentioned',
  'directly_addressed',
  'marked',
  'build_failed',
  'approval_required',
  'unmergeable',
  'merge_train_removed',
  'review_requested',
  'member_access_requested',
  'review_submitted',
  'okr_checkin_requested',
  'added_approver',
] as const;

export const TodoActionEnum = builder.enumType('TodoActionEnum', {
  values: Object.fromEntries(actions.map((name) => [name, { value: name.toUpperCase() }])) as {
    readonly [Name in (typeof actions)[number]]: { readonly value: Uppercase<Name> };
  },
});

export const TodoStateEnum = builder.enumType('TodoStateEnum', {
  values: { pending: { value: 'PENDING' }, done: { value: 'DONE' } } as const,
});

export const TodoTargetEnum = builder.enumType('TodoTargetEnum', {
  description:
    'Only issues and merge requests have to-dos here, and projects and groups that people ask for a role in.',
  values: [
    'ISSUE',
    'WORKITEM',
    'MERGEREQUEST',
    'COMMIT',
    'DESIGN',
    'ALERT',
    'EPIC',
    'PROJECT',
    'NAMESPACE',
    'WIKIPAGEMETA',
  ] as const,
});

/** The type of what it is about. */
function typeOf({ issueId, mergeRequestId, projectId }: TodoRecord): TodoSubject {
  if (issueId !== null) return 'ISSUE';
  if (mergeRequestId !== null) return 'MERGEREQUEST';
  return projectId === null ? 'NAMESPACE' : 'PROJECT';
}

/** The page below the place, of what a to-do is about. Those about places lead to the people who ask for a role. */
const pages: Readonly<Record<TodoSubject, (todo: TodoRecord) => string>> = {
  ISSUE: ({ placePath, iid }) => `/${placePath}/-/issues/${iid}`,
  MERGEREQUEST: ({ placePath, iid }) => `/${placePath}/-/merge_requests/${iid}`,
  PROJECT: ({ placePath }) => `/${placePath}/-/members#access-requests`,
  NAMESPACE: ({ placePath }) => `/groups/${placePath}/-/members#access-requests`,
};
const pathOf = (todo: TodoRecord) =>
  `${pages[typeOf(todo)](todo)}${todo.noteId === null ? '' : `#note_${todo.noteId}`}`;

/** What it is about. */
async function targetOf(todo: TodoRecord, context: Context) {
  const { issueId, mergeRequestId, projectId, groupId } = todo;
  if (issueId !== null) return issueById(context, issueId);
  if (mergeRequestId !== null) return mergeRequestById(context, mergeRequestId);
  // Only those who manage its members have it: they see the place.
  const place = projectId === null ? namespaceById(context, groupId) : projectById(context, projectId);
  return (await place)!;
}

export const Todo = builder.objectRef<TodoRecord>('Todo').implement({
  description: 'Something that a person has to look at.',
  fields: (t) => ({
    action: t.field({
      type: TodoActionEnum,
      description: 'Why.',
      direct: true,
      resolve: ({ action }): TodoAction => action,
    }),
    state: t.expose('state', { type: TodoStateEnum }),
    body: t.exposeString('body', {
      description:
        'The comment that it came from, otherwise the title of the target, or the full path of a project or a group.',
    }),
    author: t.field({
      type: UserCore,
      description: 'Who caused it.',
      resolve: async ({ authorId }, _args, context) => (await userById(context, authorId))!,
    }),
    project: t.field({
      type: Project,
      nullable: true,
      resolve: ({ projectId }, _args, context) => projectById(context, projectId),
    }),
    group: t.field({
      type: Group,
      nullable: true,
      description: 'The group that it is about; null if it is about a project or something in one.',
      resolve: ({ groupId }, _args, context) => namespaceById(context, groupId),
    }),
    target: t.field({ type: Todoable, resolve: (todo, _args, context) => targetOf(todo, context) }),
    targetEntity: t.field({
      type: Todoable,
      nullable: true,
      description: 'The same.',
      resolve: (todo, _args, context) => targetOf(todo, context),
    }),
    targetType: t.field({
      type: TodoTargetEnum,
      direct: true,
      resolve: typeOf,
    }),
    targetUrl: t.string({
      nullable: true,
      description: 'The page of the target, at the comment that it came from.',
      resolve: (todo, _args, { baseUrl }) => `${baseUrl}${pathOf(todo)}`,
    }),
    note: t.field({
      type: Note,
      nullable: true,
      description: 'The comment that it came from.',
      resolve: ({ noteId }, _args, context) => noteById(context, noteId),
    }),
    createdAt: t.expose('createdAt', { type: 'Time' }),
    updatedAt: t.expose('updatedAt', { type: 'Time' }),
  }),
});

identify(Todo, 'Todo');
