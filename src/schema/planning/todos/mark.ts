import type { Context } from '../../../context.ts';
import { isUniqueViolation } from '../../../database/index.ts';
import { BadRequest, NotFound } from '../../../errors.ts';
import { writes } from '../../../policy/index.ts';
import { globalId, idOf, partsOf } from '../../engine/global-id.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { requirePerson } from '../issues/changes/input.ts';
import {
  lookUpMergeRequest,
  lookUpMergeRequestById,
  prefetchMergeRequest,
} from '../../reviews/merge-requests/look-up.ts';
import { lookUpIssue, lookUpIssueById, prefetchIssue } from '../issues/look-up.ts';
import { publishTodos } from '../live/publish.ts';
import { ownTodo, ownTodos } from './list.ts';
import type { ItemId } from '../notes/item.ts';
import { addTodo, finishTodosOf } from './of-item.ts';
import { finishAllTodos, finishTodos, restoreTodos } from './statements/write.ts';
import type { TodoRecord } from './statements/read.ts';
import { Todo } from './types.ts';

/** Marking to-dos as done, and making them. */

const admission = { class: 'token', scopes: writes } as const;

/** Maximum number of to-dos that are restored at once. */
const maxRestored = 50;

const onePayload = (t: FieldsOf<{ todo: TodoRecord }>) => ({
  todo: t.field({ type: Todo, resolve: ({ todo }) => todo }),
});

const manyPayload = (t: FieldsOf<{ ids: readonly number[] }>) => ({
  todos: t.field({
    type: [Todo],
    description: 'The to-dos that were changed, and that you still read.',
    resolve: ({ ids }, _args, context) => ownTodos(context, ids),
  }),
  updatedIds: t.idList({
    deprecationReason: 'Use `todos`.',
    resolve: ({ ids }) => ids.map((id) => globalId('Todo', id)),
  }),
  updatedCount: t.int({ description: 'How many were changed by this call.', resolve: ({ ids }) => ids.length }),
});

/** The issue of an item; null for a merge request. */
const issueIn = (item: ItemId): number | null => ('issueId' in item ? item.issueId : null);

/** An issue or a merge request that the viewer reads, by its global id. @throws NotFound, Forbidden */
async function itemById(context: Context, given: string): Promise<ItemId> {
  return partsOf(given).type === 'MergeRequest'
    ? { mergeRequestId: (await lookUpMergeRequestById(context, given)).mergeRequest.id }
    : { issueId: (await lookUpIssueById(context, given)).issue.id };
}

/** The same by its number in a project. @throws also BadRequest for neither */
async function itemNamed(
  context: Context,
  named: Partial<Record<'project' | 'iid' | 'mergeRequestIid', string | null | undefined>>,
): Promise<ItemId> {
  const { project, iid, mergeRequestIid } = named;
  if (project != null && iid != null) return { issueId: (await lookUpIssue(context, { project, iid })).issue.id };
  if (project == null || mergeRequestIid == null) throw new BadRequest('`targetId` is missing.');
  const { mergeRequest } = await lookUpMergeRequest(context, { project, iid: mergeRequestIid });
  return { mergeRequestId: mergeRequest.id };
}

mutation('todoMarkDone', {
  payload: onePayload,
  description: 'Marks a to-do of yours as done.',
  admission,
  input: (t) => ({ id: t.field({ type: 'TodoID', required: true }) }),
  resolve: async (context, { id }) => {
    const todo = await ownTodo(context, id);
    const person = requirePerson(context);
    const changed = await context.database.rows(finishTodos, [[todo.id], person]);
    if (changed.length > 0) publishTodos(context, [person], todo.issueId);
    return { todo: await ownTodo(context, id) };
  },
});

/** Makes to-dos pending again. One that another request made meanwhile stays the only one of its kind. */
async function restore(context: Context, ids: readonly number[]): Promise<readonly number[]> {
  try {
    const person = requirePerson(context);
    const rows = await context.database.rows(restoreTodos, [ids, person]);
    if (rows.length > 0) publishTodos(context, [person], null);
    return rows.map(({ id }) => id);
  } catch (error) {
    if (isUniqueViolation(error)) return [];
    throw error;
  }
}

mutation('todoRestore', {
  payload: onePayload,
  description: 'Makes a to-do of yours pending again, unless you have another one of the same kind.',
  admission,
  input: (t) => ({ id: t.field({ type: 'TodoID', required: true }) }),
  resolve: async (context, { id }) => {
    const todo = await ownTodo(context, id);
    await restore(context, [todo.id]);
    return { todo: await ownTodo(context, id) };
  },
});

mutation('todoRestoreMany', {
  payload: manyPayload,
  description: `Makes up to ${maxRestored} to-dos of yours pending again.`,
  admission,
  input: (t) => ({ ids: t.field({ type: ['TodoID'], required: true }) }),
  resolve: async (context, { ids }) => {
    if (ids.length > maxRestored) throw new BadRequest(`Restore no more than ${maxRestored} to-dos at once.`);
    const own = await ownTodos(
      context,
      ids.map((id) => idOf(id, 'Todo')),
    );
    if (own.length < new Set(ids).size) throw new NotFound('Todo');
    return {
      ids: await restore(
        context,
        own.map(({ id }) => id),
      ),
    };
  },
});

mutation('todosMarkAllDone', {
  payload: manyPayload,
  description: 'Marks all your pending to-dos as done, or those about one issue or merge request.',
  admission,
  input: (t) => ({ targetId: t.field({ type: 'TodoableID' }) }),
  resolve: async (context, { targetId }) => {
    const item = targetId == null ? null : await itemById(context, targetId);
    const person = requirePerson(context);
    const ids = item
      ? await finishTodosOf(context.database, item, person)
      : (await context.database.rows(finishAllTodos, [person])).map(({ id }) => id);
    if (ids.length > 0) publishTodos(context, [person], item && issueIn(item));
    return { ids };
  },
});

mutation('todoCreate', {
  payload: (t: FieldsOf<{ id: number | null }>) => ({
    todo: t.field({
      type: Todo,
      nullable: true,
      description: 'Null if you have marked it already.',
      resolve: async ({ id }, _args, context) => (id === null ? null : ((await ownTodos(context, [id]))[0] ?? null)),
    }),
  }),
  description: 'Makes a to-do about an issue or a merge request for yourself.',
  admission,
  prefetch: ({ input }) => {
    const { projectPath: project, iid, mergeRequestIid } = (input ?? {}) as Record<string, unknown>;
    return typeof iid === 'string'
      ? prefetchIssue({ project, iid })
      : prefetchMergeRequest({ project, iid: mergeRequestIid });
  },
  input: (t) => ({
    targetId: t.field({ type: 'TodoableID' }),
    projectPath: t.id({
      description: 'Instead of `targetId`: full path or id of the project, and `iid` or `mergeRequestIid`.',
    }),
    iid: t.string({ description: 'The number of an issue.' }),
    mergeRequestIid: t.string({ description: 'The number of a merge request.' }),
  }),
  resolve: async (context, { targetId, projectPath: project, iid, mergeRequestIid }) => {
    const item =
      targetId == null
        ? await itemNamed(context, { project, iid, mergeRequestIid })
        : await itemById(context, targetId);
    const person = requirePerson(context);
    const id = await addTodo(context.database, item, person);
    if (id !== null) publishTodos(context, [person], issueIn(item));
    return { id };
  },
});
