import { userById } from '../../accounts/users/read.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { builder } from '../../engine/builder.ts';
import { identify } from '../../engine/global-id.ts';
import { projectById } from '../../places/place/read.ts';
import { Group, Project } from '../../places/place/types.ts';
import type { Context } from '../../../context.ts';
import { mergeRequestById } from '../../reviews/merge-requests/read.ts';
import { issueById } from '../issues/read.ts';
import { noteById } from '../notes/read.ts';
import { Note } from '../notes/types.ts';
import type { TodoAction, TodoRecord } from './statements/read.ts';
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
  description: 'Only issues and merge requests have to-dos here.',
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

const pathOf = ({ projectPath, issueId, iid, noteId }: TodoRecord) =>
  `/${projectPath}/-/${issueId === null ? 'merge_requests' : 'issues'}/${iid}${noteId === null ? '' : `#note_${noteId}`}`;

/** What it is about. */
const targetOf = ({ issueId, mergeRequestId }: TodoRecord, context: Context) =>
  issueId === null ? mergeRequestById(context, mergeRequestId!) : issueById(context, issueId);

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
    body: t.exposeString('body', { description: 'The comment that it came from, otherwise the title of the target.' }),
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
      description: 'Null: it is about something in a project.',
      resolve: () => null,
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
      resolve: ({ issueId }) => (issueId === null ? ('MERGEREQUEST' as const) : ('ISSUE' as const)),
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
