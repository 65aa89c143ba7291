import { Command } from 'commander';
import type { GraphQLSchema } from 'graphql';
import { readConfig } from '../config.ts';
import type { Application } from '../context.ts';
import { DomainError } from '../errors.ts';
import { withDatabase } from '../server.ts';
import { asOperator } from './set-up.ts';

/** A command that can't be done, with what to do about it. */
class Impossible extends Error {
  readonly remedy: string;
  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}

interface Person {
  readonly id: string;
  readonly twoFactorEnabled: boolean;
}

/** Finds a person by name and does something for them. @param check throws where there is nothing to do @throws Impossible */
async function forPerson<Data>(
  application: Application,
  schema: GraphQLSchema,
  username: string,
  source: string,
  check: (person: Person) => void = () => {},
): Promise<Data> {
  const run = asOperator(application, schema);
  const { user } = await run<{ user: Person | null }>('query ($username: String!) { user(username: $username) { id twoFactorEnabled } }', { username });
  if (!user) throw new Impossible(`Nobody has the username ${username}.`, 'Check the name for a slip.');
  check(user);
  try {
    return await run<Data>(source, { input: { userId: user.id } });
  } catch (problem) {
    if (problem instanceof DomainError && problem.code === 'BAD_REQUEST') throw new Impossible(`${username}: ${problem.message}`, 'An administrator changes that; run the command again afterwards.');
    throw problem;
  }
}

/** @returns the link, with what to do with it */
export async function passwordLink(application: Application, schema: GraphQLSchema, username: string): Promise<string> {
  const { link } = await forPerson<{ link: { url: string } }>(
    application,
    schema,
    username,
    'mutation ($input: CreatePasswordResetLinkInput!) { link: createPasswordResetLink(input: $input) { url } }',
  );
  return `Hand this to ${username}, and to nobody else. It works once, within an hour:\n\n  ${link.url}\n`;
}

/** @returns what was done */
export async function turnOffSecondFactor(application: Application, schema: GraphQLSchema, username: string): Promise<string> {
  await forPerson(
    application,
    schema,
    username,
    'mutation ($input: DisableSecondFactorOfUserInput!) { disableSecondFactorOfUser(input: $input) { user { id } } }',
    ({ twoFactorEnabled }) => {
      if (!twoFactorEnabled) throw new Impossible(`${username} has no second factor.`, 'The password is enough already; check the name for a slip.');
    },
  );
  return `The password of ${username} is enough to sign in now.`;
}

/** @returns what was done, for a person to read */
type Help = (application: Application, schema: GraphQLSchema, username: string) => Promise<string>;

const helps: readonly (readonly [name: string, says: string, help: Help])[] = [
  ['reset-password', 'print a link by which a person chooses a new password, once, within an hour', passwordLink],
  ['turn-off-second-factor', 'turn off the second factor of a person who lost phone and recovery codes', turnOffSecondFactor],
];

/** The administrator's help, where there is no administrator at hand and no mail. */
export function accountCommands(fail: (error: unknown) => never): Command[] {
  return helps.map(([name, says, help]) =>
    new Command(name)
      .argument('<username>')
      .description(`${says}; also while the gateway runs, with the same settings`)
      .action(async (username: string) => {
        try {
          const said = await withDatabase(readConfig(process.env), (application, schema) => help(application, schema, username));
          process.stdout.write(`${said}\n`);
        } catch (error) {
          fail(error);
        }
      }),
  );
}
