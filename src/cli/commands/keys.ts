import type { Command } from 'commander';
import type { GraphQLSchema } from 'graphql';
import { readConfig } from '../../config/index.ts';
import type { Application } from '../../context.ts';
import { operator, runCommand, type CommandResult } from './accounts.ts';
import { orFail } from '../failure.ts';
import { print, withJson, type Printing } from '../output.ts';

interface Reseal {
  readonly resealed: number;
  readonly current: number;
  readonly unreadable: number;
  readonly pipelineSecretsResealed: number;
  readonly pipelineSecretsUnreadable: number;
  readonly sshHostKey: 'NONE' | 'CURRENT' | 'RESEALED' | 'UNREADABLE';
}

/** What is said of the SSH host key. */
const ofHostKey: { readonly [Outcome in Reseal['sshHostKey']]: string | undefined } = {
  NONE: undefined,
  CURRENT: 'The SSH host key was encrypted under the first key already.',
  RESEALED: 'The SSH host key was re-encrypted under the first key.',
  UNREADABLE:
    "The SSH host key can't be decrypted with any of the keys: find the missing key, or run causeway keys adopt, after which clients have to accept another host key.",
};

/** Re-encrypts with the first instance key the values that older keys encrypted. */
export async function reseal(application: Application, schema: GraphQLSchema): Promise<CommandResult> {
  const run = await operator(application, schema);
  const { resealSecrets: result } = await run<{ resealSecrets: Reseal }>(
    'mutation { resealSecrets { resealed current unreadable pipelineSecretsResealed pipelineSecretsUnreadable sshHostKey } }',
    {},
  );
  const { resealed, current, unreadable } = result;
  const lines = [`${resealed} second factors re-encrypted under the first key; ${current} were already.`];
  if (unreadable > 0)
    lines.push(
      `${unreadable} can't be decrypted with any of the keys: find the missing key, or turn them off (causeway turn-off-second-factor).`,
    );
  const { pipelineSecretsResealed: ofPipelines, pipelineSecretsUnreadable: lost } = result;
  if (ofPipelines > 0) lines.push(`${ofPipelines} values of CI variables and tokens of triggers were re-encrypted.`);
  if (lost > 0)
    lines.push(
      `${lost} values of CI variables and tokens of triggers can't be decrypted with any of the keys: find the missing key, or set them again.`,
    );
  const said = ofHostKey[result.sshHostKey];
  if (said !== undefined) lines.push(said);
  lines.push(
    'The first key is now noted in the database. Gateways start with it alone, or with several that include it.',
  );
  lines.push(
    'Recovery codes and tokens that an operator chose can’t be re-encrypted. They work until their key is removed.',
  );
  return { result, words: lines.join('\n') };
}

export function keyCommands(program: Command): void {
  const keys = program.command('keys').description('manage the instance key');
  withJson(keys.command('reseal'))
    .description('re-encrypt under the first key of CAUSEWAY_SECRET_KEY what its older keys encrypted')
    .addHelpText(
      'after',
      `
To replace the instance key: start every process with CAUSEWAY_SECRET_KEY=new,old; run causeway keys reseal with the
same value; when nothing needs the old key any more, start with the new one alone. See docs/operations.md.`,
    )
    .action(orFail((options: Printing) => runCommand(options, reseal)));
  withJson(keys.command('adopt'))
    .description('use another key after the one noted in the database was lost')
    .addHelpText(
      'after',
      `
A gateway refuses to start with a key that differs from the one noted in the database. When that key is lost, this
command notes the key of the settings instead, or makes a new secret.key. What the lost key protected stops working:
second factors (causeway turn-off-second-factor), recovery codes, and tokens that an operator chose. The next start makes
another SSH host key.`,
    )
    .action(
      orFail(async (options: Printing) => {
        const { adoptInstanceKey } = await import('../../maintenance.ts');
        const former = await adoptInstanceKey(readConfig(process.env));
        print(
          options,
          { former },
          former === null
            ? 'The database has this key noted already, or had none; nothing is lost.'
            : `This key is now noted in the database. What the key with the fingerprint ${former} protected no longer works: second factors (causeway turn-off-second-factor), recovery codes, and tokens that an operator chose.`,
        );
      }),
    );
}
