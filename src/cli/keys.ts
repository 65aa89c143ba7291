import type { Command } from 'commander';
import type { GraphQLSchema } from 'graphql';
import { readConfig } from '../config.ts';
import type { Application } from '../context.ts';
import { adoptInstanceKey } from '../maintenance.ts';
import { runCommand, type CommandResult } from './accounts.ts';
import { doing } from './failure.ts';
import { print, withJson, type Printing } from './output.ts';
import { asOperator } from '../first-start/set-up.ts';

interface Reseal {
  readonly resealed: number;
  readonly current: number;
  readonly unreadable: number;
}

/** Puts what older instance keys seal under the first one. */
export async function reseal(application: Application, schema: GraphQLSchema): Promise<CommandResult> {
  const run = asOperator(application, schema);
  const { resealSecrets: result } = await run<{ resealSecrets: Reseal }>(
    'mutation { resealSecrets { resealed current unreadable } }',
    {},
  );
  const { resealed, current, unreadable } = result;
  const lines = [`${resealed} second factors are under the first key now; ${current} were before.`];
  if (unreadable > 0)
    lines.push(
      `${unreadable} can't be opened with any of the keys: find the key that is missing, or turn them off (causeway turn-off-second-factor).`,
    );
  lines.push('The database knows the first key now. Gateways start with it alone, or with several that include it.');
  lines.push(
    'Recovery codes and tokens that an operator chose can’t be put under another key. They work until their key is removed.',
  );
  return { result, words: lines.join('\n') };
}

export function keyCommands(program: Command): void {
  const keys = program.command('keys').description('look after the instance key');
  withJson(keys.command('reseal'))
    .description('put what older keys of CAUSEWAY_SECRET_KEY seal under the first one')
    .addHelpText(
      'after',
      `
To exchange the instance key: start every process with CAUSEWAY_SECRET_KEY=new,old; run causeway keys reseal with
the same; and when nobody needs the old one any more, start with the new one alone. docs/operations.md says more.`,
    )
    .action(doing((options: Printing) => runCommand(options, reseal)));
  withJson(keys.command('adopt'))
    .description('go on with another key after the one that the database knows was lost')
    .addHelpText(
      'after',
      `
A gateway refuses to start with another key than the database was used with. Where that key is lost, this notes the
key of the settings instead, or makes a new secret.key. What the lost key guarded works no more: second factors
(causeway turn-off-second-factor), recovery codes, and tokens that an operator chose.`,
    )
    .action(
      doing(async (options: Printing) => {
        const former = await adoptInstanceKey(readConfig(process.env));
        print(
          options,
          { former },
          former === null
            ? 'The database knows this key already, or knew none; nothing is lost.'
            : `The database goes on with this key. What the key with the fingerprint ${former} guarded works no more: second factors (causeway turn-off-second-factor), recovery codes, and tokens that an operator chose.`,
        );
      }),
    );
}
