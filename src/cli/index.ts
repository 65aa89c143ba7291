import cluster from 'node:cluster';
import { setFlagsFromString } from 'node:v8';
import { Command, CommanderError } from 'commander';
import { readConfig, settings } from '../config/index.ts';
import { version } from '../package.ts';
import { accountCommands } from './commands/accounts.ts';
import { backupCommands } from './commands/backup.ts';
import { configurationCommands } from './commands/configuration.ts';
import { importCommand } from './commands/import.ts';
import { jobCommands } from './commands/jobs.ts';
import { keyCommands } from './commands/keys.ts';
import { migrateCommand } from './commands/migrate.ts';
import { runnerCommand } from './commands/runners.ts';
import { seedCommand } from './commands/seed.ts';
import { tokenCommands } from './commands/tokens.ts';
import { userCommands } from './commands/users.ts';
import { fillDemo } from './demo.ts';
import { doctorCommand } from './doctor/index.ts';
import { fail, usageExitCode } from './failure.ts';
import { sshCommand, withSsh } from './ssh.ts';
import { listenForStop } from './stop-signals.ts';

/** The command `causeway`. */
const program = new Command('causeway')
  .description(
    'A server for tools that speak GitLab’s API version 4: OAuth 2.0, settings, issues, git, merge requests, pipelines.',
  )
  .version(version)
  .showHelpAfterError('(causeway --help lists the commands)')
  .exitOverride()
  .addHelpText(
    'after',
    `
Every command reads the settings from the environment, as the gateway does, and works whether the gateway runs or
not. Exit codes: 0 success, 1 failure, 2 wrong usage.

Examples:
  causeway                                          start, with an embedded PostgreSQL in ./data
  causeway doctor                                   check everything, with a remedy for each problem
  causeway user create ada --email ada@example.com
  causeway backup /var/backups/causeway.gz
  causeway import --from https://gitlab.example.com --token-file token --dry-run`,
  );

program.commandsGroup('The gateway:');
program
  .command('start')
  .description('start the gateway, with an embedded PostgreSQL unless DATABASE_URL is set')
  .addHelpText('after', () => `\nSettings, from the environment:\n${settingsHelp()}`)
  .action(start);
sshCommand(program);
configurationCommands(program);
doctorCommand(program);
keyCommands(program);

program.commandsGroup('People and tokens:');
userCommands(program);
tokenCommands(program);
runnerCommand(program);
accountCommands(program);

program.commandsGroup('The database:');
migrateCommand(program);
jobCommands(program);
backupCommands(program);
importCommand(program);
seedCommand(program);

async function start(): Promise<void> {
  // By default V8 lets the heap grow to four times the live data before a full garbage collection.
  setFlagsFromString('--heap-growing-percent=100');
  if (cluster.isWorker) {
    const { serveAsWorker } = await import('./workers.ts');
    return await serveAsWorker(readConfig(process.env)).catch(fail);
  }
  const stopping = listenForStop(fail);
  try {
    const config = readConfig(process.env);
    const gateway =
      config.workers > 1
        ? await (await import('./workers.ts')).startWorkers(config, fail)
        : await (await import('./serve.ts')).serve(config);
    const { welcome } = await import('./welcome.ts');
    // Print this even if a stop was already requested: the secrets of a first start are shown only here.
    process.stdout.write(`${welcome(gateway)}\n`);
    if (config.demoContent) void fillDemo(gateway);
    await stopping.ready(config.ssh ? await withSsh(config, gateway) : gateway.stop);
  } catch (error) {
    fail(error);
  }
}

function settingsHelp(): string {
  return Object.entries(settings)
    .map(([name, { meaning, otherwise }]) => `  ${name}\n      ${meaning} Default: ${otherwise}.`)
    .join('\n');
}

try {
  // This must come last: the actions use constants of this module, which must be initialized.
  await program.parseAsync(process.argv.length > 2 ? process.argv : [...process.argv, 'start']);
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  // Help that was asked for is a success. For other errors, Commander has already printed the message.
  process.exitCode = error.exitCode === 0 ? 0 : usageExitCode;
}
