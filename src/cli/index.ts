import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { readConfig, settings } from '../config.ts';
import { startGateway } from '../server.ts';
import { welcome } from './welcome.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };

/** The command `causeway`. */
const program = new Command('causeway')
  .description('OAuth 2.0, notification settings and error tracking settings over GitLab’s API version 4 and GraphQL.')
  .version(version)
  .showHelpAfterError();

program
  .command('start', { isDefault: true })
  .description('start the gateway, with a PostgreSQL of its own unless DATABASE_URL names one')
  .addHelpText('after', () => `\nSettings, from the environment:\n${settingsHelp()}`)
  .action(start);

await program.parseAsync();

async function start(): Promise<void> {
  // Stopping may be asked for before there is anything to stop.
  let stopping = false;
  let stop: (() => Promise<void>) | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // Asked a second time: whoever asks doesn't want to wait.
      if (stopping && stop) process.exit(1);
      stopping = true;
      void stop?.().then(() => process.exit(0), fail);
    });
  }
  try {
    const gateway = await startGateway(readConfig(process.env));
    // Also when it is about to stop: the secrets of a first start are shown now or never.
    process.stdout.write(`${welcome(gateway.baseUrl, gateway.firstStart)}\n`);
    stop = gateway.stop;
    if (stopping) {
      await stop();
      process.exit(0);
    }
  } catch (error) {
    fail(error);
  }
}

/** Says what went wrong and, where it is known, what to do about it. */
function fail(error: unknown): never {
  const { message, remedy, code, stack } = error as Error & { remedy?: string; code?: string };
  const said = remedy ?? remedies[code ?? ''];
  process.stderr.write(said || (error as Error).name === 'ConfigError' ? `${message}\n${said ? `${said}\n` : ''}` : `${stack ?? message}\n`);
  process.exit(1);
}

/** For errors of the system that an operator meets. */
const remedies: { readonly [code: string]: string | undefined } = {
  EADDRINUSE: 'Something listens there already. Stop it, or set PORT to another port (0 picks a free one).',
  EADDRNOTAVAIL: 'This machine has no such address. Set HOST to one of its own, or to 127.0.0.1.',
  EACCES: 'The gateway may not use this. Set PORT to 1024 or more, or give it the right to.',
  ECONNREFUSED: 'PostgreSQL isn’t reachable under DATABASE_URL. Start it, or mend the address.',
  ENOTFOUND: 'The host in DATABASE_URL or HOST is not known. Mend the address.',
};

function settingsHelp(): string {
  return Object.entries(settings)
    .map(([name, { meaning, otherwise }]) => `  ${name}\n      ${meaning} Otherwise: ${otherwise}.`)
    .join('\n');
}
