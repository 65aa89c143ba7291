import type { GraphQLSchema } from 'graphql';
import { operatorContext, type Application } from '../context.ts';
import { Conflict, InvalidFields } from '../errors.ts';
import { compileOperation } from '../operation.ts';

/** Runs a GraphQL operation as the operator. */
export type Run = <Data>(source: string, variables: Record<string, unknown>) => Promise<Data>;

export function asOperator(application: Application, schema: GraphQLSchema): Run {
  const context = operatorContext(application);
  return (source, variables) => compileOperation<never>(schema, source).execute(context, variables);
}

export interface Account {
  readonly id: number;
  readonly username: string;
}

/**
 * Runs a step that an interrupted set-up may have done already (idempotent).
 * @param whenDone returns the result in that case
 */
async function atMostOnce<T>(step: () => Promise<T>, whenDone: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    const taken =
      error instanceof InvalidFields && Object.values(error.fields).flat().includes('has already been taken');
    if (!taken && !(error instanceof Conflict)) throw error;
    return await whenDone();
  }
}

export async function ensureUser(
  run: Run,
  input: { username: string; name: string; email: string; password: string; administrator?: boolean; tier?: 'PREMIUM' },
): Promise<Account> {
  return await atMostOnce(
    async () => {
      const { createUser } = await run<{ createUser: { user: Account } }>(
        'mutation ($input: CreateUserInput!) { createUser(input: $input) { user { id: databaseId username } } }',
        { input: { ...input, emailVerified: true } },
      );
      return createUser.user;
    },
    async () => {
      const { user } = await run<{ user: Account }>(
        'query ($username: String!) { user(username: $username) { id: databaseId username } }',
        {
          username: input.username,
        },
      );
      // Set the password again: the earlier one was never printed.
      await run('mutation ($input: ResetPasswordInput!) { resetPassword(input: $input) { user { username } } }', {
        input: { userId: user.id, password: input.password },
      });
      return user;
    },
  );
}

export async function ensureEmail(run: Run, user: Account, address: string): Promise<void> {
  await ensured(run, 'mutation ($input: AddEmailInput!) { addEmail(input: $input) { email { email } } }', {
    input: { userId: user.id, email: address, verified: true },
  });
}

export async function ensureGroup(run: Run, input: object): Promise<void> {
  await ensured(run, 'mutation ($input: CreateGroupInput!) { createGroup(input: $input) { group { path } } }', {
    input,
  });
}

export async function ensureProject(run: Run, input: object): Promise<void> {
  await ensured(run, 'mutation ($input: CreateProjectInput!) { createProject(input: $input) { project { path } } }', {
    input,
  });
}

/** Makes a user a member, unless they are one already. @param place a group or a project */
export async function ensureMember(run: Run, user: Account, accessLevel: string, place: object): Promise<void> {
  await ensured(run, 'mutation ($input: AddMembersInput!) { addMembers(input: $input) { members { databaseId } } }', {
    input: { userIds: [user.id], accessLevel, ...place },
  });
}

export async function configureErrorTracking(run: Run, input: object): Promise<void> {
  await run(
    'mutation ($input: ConfigureErrorTrackingInput!) { configureErrorTracking(input: $input) { errorTrackingSettings { active } } }',
    { input },
  );
}

/** Creates a personal access token that is valid for a year. @returns its secret */
export async function makeToken(
  run: Run,
  user: Account,
  name: string,
  scopes: string[],
  chosen?: string,
): Promise<string> {
  return await atMostOnce(
    async () => {
      const { createPersonalAccessToken } = await run<{ createPersonalAccessToken: { token: string } }>(
        'mutation ($input: CreatePersonalAccessTokenInput!) { createPersonalAccessToken(input: $input) { token } }',
        { input: { userId: user.id, name, scopes, ...(chosen !== undefined && { chosen }) } },
      );
      return createPersonalAccessToken.token;
    },
    async () => chosen!,
  );
}

async function ensured(run: Run, source: string, variables: Record<string, unknown>): Promise<void> {
  await atMostOnce<unknown>(
    () => run(source, variables),
    () => Promise.resolve(),
  );
}
