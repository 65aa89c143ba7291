import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The project's folder, with a slash at the end. */
export const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** A gateway as an operator starts it. */
export interface GatewayProcess {
  readonly child: ChildProcess;
  /** Its output so far. */
  readonly output: { stdout: string; stderr: string };
  /** Resolves when it has printed its welcome. @returns its URL. @throws Error when it exits instead */
  ready(): Promise<string>;
  /** Resolves when it has exited and its output is complete. @returns its exit code, or the signal that ended it */
  ended(): Promise<number | string>;
  /** Sends a signal and waits for the exit. */
  stop(signal?: NodeJS.Signals): Promise<number | string>;
}

/** The running processes, which `killProcesses` kills. */
const processes: GatewayProcess[] = [];

/** Settings of every gateway of a test: a machine that tests keep busy is no reason to refuse requests. */
export const unhurried = { CAUSEWAY_MAX_EVENT_LOOP_DELAY: '0', CAUSEWAY_CONNECTION_TIMEOUT: '60000' };

/**
 * Starts the built gateway with these settings, and with none that refuses work on a busy machine.
 * @param command the command line, instead of `node dist/cli.js start`
 * @param input its standard input
 */
export function startProcess(
  settings: Record<string, string>,
  command: readonly string[] = [process.execPath, 'dist/cli.js', 'start'],
  input = '',
): GatewayProcess {
  const [file, ...args] = command;
  const child = spawn(file!, args, {
    cwd: repository,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', ...unhurried, ...settings },
    stdio: 'pipe',
  });
  // A process that exits without reading its input is judged by its exit code.
  child.stdin.on('error', () => undefined).end(input);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
  const closed = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  const welcomed = new Promise<string>((resolve) => {
    child.stdout.on('data', () => {
      const [, address] = /^Causeway is listening on (\S+)\n[^]*\n\n$/m.exec(output.stdout) ?? [];
      if (address) resolve(address);
    });
  });
  const started: GatewayProcess = {
    child,
    output,
    ended: () => closed,
    ready: () =>
      Promise.race([
        welcomed,
        closed.then((code) => {
          throw new Error(`It ended with ${code}: ${output.stdout}${output.stderr}`);
        }),
      ]),
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return closed;
    },
  };
  processes.push(started);
  return started;
}

export async function killProcesses(): Promise<void> {
  for (const { child, stop } of processes.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) await stop('SIGKILL');
  }
}
