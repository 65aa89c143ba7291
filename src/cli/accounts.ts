import type { Command } from 'commander';
import type { GraphQLSchema } from 'graphql';
import { readConfig } from '../config.ts';
import type { Application } from '../context.ts';
import { DomainError } from '../errors.ts';
import { withDatabase } from '../maintenance.ts';
import { doing, Impossible } from './failure.ts';
import { print, withJson, type Printing } from './output.ts';
import { asOperator, type Run } from '../first-start/set-up.ts';

/** What a command brought: for programs, and for a person to read. */
export interface CommandResult {
  readonly result: unknown;
  readonly words: string;
}

/** Does something on the gateway's database as the operator, and prints what came of it. */
export async function runCommand(
  options: Printing,
  work: (application: Application, schema: GraphQLSchema) => Promise<CommandResult>,
): Promise<void> {
  const { result, words } = await withDatabase(readConfig(process.env), work);
  print(options, result, words);
}

interface Person {
  readonly id: string;
  readonly username: string;
  readonly twoFactorEnabled: boolean;
}

/** @throws Impossible */
export async function findPerson(run: Run, username: string): Promise<Person> {
  const { user } = await run<{ user: Person | null }>(
    'query ($username: String!) { user(username: $username) { id username twoFactorEnabled } }',
    { username },
  );
  if (!user)
    throw new Impossible(
      `Nobody has the username ${username}.`,
      'Check the name for a slip; causeway user list shows the names.',
    );
  return user;
}

/** @returns the link, with what to do with it @throws Impossible */
export async function passwordLink(
  application: Application,
  schema: GraphQLSchema,
  username: string,
): Promise<CommandResult> {
  const run = asOperator(application, schema);
  const { id } = await findPerson(run, username);
  const url = await newPasswordLink(run, username, id);
  return { result: { username, url }, words: linkWords(username, url) };
}

/** @throws Impossible where the account can't have one */
export async function newPasswordLink(run: Run, username: string, userId: string): Promise<string> {
  try {
    const { link } = await run<{ link: { url: string } }>(
      'mutation ($input: CreatePasswordResetLinkInput!) { link: createPasswordResetLink(input: $input) { url } }',
      { input: { userId } },
    );
    return link.url;
  } catch (problem) {
    if (problem instanceof DomainError && problem.code === 'BAD_REQUEST')
      throw new Impossible(
        `${username}: ${problem.message}`,
        'An administrator changes that; run the command again afterwards.',
      );
    throw problem;
  }
}

/** A gateway on a port that it chose itself is found where it said at its start. */
export const linkWords = (username: string, url: string): string =>
  `Hand this to ${username}, and to nobody else. It works once, within an hour${url.startsWith('/') ? ', at the address that the gateway printed when it started' : ''}:\n\n  ${url}\n`;

/** @throws Impossible where there is none to turn off */
export async function turnOffSecondFactor(
  application: Application,
  schema: GraphQLSchema,
  username: string,
): Promise<CommandResult> {
  const run = asOperator(application, schema);
  const { id, twoFactorEnabled } = await findPerson(run, username);
  if (!twoFactorEnabled)
    throw new Impossible(
      `${username} has no second factor.`,
      'The password is enough already; check the name for a slip.',
    );
  await run(
    'mutation ($input: DisableSecondFactorOfUserInput!) { disableSecondFactorOfUser(input: $input) { user { id } } }',
    { input: { userId: id } },
  );
  return {
    result: { username, twoFactorEnabled: false },
    words: `The password of ${username} is enough to sign in now.`,
  };
}

const helps = {
  'reset-password': ['print a link by which a person chooses a new password, once, within an hour', passwordLink],
  'turn-off-second-factor': [
    'turn off the second factor of a person who lost phone and recovery codes',
    turnOffSecondFactor,
  ],
} as const;

/** The administrator's help, where there is no administrator at hand and no mail. */
export function accountCommands(program: Command): void {
  for (const [name, [says, help]] of Object.entries(helps)) {
    withJson(program.command(name))
      .argument('<username>')
      .description(says)
      .action(
        doing((username: string, options: Printing) =>
          runCommand(options, (application, schema) => help(application, schema, username)),
        ),
      );
  }
}
