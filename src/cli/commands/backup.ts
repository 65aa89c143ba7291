import { resolve } from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import { readConfig } from '../../config/index.ts';
import type { BackupChoices, BackupHeader } from '../../backups.ts';
import { usualStallTimeout } from '../../values/time/stall-timeout.ts';
import { orFail } from '../failure.ts';
import { print, withJson, type Printing } from '../output.ts';
import { withProgress } from '../progress.ts';

/** Parses seconds. @returns milliseconds */
function stallTimeout(given: string): number {
  if (!/^[1-9]\d{0,5}$/.test(given)) throw new InvalidArgumentError('A whole number of seconds from 1 to 999999.');
  return Number(given) * 1_000;
}

/** `causeway backup` and `causeway restore`. */
export function backupCommands(program: Command): void {
  withJson(program.command('backup'))
    .argument('<file>', 'file to write; it must not exist yet')
    .description(
      'back up the database, repositories and files of jobs to a file, as of one moment, while the gateway runs',
    )
    .option(
      '--stall-timeout <seconds>',
      `fail after this time without progress (default ${usualStallTimeout / 1_000})`,
      stallTimeout,
      usualStallTimeout,
    )
    .option('--database-only', 'without repositories, logs and artifacts: something else copies DATA_DIR')
    .addHelpText(
      'after',
      `
The file contains the code of every project, digests of passwords and tokens, and two-factor secrets encrypted under the instance key. Only its
owner can read it; keep it private. It doesn't contain the instance key (CAUSEWAY_SECRET_KEY, or secret.key in
DATA_DIR): keep that too, in another place.

Examples:
  causeway backup /var/backups/causeway-$(date +%F).gz`,
    )
    .action(
      orFail(async (file: string, options: Printing & BackupChoices) => {
        const path = resolve(file);
        const { backUpDatabase } = await import('../../backups.ts');
        const header = await withProgress((progress) =>
          backUpDatabase(readConfig(process.env), path, progress, options),
        );
        print(
          options,
          summary(path, header),
          `${path}: ${rowsOf(header)} rows of ${header.tables.length} tables, as of ${header.madeAt}.\nKeep the instance key too (CAUSEWAY_SECRET_KEY, or secret.key in DATA_DIR), in another place.`,
        );
      }),
    );
  withJson(program.command('restore'))
    .argument('<file>', 'a file that causeway backup wrote')
    .description('restore a backup into an empty database and data folder, all of it or nothing')
    .option(
      '--stall-timeout <seconds>',
      `fail after this time without progress (default ${usualStallTimeout / 1_000})`,
      stallTimeout,
      usualStallTimeout,
    )
    .option(
      '--other-key',
      'restore without the instance key of the backed-up gateway: second factors and chosen tokens are lost',
    )
    .option('--database-only', 'restore the rows alone: DATA_DIR has the repositories already')
    .option('--sign-out', 'end every session, OAuth token and code, since some may have been revoked after the backup')
    .addHelpText(
      'after',
      `
The database must be empty; it may be embedded or given, whichever the backup came from. The version must be the one
that made the backup, or a newer one. Start the gateway afterwards: on an empty database it creates accounts.

Examples:
  DATA_DIR=./restored causeway restore causeway-2026-11-20.gz
  DATABASE_URL=postgres://…/restored CAUSEWAY_SECRET_KEY=… causeway restore causeway-2026-11-20.gz`,
    )
    .action(
      orFail(async (file: string, options: Printing & BackupChoices & { otherKey?: boolean; signOut?: boolean }) => {
        const path = resolve(file);
        const onNotice = (message: string) => void process.stderr.write(`${message}\n`);
        const { restoreDatabase } = await import('../../backups.ts');
        const header = await withProgress((progress) =>
          restoreDatabase(readConfig(process.env), path, {
            ...options,
            otherKey: options.otherKey === true,
            signOut: options.signOut === true,
            progress,
            onNotice,
          }),
        );
        print(
          options,
          summary(path, header),
          `${rowsOf(header)} rows of ${header.tables.length} tables restored, as of ${header.madeAt}.${options.signOut ? '' : '\nSessions and tokens that were revoked since then work again.'} See docs/operations.md for what to check now.`,
        );
      }),
    );
}

const rowsOf = ({ tables }: BackupHeader): number => tables.reduce((sum, { rows }) => sum + rows, 0);

const summary = (file: string, header: BackupHeader) => ({
  file,
  madeAt: header.madeAt,
  gateway: header.gateway,
  migrations: header.migrations.length,
  files: header.files,
  keys: header.keys,
  rows: Object.fromEntries(header.tables.map(({ name, rows }) => [name, rows])),
});
