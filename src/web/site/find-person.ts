import type { GraphQLSchema } from 'graphql';
import type { Context } from '../../context.ts';
import { compileOperation } from '../../operation.ts';
import { isRecordNumber } from './paths.ts';

/** Finds people by the usernames that are typed into forms. */
export function personFinder(schema: GraphQLSchema) {
  const find = compileOperation<{ user: { id: number } | null }>(
    schema,
    'query ($username: String!) { user(username: $username) { id: databaseId } }',
  );

  const findById = compileOperation<{ user: { username: string } | null }>(
    schema,
    'query ($id: UserID!) { user(id: $id) { username } }',
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

  /** The username of a person whose number an address has; empty if there is none. */
  const usernameOf = async (context: Context, id: string | undefined): Promise<string> =>
    isRecordNumber(id) ? ((await findById.execute(context, { id })).user?.username ?? '') : '';

  return { named, idsOf, usernameOf };
}
