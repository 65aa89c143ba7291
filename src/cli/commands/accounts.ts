import type { Command } from 'commander';
import type { GraphQLSchema } from 'graphql';
import { readConfig } from '../../config/index.ts';
import type { Application } from '../../context.ts';
import { DomainError } from '../../errors.ts';
import { CommandError, orFail } from '../failure.ts';
import { print, withJson, type Printing } from '../output.ts';
import type { Run } from '../../first-start/set-up.ts';

/** The result of a command: data for programs, and a text for people. */
export interface CommandResult {
  readonly result: unknown;
  readonly words: string;
}

/** Runs work on the gateway's database as the operator, and prints its result. */
export async function runCommand(
  options: Printing,
  work: (application: Application, schema: GraphQLSchema) => Promise<CommandResult>,
): Promise<void> {
  const { withDatabase } = await import('../../maintenance.ts');
  const { result, words } = await withDatabase(readConfig(process.env), work);
  print(options, result, words);
}

/** Runs operations as the operator. Loaded when a command needs it, as all of the schema: to load it takes a second. */
export async function operator(application: Application, schema: GraphQLSchema): Promise<Run> {
  const { asOperator } = await import('../../first-start/set-up.ts');
  return asOperator(application, schema);
}

interface Person {
  readonly id: number;
  readonly username: string;
  readonly twoFactorEnabled: boolean;
}

/** @throws CommandError */
export async function findPerson(run: Run, username: string): Promise<Person> {
  const { user } = await run<{ user: Person | null }>(
    'query ($username: String!) { user(username: $username) { id: databaseId username twoFactorEnabled } }',
    { username },
  );
  if (!user)
    throw new CommandError(
      `No user has the username ${username}.`,
      'Check the spelling; causeway user list shows the names.',
    );
  return user;
}

/** Makes a password link. @throws CommandError */
export async function passwordLink(
  application: Application,
  schema: GraphQLSchema,
  username: string,
): Promise<CommandResult> {
  const run = await operator(application, schema);
  const { id } = await findPerson(run, username);
  const url = await newPasswordLink(run, username, id);
  return { result: { username, url }, words: linkWords(username, url) };
}

/** @throws CommandError when the account can't have one */
export async function newPasswordLink(run: Run, username: string, userId: number): Promise<string> {
  try {
    const { link } = await run<{ link: { url: string } }>(
      'mutation ($input: CreatePasswordResetLinkInput!) { link: createPasswordResetLink(input: $input) { url } }',
      { input: { userId } },
    );
    return link.url;
  } catch (problem) {
    if (problem instanceof DomainError && problem.code === 'BAD_REQUEST')
      throw new CommandError(
        `${username}: ${problem.message}`,
        'An administrator can change that; then run the command again.',
      );
    throw problem;
  }
}

/** The instruction for a password link. The URL is only a path if the gateway picked its port itself. */
export const linkWords = (username: string, url: string): string =>
  `Send this link to ${username} only. It works once, within an hour${url.startsWith('/') ? ', at the address that the gateway printed when it started' : ''}:\n\n  ${url}\n`;

/** @throws CommandError when it is off already */
export async function turnOffSecondFactor(
  application: Application,
  schema: GraphQLSchema,
  username: string,
): Promise<CommandResult> {
  const run = await operator(application, schema);
  const { id, twoFactorEnabled } = await findPerson(run, username);
  if (!twoFactorEnabled)
    throw new CommandError(`${username} has no second factor.`, 'Nothing to turn off; check the spelling of the name.');
  await run(
    'mutation ($input: DisableSecondFactorOfUserInput!) { disableSecondFactorOfUser(input: $input) { user { username } } }',
    { input: { userId: id } },
  );
  return {
    result: { username, twoFactorEnabled: false },
    words: `${username} can now sign in with the password alone.`,
  };
}

const helps = {
  'reset-password': ['print a link to choose a new password; it works once, within an hour', passwordLink],
  'turn-off-second-factor': [
    'turn off two-factor authentication for a person who lost phone and recovery codes',
    turnOffSecondFactor,
  ],
} as const;

/** Commands that help people sign in again when no mail is sent and no administrator is available. */
export function accountCommands(program: Command): void {
  for (const [name, [says, help]] of Object.entries(helps)) {
    withJson(program.command(name))
      .argument('<username>')
      .description(says)
      .action(
        orFail((username: string, options: Printing) =>
          runCommand(options, (application, schema) => help(application, schema, username)),
        ),
      );
  }
}
