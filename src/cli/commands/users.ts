import type { Command } from 'commander';
import type { GraphQLSchema } from 'graphql';
import type { Application } from '../../context.ts';
import { findPerson, linkWords, newPasswordLink, operator, runCommand, type CommandResult } from './accounts.ts';
import { orFail } from '../failure.ts';
import { atMost, pages } from './lists.ts';
import { table, withJson, type Printing } from '../output.ts';
import { typedPassword } from '../typed-secret.ts';

const fields = 'id: databaseId username name email state isAdministrator tier twoFactorEnabled createdAt confirmedAt';

interface User {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly email: string | null;
  readonly state: 'active' | 'blocked' | 'deactivated' | 'banned' | 'blocked_pending_approval';
  readonly isAdministrator: boolean;
  readonly twoFactorEnabled: boolean;
  readonly createdAt: string;
  readonly confirmedAt: string | null;
}

export interface NewUser {
  readonly email: string;
  readonly name?: string;
  readonly administrator?: boolean;
  readonly premium?: boolean;
  readonly unverified?: boolean;
}

/** Creates an account. Without a password, the result has a link to choose one. */
export async function createUser(
  application: Application,
  schema: GraphQLSchema,
  username: string,
  options: NewUser,
  password?: string,
): Promise<CommandResult> {
  const { email, name = username, administrator = false, premium = false, unverified = false } = options;
  const run = await operator(application, schema);
  const {
    createUser: { user },
  } = await run<{ createUser: { user: User } }>(
    `mutation ($input: CreateUserInput!) { createUser(input: $input) { user { ${fields} } } }`,
    {
      input: {
        username,
        name,
        email,
        emailVerified: !unverified,
        administrator,
        tier: premium ? 'PREMIUM' : 'FREE',
        ...(password !== undefined && { password }),
      },
    },
  );
  const made = `Created the account ${user.username} with the id ${user.id}.`;
  if (password !== undefined) return { result: { user }, words: made };
  if (unverified)
    return {
      result: { user },
      words: `${made} Signing in works once the address is confirmed and a password is set.`,
    };
  const passwordLink = await newPasswordLink(run, user.username, user.id);
  return { result: { user, passwordLink }, words: `${made}\n${linkWords(user.username, passwordLink)}` };
}

export interface UserSelection {
  readonly search?: string;
  readonly blocked?: boolean;
  readonly administrators?: boolean;
  readonly limit: number;
}

export async function listUsers(
  application: Application,
  schema: GraphQLSchema,
  { search, blocked, administrators, limit }: UserSelection,
): Promise<CommandResult> {
  const { nodes, total } = await pages<User>(
    await operator(application, schema),
    'users',
    { search: 'String', admins: 'Boolean', states: '[UserState!]' },
    fields,
    { search, admins: administrators, states: blocked ? ['blocked'] : null },
    limit,
  );
  const rows = nodes.map((user) => [
    String(user.id),
    user.username,
    user.name,
    user.email ?? '',
    notesOf(user),
    user.createdAt.slice(0, 10),
  ]);
  return {
    result: { users: nodes, total },
    words: `${table(['ID', 'USERNAME', 'NAME', 'ADDRESS', 'NOTES', 'SINCE'], rows)}\n${nodes.length} of ${total}`,
  };
}

const notesOf = ({ state, isAdministrator, twoFactorEnabled, confirmedAt }: User): string =>
  [
    isAdministrator && 'administrator',
    state !== 'active' && state.replaceAll('_', ' '),
    confirmedAt === null && 'unconfirmed',
    twoFactorEnabled && 'second factor',
  ]
    .filter(Boolean)
    .join(', ');

const states = {
  block: ['block a person: end every session and OAuth token, and refuse sign-in', 'blockUser', 'is blocked'],
  unblock: ['allow a blocked person to sign in again', 'unblockUser', 'is unblocked'],
} as const;

export async function setState(
  application: Application,
  schema: GraphQLSchema,
  how: keyof typeof states,
  username: string,
): Promise<CommandResult> {
  const [, mutation, done] = states[how];
  const run = await operator(application, schema);
  const { id } = await findPerson(run, username);
  const data = await run<Record<string, { changed: boolean; user: { state: string } }>>(
    `mutation ($input: BlockUserInput!) { ${mutation}(input: $input) { changed user { state } } }`,
    { input: { userId: id } },
  );
  const { changed, user } = data[mutation]!;
  return {
    result: { username, changed, state: user.state },
    words: changed ? `${username} ${done}.` : `Nothing to do: ${username} ${done} already.`,
  };
}

export function userCommands(program: Command): void {
  const user = program.command('user').description('create, list, block and unblock accounts');
  withJson(user.command('create'))
    .argument('<username>')
    .description('create an account; prints a link to choose a password, unless one is given')
    .requiredOption('--email <address>', 'primary address, confirmed unless --unverified')
    .option('--name <name>', 'full name; the username when omitted')
    .option('--password', 'ask for a password, or read it from the first line of standard input')
    .option('--administrator', 'make the person an administrator')
    .option('--premium', 'in the premium tier')
    .option('--unverified', 'the person must still confirm the address')
    .addHelpText(
      'after',
      `
Examples:
  causeway user create ada --email ada@example.com --name "Ada Lovelace"
  causeway user create ops --email ops@example.com --administrator --password < password.txt`,
    )
    .action(
      orFail(async (username: string, { password, ...options }: NewUser & Printing & { password?: boolean }) => {
        const typed = password ? await typedPassword(username) : undefined;
        await runCommand(options, (application, schema) => createUser(application, schema, username, options, typed));
      }),
    );
  withJson(user.command('list'))
    .description('list people, newest first')
    .option('--search <text>', 'only people with every word in the name, or with this address')
    .option('--blocked', 'only blocked people')
    .option('--administrators', 'only administrators')
    .option('--limit <count>', 'most entries to print', atMost, 100)
    .action(
      orFail((options: UserSelection & Printing) =>
        runCommand(options, (application, schema) => listUsers(application, schema, options)),
      ),
    );
  for (const how of ['block', 'unblock'] as const) {
    withJson(user.command(how))
      .argument('<username>')
      .description(states[how][0])
      .action(
        orFail((username: string, options: Printing) =>
          runCommand(options, (application, schema) => setState(application, schema, how, username)),
        ),
      );
  }
}
