import { resolve } from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import { readConfig } from '../config.ts';
import { backUpDatabase, restoreDatabase, usualStallTimeout, type BackupHeader } from '../maintenance.ts';
import { doing } from './failure.ts';
import { print, withJson, type Printing } from './output.ts';
import { watched } from './progress.ts';

/** Seconds on the command line. @returns milliseconds */
function stallTimeout(given: string): number {
  if (!/^[1-9]\d{0,5}$/.test(given)) throw new InvalidArgumentError('A whole number of seconds from 1 to 999999.');
  return Number(given) * 1_000;
}

/** `causeway backup` and `causeway restore`. */
export function backupCommands(program: Command): void {
  withJson(program.command('backup'))
    .argument('<file>', 'which must not be there yet')
    .description('write all that the database holds at one moment to a file, while the gateway goes on')
    .option(
      '--stall-timeout <seconds>',
      `fail after so long without progress (otherwise ${usualStallTimeout / 1_000})`,
      stallTimeout,
      usualStallTimeout,
    )
    .addHelpText(
      'after',
      `
The file holds digests of passwords and tokens, and second factors sealed under the instance key. It is made
readable for its owner only; keep it where nobody else reads it. It doesn't hold the instance key
(CAUSEWAY_SECRET_KEY, or secret.key in DATA_DIR): keep that too, in another place.

Examples:
  causeway backup /var/backups/causeway-$(date +%F).gz`,
    )
    .action(
      doing(async (file: string, options: Printing & { stallTimeout: number }) => {
        const path = resolve(file);
        const header = await watched((progress) =>
          backUpDatabase(readConfig(process.env), path, progress, options.stallTimeout),
        );
        print(
          options,
          summary(path, header),
          `${path}: ${rowsOf(header)} rows of ${header.tables.length} tables, as of ${header.madeAt}.\nKeep the instance key too (CAUSEWAY_SECRET_KEY, or secret.key in DATA_DIR), in another place.`,
        );
      }),
    );
  withJson(program.command('restore'))
    .argument('<file>', 'which causeway backup wrote')
    .description('put a backup into an empty database, all of it or nothing')
    .option(
      '--stall-timeout <seconds>',
      `fail after so long without progress (otherwise ${usualStallTimeout / 1_000})`,
      stallTimeout,
      usualStallTimeout,
    )
    .option(
      '--other-key',
      'go on without the instance key of the backed-up gateway: second factors and chosen tokens are lost',
    )
    .option(
      '--sign-out',
      'end every session, OAuth token and code: some may have been revoked after the backup was made',
    )
    .addHelpText(
      'after',
      `
The database is an empty one, embedded or given, whichever the backup came from; the version is that which made
the backup or a newer one. The gateway is started afterwards: on an empty database it makes accounts.

Examples:
  DATA_DIR=./restored causeway restore causeway-2026-11-20.gz
  DATABASE_URL=postgres://…/restored CAUSEWAY_SECRET_KEY=… causeway restore causeway-2026-11-20.gz`,
    )
    .action(
      doing(
        async (file: string, options: Printing & { otherKey?: boolean; signOut?: boolean; stallTimeout: number }) => {
          const path = resolve(file);
          const onNotice = (message: string) => void process.stderr.write(`${message}\n`);
          const header = await watched((progress) =>
            restoreDatabase(readConfig(process.env), path, {
              otherKey: options.otherKey === true,
              signOut: options.signOut === true,
              stallTimeout: options.stallTimeout,
              progress,
              onNotice,
            }),
          );
          print(
            options,
            summary(path, header),
            `${rowsOf(header)} rows of ${header.tables.length} tables are back, as of ${header.madeAt}.${options.signOut ? '' : '\nSessions and tokens that were revoked since then work again.'} docs/operations.md says what to look at now.`,
          );
        },
      ),
    );
}

const rowsOf = ({ tables }: BackupHeader): number => tables.reduce((sum, { rows }) => sum + rows, 0);

const summary = (file: string, header: BackupHeader) => ({
  file,
  madeAt: header.madeAt,
  gateway: header.gateway,
  migrations: header.migrations.length,
  keys: header.keys,
  rows: Object.fromEntries(header.tables.map(({ name, rows }) => [name, rows])),
});
