import type { Command } from 'commander';
import type { GraphQLSchema } from 'graphql';
import type { Application } from '../../context.ts';
import { findPerson, operator, runCommand, type CommandResult } from './accounts.ts';
import { CommandError, orFail } from '../failure.ts';
import { atMost, pages } from './lists.ts';
import { table, withJson, type Printing } from '../output.ts';
import { scopes as offered } from '../../policy/index.ts';
import type { Run } from '../../first-start/set-up.ts';

const fields = 'id: databaseId userId: userDatabaseId name scopes createdAt expiresAt lastUsedAt active revoked';

interface Token {
  readonly id: number;
  readonly userId: number;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly active: boolean;
  readonly revoked: boolean;
}

export interface NewToken {
  readonly name: string;
  readonly scopes: string;
  readonly expires?: string;
}

/**
 * Creates a personal access token. Its secret is shown only here.
 * @throws CommandError for an unknown scope, with the known ones
 */
export async function createToken(
  application: Application,
  schema: GraphQLSchema,
  username: string,
  { name, scopes, expires }: NewToken,
): Promise<CommandResult> {
  const wanted = scopes.split(/[\s,]+/).filter(Boolean);
  const unknown = wanted.filter((scope) => !(offered as readonly string[]).includes(scope));
  if (unknown.length > 0)
    throw new CommandError(`There is no scope ${unknown.join(', ')}.`, `Choose among ${offered.join(', ')}.`);
  const run = await operator(application, schema);
  const { id } = await findPerson(run, username);
  const { made } = await run<{ made: { token: string; personalAccessToken: Token } }>(
    `mutation ($input: CreatePersonalAccessTokenInput!) { made: createPersonalAccessToken(input: $input) { token personalAccessToken { ${fields} } } }`,
    {
      input: {
        userId: id,
        name,
        scopes: wanted,
        ...(expires !== undefined && { expiresAt: expires }),
      },
    },
  );
  const { token, personalAccessToken } = made;
  return {
    result: { username, token, personalAccessToken },
    words: `Personal access token of ${username} with ${personalAccessToken.scopes.join(', ')}, until ${personalAccessToken.expiresAt}. It is shown only this once:\n\n  ${token}\n\nTo revoke it: causeway token revoke ${personalAccessToken.id}`,
  };
}

export interface TokenSelection {
  readonly active?: boolean;
  readonly limit: number;
}

export async function listTokens(
  application: Application,
  schema: GraphQLSchema,
  username: string | undefined,
  { active, limit }: TokenSelection,
): Promise<CommandResult> {
  const run = await operator(application, schema);
  const userId = username === undefined ? null : (await findPerson(run, username)).id;
  const { nodes, total } = await pages<Token>(
    run,
    'personalAccessTokens',
    { userId: 'ID', active: 'Boolean' },
    fields,
    { userId, active },
    limit,
  );
  const names = await namesOf(
    run,
    nodes.map((token) => token.userId),
  );
  const rows = nodes.map((token) => [
    String(token.id),
    names.get(token.userId) ?? String(token.userId),
    token.name,
    token.scopes.join(' '),
    stateOf(token),
    token.expiresAt ?? 'never',
    token.lastUsedAt?.slice(0, 10) ?? 'never',
  ]);
  return {
    result: { tokens: nodes, total },
    words: `${table(['ID', 'USER', 'NAME', 'SCOPES', 'STATE', 'EXPIRES', 'LAST USED'], rows)}\n${nodes.length} of ${total}`,
  };
}

/** The names of the people who have tokens. */
async function namesOf(run: Run, userIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const ids = [...new Set(userIds)];
  if (ids.length === 0) return new Map();
  const { nodes } = await pages<Named>(run, 'users', { ids: '[ID!]' }, 'id: databaseId username', { ids }, ids.length);
  return new Map(nodes.map(({ id, username }) => [id, username]));
}

interface Named {
  readonly id: number;
  readonly username: string;
}

const stateOf = ({ active, revoked }: Token): string => (active ? 'works' : revoked ? 'revoked' : 'expired');

export async function revokeToken(application: Application, schema: GraphQLSchema, id: string): Promise<CommandResult> {
  const run = await operator(application, schema);
  const { revoked } = await run<{ revoked: { personalAccessToken: Token } }>(
    `mutation ($input: RevokePersonalAccessTokenInput!) { revoked: revokePersonalAccessToken(input: $input) { personalAccessToken { ${fields} } } }`,
    { input: { id } },
  );
  return { result: revoked, words: `Revoked the token ${id} (${revoked.personalAccessToken.name}).` };
}

export function tokenCommands(program: Command): void {
  const token = program.command('token').description('create, list and revoke personal access tokens');
  withJson(token.command('create'))
    .argument('<username>')
    .description('create a personal access token; it is printed only this once')
    .requiredOption('--scopes <scopes>', 'scopes of the token, separated by commas')
    .option('--name <name>', 'name of the token', 'command line')
    .option('--expires <day>', 'first day (UTC) on which it no longer works; in a year when omitted')
    .addHelpText(
      'after',
      `
Examples:
  causeway token create ada --scopes read_api
  causeway token create root --scopes api,sudo --name backups --expires 2027-01-31`,
    )
    .action(
      orFail((username: string, options: NewToken & Printing) =>
        runCommand(options, (application, schema) => createToken(application, schema, username, options)),
      ),
    );
  withJson(token.command('list'))
    .argument('[username]', 'only tokens of this person')
    .description('list personal access tokens, newest first, without their secrets')
    .option('--active', 'only active tokens')
    .option('--limit <count>', 'most entries to print', atMost, 100)
    .action(
      orFail((username: string | undefined, options: TokenSelection & Printing) =>
        runCommand(options, (application, schema) => listTokens(application, schema, username, options)),
      ),
    );
  withJson(token.command('revoke'))
    .argument('<id>', 'id from causeway token list')
    .description('revoke a personal access token at once')
    .action(
      orFail((id: string, options: Printing) =>
        runCommand(options, (application, schema) => revokeToken(application, schema, id)),
      ),
    );
}
