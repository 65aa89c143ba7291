import type { InputShapeFromFields, ObjectRef } from '@pothos/core';
import type { Context } from '../../../context.ts';
import { parent } from '../../../database/list.ts';
import { BadRequest, NotFound } from '../../../errors.ts';
import { reads, variantOf } from '../../../policy/index.ts';
import { CurrentUser } from '../../accounts/users/types.ts';
import { builder, type Types } from '../../engine/builder.ts';
import { idIn, idOf, type Kind } from '../../engine/global-id.ts';
import { listOfEach, nestedList } from '../../engine/list.ts';
import { requirePerson } from '../issues/changes/input.ts';
import { byLabelPriority } from '../issues/list.ts';
import { MergeRequest } from '../../reviews/merge-requests/types.ts';
import { Issue } from '../issues/types.ts';
import {
  findTodos,
  todoList,
  type TodoAction,
  type TodoFilter,
  type TodoItem,
  type TodoRecord,
  type TodoSubject,
} from './statements/read.ts';
import { Todo, TodoActionEnum, TodoStateEnum, TodoTargetEnum } from './types.ts';

/** Reading one's own to-dos. Those about what one doesn't read any more are left out everywhere. */

const orders = {
  created: { column: 't.id', type: 'int' },
  updated: { column: 't.updated_at', type: 'timestamptz' },
  /** By the priority of the labels of the issue. Those without one come last. */
  label_priority: byLabelPriority,
} as const;

const TodoSort = builder.enumType('TodoSort', {
  values: {
    LABEL_PRIORITY_ASC: { value: 'label_priority_asc' },
    LABEL_PRIORITY_DESC: { value: 'label_priority_desc' },
    CREATED_ASC: { value: 'created_asc' },
    CREATED_DESC: { value: 'created_desc' },
    UPDATED_ASC: { value: 'updated_asc' },
    UPDATED_DESC: { value: 'updated_desc' },
  } as const,
});

const todoArgs = builder.args((t) => ({
  action: t.field({ type: [TodoActionEnum] }),
  authorId: t.field({ type: ['ID'], description: 'Who caused them.' }),
  projectId: t.field({ type: ['ID'] }),
  groupId: t.field({ type: ['ID'], description: 'Groups, with their subgroups.' }),
  state: t.field({ type: [TodoStateEnum], description: 'Those that are pending, if omitted.' }),
  type: t.field({ type: [TodoTargetEnum] }),
}));

/** Maximum number of values of one filter. */
const maxNamed = 100;

/** @throws BadRequest for too many, or for the id of something else */
function idsOf(given: readonly string[] | null | undefined, kind: Kind): readonly number[] | undefined {
  if (given == null) return undefined;
  if (given.length > maxNamed) throw new BadRequest(`Name no more than ${maxNamed} in one filter.`);
  return given.map((one) => idIn(one, kind));
}

/** The types of what there are to-dos about. */
const subjects: { readonly [type: string]: TodoSubject } = {
  ISSUE: 'ISSUE',
  WORKITEM: 'ISSUE',
  MERGEREQUEST: 'MERGEREQUEST',
  PROJECT: 'PROJECT',
  NAMESPACE: 'NAMESPACE',
};

function filterOf({
  action,
  authorId,
  projectId,
  groupId,
  state,
  type,
}: InputShapeFromFields<typeof todoArgs>): TodoFilter {
  const known: readonly string[] = [
    'ASSIGNED',
    'MENTIONED',
    'DIRECTLY_ADDRESSED',
    'MARKED',
    'REVIEW_REQUESTED',
    'UNMERGEABLE',
    'MEMBER_ACCESS_REQUESTED',
  ] satisfies TodoAction[];
  return {
    actions: action?.filter((one): one is TodoAction => known.includes(one)),
    states: state ? [...new Set(state)] : undefined,
    authors: idsOf(authorId, 'User'),
    projects: idsOf(projectId, 'Project'),
    groups: idsOf(groupId, 'Group'),
    about: type?.flatMap((one) => subjects[one] ?? []),
  };
}

const listed = { type: Todo, orders, by: 'created_desc', sortType: TodoSort } as const;

nestedList(CurrentUser, 'todos', {
  admission: { class: 'token', scopes: reads },
  ...listed,
  description: 'Your to-dos, the newest first.',
  args: () => todoArgs,
  rows: ({ viewer }, asked, _info, { id }) => todoList(viewer, id, filterOf(asked)),
});

interface Asked {
  readonly states: TodoFilter['states'];
  readonly person: number;
}

/** Adds the field `currentUserTodos` to a type. */
function todosAbout<Item extends { readonly id: number }>(
  type: ObjectRef<Types, Item>,
  column: TodoItem['column'],
): void {
  const ofEach = listOfEach(({ viewer }, { states, person }: Asked) =>
    todoList(viewer, person, { states, item: { column, id: parent } }),
  );
  nestedList(type, 'currentUserTodos', {
    ...listed,
    description: 'Your to-dos about it.',
    args: (t) => ({ state: t.field({ type: TodoStateEnum, description: 'All, if omitted.' }) }),
    rows: (context, { state }, _info, { id }) =>
      ofEach(context, id, { states: state ? [state] : ['PENDING', 'DONE'], person: context.viewer.person?.id ?? 0 }),
  });
}

todosAbout(Issue, 'issue_id');
todosAbout(MergeRequest, 'merge_request_id');

/** The viewer's own to-dos with some ids, the newest first, without those that they don't read any more. */
export async function ownTodos(context: Context, ids: readonly number[]): Promise<TodoRecord[]> {
  const { viewer, database } = context;
  return await database.rows(findTodos(variantOf(viewer), viewer), [ids, requirePerson(context)]);
}

/** @throws NotFound for a to-do of someone else, or about what the viewer doesn't read any more */
export async function ownTodo(context: Context, given: string): Promise<TodoRecord> {
  const [todo] = await ownTodos(context, [idOf(given, 'Todo')]);
  if (!todo) throw new NotFound('Todo');
  return todo;
}

builder.queryField('todo', (t) =>
  t.field({
    type: Todo,
    nullable: true,
    description: 'A to-do of yours.',
    admission: { class: 'token', scopes: reads },
    args: { id: t.arg({ type: 'TodoID', required: true }) },
    resolve: async (_root, { id }, context) => (await ownTodos(context, [idOf(id, 'Todo')]))[0] ?? null,
  }),
);
