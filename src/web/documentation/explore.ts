import type { GraphQLSchema } from 'graphql';
import { domainError } from '../../context.ts';
import { SignInAgain } from '../../errors.ts';
import type { Answer } from '../../http/index.ts';
import { compileOperation } from '../../operation.ts';
import { requireVisitor, type PageRoute } from '../site/visit.ts';

const explorePath = '/-/explore';

/** What the scripts of GraphiQL and of the API reference learn about their visitor. */
export type Explorer =
  | { readonly person: null }
  | { readonly person: { readonly username: string }; readonly formToken: string };

/** The token of a page; `confirm`: the person has to confirm first who they are. */
export type Explored =
  | { readonly token: string; readonly scopes: readonly string[]; readonly endsAt: string }
  | { readonly confirm: true };

const toJson = (value: Explorer | Explored, status = 200): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  body: JSON.stringify(value),
});

/** Lets the scripts of two pages take the person who is signed in: they get a token of their own by one press. */
export function explorePages(schema: GraphQLSchema): PageRoute[] {
  const explore = compileOperation<{ explore: Explored }>(
    schema,
    'mutation ($input: ExploreInput!) { explore(input: $input) { token scopes endsAt } }',
  );
  return [
    {
      path: explorePath,
      name: 'explore',
      get: ({ site: { visitor } }) =>
        toJson(
          visitor ? { person: { username: visitor.username }, formToken: visitor.csrf(explorePath) } : { person: null },
        ),
      async post(visit, fields) {
        requireVisitor(visit);
        try {
          const made = await explore.execute(visit.context, { input: { writes: fields.writes === 'on' } });
          return toJson(made.explore, 201);
        } catch (thrown) {
          if (domainError(thrown) instanceof SignInAgain) return toJson({ confirm: true }, 403);
          throw thrown;
        }
      },
    },
  ];
}
