import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { picturedFields } from '../../places/avatars/avatar.tsx';
import { readQuery } from '../../site/forms/fields.ts';
import type { NoticeName } from '../../site/layout/notices.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { pageArguments, pageInfoFields, pagesAround, type PageInfo } from '../../site/records/paging.ts';
import { isRecordNumber } from '../../site/paths.ts';
import { requireVisitor, seeOther, seeOtherSaying, type PageRoute, type Visit } from '../../site/visit.ts';
import { TodoList, todosPath, type ShownTodo } from './view.tsx';

const pageSize = 20;

interface Listed {
  readonly currentUser: {
    readonly todos: { readonly nodes: readonly ShownTodo[]; readonly pageInfo: PageInfo };
    readonly pending: { readonly count: number };
  } | null;
}

/** A person's to-dos. */
export function todoPages(schema: GraphQLSchema): PageRoute[] {
  const list = compileOperation<Listed>(
    schema,
    `query ($state: [TodoStateEnum!], $first: Int, $last: Int, $before: String, $after: String) {
      currentUser {
        todos(state: $state, first: $first, last: $last, before: $before, after: $after) {
          nodes {
            id: databaseId action body state createdAt targetUrl author { ${picturedFields} username }
            target { ... on Issue { title reference(full: true) state } ... on MergeRequest { title reference(full: true) standing: state } ... on Project { name } ... on Group { name } }
          }
          ${pageInfoFields}
        }
        pending: todos(state: [pending], first: 1) { count }
      }
    }`,
  );
  const one = (mutation: string, type: string) =>
    compileOperation<object>(schema, `mutation ($input: ${type}!) { ${mutation}(input: $input) { todo { id } } }`);
  const markDone = one('todoMarkDone', 'TodoMarkDoneInput');
  const restore = one('todoRestore', 'TodoRestoreInput');
  const markAllDone = compileOperation<object>(schema, 'mutation { todosMarkAllDone(input: {}) { clientMutationId } }');

  /** A page that only takes a form; its own address leads to the list. */
  const taking = (
    page: string,
    name: string,
    notice: NoticeName,
    run: (visit: Visit) => Promise<unknown>,
  ): PageRoute => ({
    path: `${todosPath}/${page}`,
    name,
    get: () => seeOther(todosPath),
    async post(visit) {
      await run(visit);
      return seeOtherSaying(notice, notice === 'todo_restored' ? `${todosPath}?state=done` : todosPath, visit);
    },
  });

  return [
    {
      path: todosPath,
      name: 'to-dos',
      async get(visit) {
        requireVisitor(visit);
        const query = readQuery(visit.exchange);
        const done = query.state === 'done';
        const { currentUser } = await list.execute(visit.context, {
          state: [done ? 'done' : 'pending'],
          ...pageArguments(query, pageSize),
        });
        const { todos, pending } = currentUser!;
        return toAnswer(
          <TodoList
            site={visit.site}
            todos={todos.nodes}
            done={done}
            pending={pending.count}
            pages={pagesAround(todosPath, query, todos.pageInfo)}
          />,
        );
      },
    },
    taking('mark_all_done', 'mark all to-dos as done', 'todos_done', ({ context }) => markAllDone.execute(context, {})),
    taking(':id/mark_done', 'mark to-do as done', 'todo_done', ({ context, named }) =>
      markDone.execute(context, { input: { id: numberOf(named.id) } }),
    ),
    taking(':id/restore', 'restore to-do', 'todo_restored', ({ context, named }) =>
      restore.execute(context, { input: { id: numberOf(named.id) } }),
    ),
  ];
}

/** The number of an address; 0, which no to-do has, for any other text. */
const numberOf = (text = '') => (isRecordNumber(text) ? text : '0');
