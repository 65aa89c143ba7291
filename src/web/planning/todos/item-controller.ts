import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import type { PlaceRoute } from '../../places/place/route.ts';
import type { NoticeName } from '../../site/layout/notices.ts';
import { seeOtherSaying } from '../../site/visit.ts';
import { hostPath, takingOf, type NoteableHost } from '../notes/host.ts';

/** What one has to do about an issue or a merge request: putting it onto one's list, and taking it off. */
export function itemTodoPages(schema: GraphQLSchema, host: NoteableHost): PlaceRoute[] {
  const add = compileOperation<object>(
    schema,
    'mutation ($input: TodoCreateInput!) { todoCreate(input: $input) { todo { state } } }',
  );
  const finish = compileOperation<object>(
    schema,
    'mutation ($input: TodosMarkAllDoneInput!) { todosMarkAllDone(input: $input) { updatedCount } }',
  );

  const button = (page: string, name: string, run: typeof add, notice: NoticeName): PlaceRoute =>
    takingOf(host, page, name, async (visit, place) => {
      const targetId = (await host.find(visit, place))?.id;
      if (targetId === undefined) return null;
      await run.execute(visit.context, { input: { targetId } });
      return seeOtherSaying(notice, hostPath(host, place, visit.named.iid!), visit);
    });

  return [
    button('todo', 'add to-do', add, 'todo_added'),
    button('todo_done', 'mark to-do as done', finish, 'todo_done'),
  ];
}
