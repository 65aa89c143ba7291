import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Command } from 'commander';
import { readConfig, type Config } from '../config/index.ts';
import { addCounts, takeCounts, type CounterValues } from '../counters.ts';
import { createLog } from '../observability/index.ts';
import type { Started } from '../server.ts';
import { CommandError, fail } from './failure.ts';

/** Git over SSH in a process of its own: its cryptography takes no time of the gateway, and its end ends nothing else. */

/** Backoff: milliseconds before a process that exited is replaced, doubled for each exit in a row. */
const firstPause = 500;
const longestPause = 30_000;
/** A process that ran so long, in milliseconds, was well. */
const well = 60_000;
/** Milliseconds that it has to exit after the drain timeout; then it is killed. */
const lastSteps = 5_000;
/** Milliseconds between two reports of what was counted, for the metrics of the gateway. */
const reportInterval = 1_000;

type Message = { readonly kind: 'listens' | 'stop' } | { readonly kind: 'counted'; readonly counts: CounterValues };
const isKind = (message: unknown, kind: Message['kind']) => (message as Partial<Message> | null)?.kind === kind;

/**
 * Runs git over SSH beside a gateway.
 * @returns how to stop both; the gateway stops its own database last
 * @throws CommandError if it can't start; the gateway is stopped then
 */
export async function withSsh(config: Config, { baseUrl, stop }: Started): Promise<() => Promise<void>> {
  const stopSsh = await superviseSsh(config, baseUrl).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return async () => {
    if (config.databaseUrl) return void (await Promise.all([stopSsh(), stop()]));
    await stopSsh();
    await stop();
  };
}

/**
 * Starts the process for git over SSH, and replaces one that exits by itself.
 * @returns how to stop it: it finishes clones and pushes in progress
 * @throws CommandError if the first one can't start
 */
async function superviseSsh(config: Config, baseUrl: string): Promise<() => Promise<void>> {
  const log = createLog(config.logLevel);
  let child: ChildProcess;
  let stopped = false;
  let waiting: NodeJS.Timeout | undefined;

  async function launch(pause: number): Promise<boolean> {
    const launched = fork(process.argv[1]!, ['ssh'], {
      env: { ...process.env, CAUSEWAY_BASE_URL: baseUrl },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child = launched;
    const begun = performance.now();
    let listening = false;
    const ended = once(launched, 'exit').then(([code, signal]: unknown[]) => {
      if (stopped || (!listening && pause === 0)) return false;
      const next =
        performance.now() - begun > well ? firstPause : Math.min(Math.max(pause * 2, firstPause), longestPause);
      log.error(
        { pid: launched.pid, code, signal, pause: next },
        'the process for git over SSH exited; starting another',
      );
      waiting = setTimeout(() => void launch(next), next);
      return false;
    });
    const said = new Promise<boolean>((resolve) => {
      launched.on('message', (message) => {
        if (isKind(message, 'counted')) addCounts((message as { counts: CounterValues }).counts);
        if (!isKind(message, 'listens')) return;
        listening = true;
        resolve(true);
      });
    });
    return await Promise.race([said, ended]);
  }

  if (!(await launch(0))) throw new CommandError('Git over SSH could not start.', 'See the output above.');
  return async () => {
    stopped = true;
    clearTimeout(waiting);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    const hangs = setTimeout(() => child.kill('SIGKILL'), config.drainTimeout + lastSteps);
    // Ignore an error: it may exit at this moment.
    child.send({ kind: 'stop' } satisfies Message, () => undefined);
    await ended;
    clearTimeout(hangs);
  };
}

/** Serves until the gateway sends `stop`, or is gone. */
async function serve(): Promise<void> {
  // Ctrl-C in a terminal reaches every process; only the gateway acts on it.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  const asked = new Promise<void>((resolve) => {
    process.on('message', (message) => isKind(message, 'stop') && resolve());
    process.once('disconnect', resolve);
  });
  const { startSsh } = await import('../ssh-gateway.ts');
  const running = await startSsh(readConfig(process.env));
  if (process.connected) process.send!({ kind: 'listens' } satisfies Message, undefined, {}, () => undefined);
  const report = () => {
    const counts = process.connected ? takeCounts() : undefined;
    if (counts) process.send!({ kind: 'counted', counts } satisfies Message, undefined, {}, () => undefined);
  };
  const reporting = setInterval(report, reportInterval);
  await asked;
  await running.stop();
  clearInterval(reporting);
  report();
  process.exit(0);
}

/** What `causeway start` runs beside itself. */
export function sshCommand(program: Command): void {
  program.command('ssh', { hidden: true }).action(async () => {
    if (!process.connected)
      fail(new CommandError('This is run by causeway start.', 'Set CAUSEWAY_SSH_PORT, and start the gateway.'));
    await serve().catch(fail);
  });
}
