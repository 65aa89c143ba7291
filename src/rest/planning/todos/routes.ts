import { listRoute } from '../../engine/list-route.ts';
import type { Parameter, Value } from '../../engine/parameters.ts';
import { NoContent, recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { itemPlaces } from '../notes/place.ts';
import { Todo, todoFields, type TodoData } from './record.ts';

const tag = 'To-dos';

/** The types of targets, by their names in version 4. Only issues, merge requests, projects and groups have to-dos here. */
const targets = {
  Issue: 'ISSUE',
  WorkItem: 'WORKITEM',
  MergeRequest: 'MERGEREQUEST',
  Commit: 'COMMIT',
  'DesignManagement::Design': 'DESIGN',
  'AlertManagement::Alert': 'ALERT',
  Epic: 'EPIC',
  Project: 'PROJECT',
  Namespace: 'NAMESPACE',
  'WikiPage::Meta': 'WIKIPAGEMETA',
} as const;

const actions = [
  'assigned',
  'mentioned',
  'build_failed',
  'marked',
  'approval_required',
  'unmergeable',
  'directly_addressed',
  'merge_train_removed',
  'review_requested',
  'member_access_requested',
  'review_submitted',
  'okr_checkin_requested',
  'added_approver',
];

const filters: readonly Parameter[] = [
  { name: 'action', type: 'string', allowed: actions, description: 'Only those with this reason.' },
  { name: 'author_id', type: 'integer', description: 'Only those that this person caused.' },
  { name: 'project_id', type: 'integer', description: 'Only those of this project.' },
  { name: 'group_id', type: 'integer', description: 'Only those in this group and its subgroups.' },
  { name: 'state', type: 'string', allowed: ['pending', 'done'], default: 'pending', description: 'Their state.' },
  { name: 'type', type: 'string', allowed: Object.keys(targets), description: 'Only those about this type.' },
];

/** A list with one value; undefined if it wasn't sent. */
const only = (value: Value): readonly string[] | undefined => (value == null ? undefined : [String(value)]);

export const todoRoutes: readonly AnyRoute[] = [
  listRoute<TodoData>({
    path: '/api/v4/todos',
    summary: 'List your to-dos, by default those that are pending',
    tag,
    of: 'Todo',
    parameters: filters,
    within: { field: 'currentUser' },
    field: 'todos',
    args: {
      action: '[TodoActionEnum!]',
      authorId: '[ID!]',
      projectId: '[ID!]',
      groupId: '[ID!]',
      state: '[TodoStateEnum!]',
      type: '[TodoTargetEnum!]',
    },
    selection: todoFields,
    variables: (values) => ({
      action: only(values.action),
      authorId: only(values.author_id),
      projectId: only(values.project_id),
      groupId: only(values.group_id),
      state: only(values.state),
      type: values.type == null ? undefined : [targets[values.type as keyof typeof targets]],
    }),
    person: 401,
    record: Todo,
  }),
  route<{ todoMarkDone: { todo: TodoData } }>({
    method: 'POST',
    path: '/api/v4/todos/:todo_id/mark_as_done',
    summary: 'Mark a to-do as done',
    tag,
    parameters: [],
    operation: `mutation ($input: TodoMarkDoneInput!) { todoMarkDone(input: $input) { todo { ${todoFields} } } }`,
    variables: ({ todo_id: id }) => ({ input: { id: String(id) } }),
    status: 201,
    missing: { Todo: '404 Not found' },
    record: recordOf(Todo, ({ todoMarkDone }) => todoMarkDone.todo),
    dialect: 'version 4',
  }),
  route<unknown>({
    method: 'POST',
    path: '/api/v4/todos/mark_as_done',
    summary: 'Mark all to-dos as done',
    tag,
    parameters: [],
    operation: 'mutation { todosMarkAllDone(input: {}) { updatedCount } }',
    variables: () => ({}),
    status: 204,
    record: NoContent,
    dialect: 'version 4',
  }),
  ...itemPlaces.map(({ path, words, name }) =>
    route<{ todoCreate: { todo: TodoData | null } }>({
      method: 'POST',
      path: `${path}/todo`,
      summary: `Make a to-do about ${words} for yourself`,
      tag,
      parameters: [],
      operation: `mutation ($input: TodoCreateInput!) { todoCreate(input: $input) { todo { ${todoFields} } } }`,
      variables: (values) => ({ input: name(values) }),
      status: 201,
      unchanged: ({ todoCreate }) => todoCreate.todo === null,
      missing: { Issue: '404 Not found', MergeRequest: '404 Not found' },
      record: recordOf(Todo, ({ todoCreate }) => todoCreate.todo!),
      dialect: 'version 4',
    }),
  ),
];
