import type { Command } from 'commander';
import { readConfig } from '../../config/index.ts';
import type { MigrationStatus } from '../../maintenance.ts';
import { orFail } from '../failure.ts';
import { print, withJson, type Printing } from '../output.ts';

/** `causeway migrate`: applies migrations, as every start does, or shows which are applied. */
export function migrateCommand(program: Command): void {
  withJson(program.command('migrate'))
    .description('apply the migrations of this version, as every start does; also to an empty database')
    .option('--status', 'show which migrations are applied and change nothing; exits with 1 if any is left to do')
    .addHelpText(
      'after',
      `
Examples:
  causeway migrate --status
  causeway migrate           # before the first process of a new version starts`,
    )
    .action(
      orFail((options: Printing & { status?: boolean }) => (options.status ? showStatus(options) : migrate(options))),
    );
}

async function migrate(options: Printing): Promise<void> {
  const { migrateDatabase } = await import('../../maintenance.ts');
  const report = await migrateDatabase(readConfig(process.env), (message) => void process.stderr.write(`${message}\n`));
  const { applied, alreadyApplied } = report;
  print(
    options,
    report,
    applied.length === 0
      ? `Nothing to do: all ${alreadyApplied} migrations were applied before.`
      : `${applied.length} migrations applied.`,
  );
}

async function showStatus(options: Printing): Promise<void> {
  const { statusOfMigrations } = await import('../../maintenance.ts');
  const status = await statusOfMigrations(readConfig(process.env));
  print(options, status, statusWords(status));
  if (status.pending.length + status.failed.length + status.edited.length > 0) process.exitCode = 1;
}

const meanings: readonly (readonly [keyof MigrationStatus, string])[] = [
  ['applied', 'applied'],
  ['pending', 'pending: causeway migrate or the next start applies them'],
  ['failed', 'begun and not finished; causeway migrate says how to repair that'],
  ['edited', 'applied with a different text than in this version'],
  ['unknown', 'applied by a newer version'],
];

function statusWords(status: MigrationStatus): string {
  const parts = meanings
    .filter(([kind]) => status[kind].length > 0)
    .map(
      ([kind, meaning]) => `${status[kind].length} ${meaning}:\n${status[kind].map((name) => `  ${name}`).join('\n')}`,
    );
  return parts.length > 0 ? parts.join('\n') : 'The database was never migrated.';
}
