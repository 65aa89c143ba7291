import type { GraphQLSchema } from 'graphql';
import type { Context } from '../../context.ts';
import { compileOperation } from '../../operation.ts';

/** Finds people by the usernames that are typed into forms. */
export function personFinder(schema: GraphQLSchema) {
  const find = compileOperation<{ user: { id: number } | null }>(
    schema,
    'query ($username: String!) { user(username: $username) { id: databaseId } }',
  );

  /** Null for an empty name, and if no one has the name. */
  const named = async (context: Context, username: string): Promise<{ readonly id: number } | null> =>
    username === '' ? null : (await find.execute(context, { username })).user;

  /** The people of an input: none for an empty name; null if no one has the name. */
  async function idsOf(context: Context, username: string): Promise<string[] | null> {
    if (username === '') return [];
    const user = await named(context, username);
    return user && [String(user.id)];
  }

  return { named, idsOf };
}
