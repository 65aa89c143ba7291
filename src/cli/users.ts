import type { Command } from 'commander';
import type { GraphQLSchema } from 'graphql';
import type { Application } from '../context.ts';
import { findPerson, linkWords, newPasswordLink, runCommand, type CommandResult } from './accounts.ts';
import { doing } from './failure.ts';
import { atMost, pages } from './lists.ts';
import { table, withJson, type Printing } from './output.ts';
import { asOperator } from '../first-start/set-up.ts';
import { typedPassword } from './typed-secret.ts';

const fields = 'id username name email state isAdministrator tier twoFactorEnabled createdAt confirmedAt';

interface User {
  readonly id: string;
  readonly username: string;
  readonly name: string;
  readonly email: string | null;
  readonly state: 'ACTIVE' | 'BLOCKED';
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

/** Makes an account. Without a password it brings a link by which the person chooses one. */
export async function createUser(
  application: Application,
  schema: GraphQLSchema,
  username: string,
  options: NewUser,
  password?: string,
): Promise<CommandResult> {
  const { email, name = username, administrator = false, premium = false, unverified = false } = options;
  const run = asOperator(application, schema);
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
  const made = `${user.username} has an account now, with the id ${user.id}.`;
  if (password !== undefined) return { result: { user }, words: made };
  if (unverified)
    return {
      result: { user },
      words: `${made} Nobody can sign in with it until the address is confirmed and a password is set.`,
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
  const filter = { search, administrators: administrators ?? null, states: blocked ? ['BLOCKED'] : null };
  const { nodes, total } = await pages<User>(
    asOperator(application, schema),
    'users',
    'UserFilter',
    fields,
    filter,
    limit,
  );
  const rows = nodes.map((user) => [
    user.id,
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
    state === 'BLOCKED' && 'blocked',
    confirmedAt === null && 'unconfirmed',
    twoFactorEnabled && 'second factor',
  ]
    .filter(Boolean)
    .join(', ');

const states = {
  block: ['end every session and OAuth token of a person, and let them in no more', 'blockUser', 'is blocked'],
  unblock: ['let a blocked person in again', 'unblockUser', 'may come in again'],
} as const;

export async function setState(
  application: Application,
  schema: GraphQLSchema,
  how: keyof typeof states,
  username: string,
): Promise<CommandResult> {
  const [, mutation, done] = states[how];
  const run = asOperator(application, schema);
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
  const user = program.command('user').description('make, list, block and unblock accounts');
  withJson(user.command('create'))
    .argument('<username>')
    .description('make an account; prints a link by which the person chooses a password, unless one is given')
    .requiredOption('--email <address>', 'primary address, taken as confirmed')
    .option('--name <name>', 'full name; the username where it is left out')
    .option('--password', 'ask for the password, or read it from the first line of a pipe')
    .option('--administrator', 'give every right there is')
    .option('--premium', 'on the higher tier')
    .option('--unverified', 'the address is still to be confirmed')
    .addHelpText(
      'after',
      `
Examples:
  causeway user create ada --email ada@example.com --name "Ada Lovelace"
  causeway user create ops --email ops@example.com --administrator --password < password.txt`,
    )
    .action(
      doing(async (username: string, { password, ...options }: NewUser & Printing & { password?: boolean }) => {
        const typed = password ? await typedPassword(username) : undefined;
        await runCommand(options, (application, schema) => createUser(application, schema, username, options, typed));
      }),
    );
  withJson(user.command('list'))
    .description('list people, the latest first')
    .option('--search <text>', 'only those with every word of it in the name, or with this address')
    .option('--blocked', 'only those who are blocked')
    .option('--administrators', 'only administrators')
    .option('--limit <count>', 'how many at most', atMost, 100)
    .action(
      doing((options: UserSelection & Printing) =>
        runCommand(options, (application, schema) => listUsers(application, schema, options)),
      ),
    );
  for (const how of ['block', 'unblock'] as const) {
    withJson(user.command(how))
      .argument('<username>')
      .description(states[how][0])
      .action(
        doing((username: string, options: Printing) =>
          runCommand(options, (application, schema) => setState(application, schema, how, username)),
        ),
      );
  }
}
