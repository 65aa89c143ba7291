import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { confirmPage } from '../../site/forms/confirm.tsx';
import { seeOtherSaying, type PageRoute } from '../../site/visit.ts';
import { userPath, usersPath } from '../users/administration-view.tsx';
import { allActions, type Action, type ActionName } from './actions.ts';

/** The pages on which administrators change the state of an account. */
export function statePages(schema: GraphQLSchema): PageRoute[] {
  const find = compileOperation<{ user: { id: number; name: string; username: string } | null }>(
    schema,
    'query ($id: UserID!) { user(id: $id) { id: databaseId name username } }',
  );
  const page = (name: ActionName, { label, others, title, says, notice, danger }: Action): PageRoute => {
    const act = compileOperation<unknown>(
      schema,
      `mutation ($input: BlockUserInput!) { ${name}User(input: $input) { ${name === 'reject' ? 'userId' : 'changed'} } }`,
    );
    return confirmPage({
      path: `${usersPath}/:id/${name}`,
      name: `${name} user`,
      section: usersPath,
      async ask({ context, named, site }) {
        act.admit(context);
        const { user } = await find.execute(context, { id: named.id });
        if (!user || (others && user.username === site.visitor!.username)) return null;
        const does = label.replace(/ user$/, '');
        return { title: title(user), says, does: `${does} ${user.username}`, back: userPath(user), mild: !danger };
      },
      async act(visit) {
        const id = visit.named.id!;
        await act.execute(visit.context, { input: { userId: id } });
        return seeOtherSaying(notice, name === 'reject' ? usersPath : userPath({ id }), visit);
      },
    });
  };
  return allActions.map(([name, action]) => page(name, action));
}
