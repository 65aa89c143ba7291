import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { readConfig, settings } from '../config.ts';
import { startGateway } from '../server.ts';
import { accountCommands } from './accounts.ts';
import { seedCommand } from './seed.ts';
import { listenForStop } from './stop-signals.ts';
import { welcome } from './welcome.ts';
import { serveAsWorker, startWorkers } from './workers.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };

/** The command `causeway`. */
const program = new Command('causeway')
  .description('OAuth 2.0, notification settings and error tracking settings over GitLab’s API version 4 and GraphQL.')
  .version(version)
  .showHelpAfterError('(causeway --help says what there is)');

program
  .command('start')
  .description('start the gateway, with a PostgreSQL of its own unless DATABASE_URL names one')
  .addHelpText('after', () => `\nSettings, from the environment:\n${settingsHelp()}`)
  .action(start);

for (const command of accountCommands(fail)) program.addCommand(command);
program.addCommand(seedCommand(fail));

async function start(): Promise<void> {
  if (cluster.isWorker) return await serveAsWorker(readConfig(process.env)).catch(fail);
  const stopping = listenForStop(fail);
  try {
    const config = readConfig(process.env);
    const gateway = config.workers > 1 ? await startWorkers(config, fail) : await startGateway(config);
    // Also when it is about to stop: the secrets of a first start are shown now or never.
    process.stdout.write(`${welcome(gateway)}\n`);
    await stopping.ready(gateway.stop);
  } catch (error) {
    fail(error);
  }
}

/** Says what went wrong and, where it is known, what to do about it. */
function fail(error: unknown): never {
  const { remedy, code, stack, errors } = error as Error & { remedy?: string; code?: string; errors?: Error[] };
  // Of a host with several addresses, each has an error, and the whole has no words of its own.
  const message = (error as Error).message || (errors ?? []).map((one) => one.message).join(', ');
  const said = remedy ?? remedies[code ?? ''];
  process.stderr.write(said || (error as Error).name === 'ConfigError' ? `${message}\n${said ? `${said}\n` : ''}` : `${stack ?? message}\n`);
  process.exit(1);
}

/** For errors of the system and of PostgreSQL (by SQLSTATE) that an operator meets. */
const remedies: { readonly [code: string]: string | undefined } = {
  EADDRINUSE: 'Something listens there already. Stop it, or set PORT to another port (0 picks a free one).',
  EADDRNOTAVAIL: 'This machine has no such address. Set HOST to one of its own, or to 127.0.0.1.',
  EACCES: 'The gateway may not use this. Set PORT to 1024 or more, or give it the right to.',
  ECONNREFUSED: 'PostgreSQL isn’t reachable under DATABASE_URL. Start it, or mend the address.',
  ENOTFOUND: 'The host in DATABASE_URL or HOST is not known. Mend the address.',
  EAI_AGAIN: 'The host in DATABASE_URL or HOST is not known just now. Mend the address, or the name service.',
  '28P01': 'PostgreSQL refuses the user or the password in DATABASE_URL. Mend them.',
  '28000': 'PostgreSQL does not let this user in from here. Mend the user in DATABASE_URL, or pg_hba.conf.',
  '42P01': 'The database was not set up yet. Start the gateway once first.',
  '3D000': 'Make the database first (CREATE DATABASE …), or mend its name in DATABASE_URL.',
};

function settingsHelp(): string {
  return Object.entries(settings)
    .map(([name, { meaning, otherwise }]) => `  ${name}\n      ${meaning} Otherwise: ${otherwise}.`)
    .join('\n');
}

// Last: what the commands use above must be there by then.
await program.parseAsync(process.argv.length > 2 ? process.argv : [...process.argv, 'start']);
