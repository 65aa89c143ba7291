import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { freePort } from '../test/support/run/ports.ts';

/** A gateway as an operator starts it; it can be killed and started again at the same address. */
export interface Gateway {
  readonly name: string;
  readonly origin: string;
  readonly pid: number;
  /** All its output, over all starts. */
  readonly output: string;
  /** Resolves when it listens. @param program the folder of another version */
  start(program?: string): Promise<void>;
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Milliseconds, set for every gateway here, so that promises can name them. */
export const timeouts = { statement: 2_000, connection: 1_000, request: 5_000 } as const;

/** The administrator's token, set when the database is set up. */
export const rootToken = 'a-token-of-root-for-faults-only';

const commonSettings: Readonly<Record<string, string>> = {
  CAUSEWAY_SECRET_KEY: 'an-instance-key-for-faults-only-0123456789',
  CAUSEWAY_ROOT_TOKEN: rootToken,
  CAUSEWAY_DEMO: 'off',
  CAUSEWAY_ACCESS_LOG: 'off',
  CAUSEWAY_LOG_LEVEL: 'info',
  CAUSEWAY_STATEMENT_TIMEOUT: String(timeouts.statement),
  CAUSEWAY_CONNECTION_TIMEOUT: String(timeouts.connection),
  CAUSEWAY_REQUEST_TIMEOUT: String(timeouts.request),
  CAUSEWAY_BODY_TIMEOUT: String(timeouts.request),
  // Every client of a fault has the same address.
  CAUSEWAY_MAX_BODIES_PER_ADDRESS: '1000',
  // A client repeats a refresh that got no answer. If all gateways start again on a busy machine, that may take more than the usual 30 s.
  CAUSEWAY_REFRESH_REUSE_WINDOW: '600',
  // Other load on the machine must not count as a fault.
  CAUSEWAY_MAX_EVENT_LOOP_DELAY: '0',
};

/** The environment of a gateway or a command. @param settings beyond the common ones */
const environment = (settings: Record<string, string>): Record<string, string | undefined> => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  ...commonSettings,
  ...settings,
});

/** Runs a command of the gateway. @returns what it printed */
export async function command(
  root: string,
  args: readonly string[],
  settings: Record<string, string>,
): Promise<string> {
  const options = { cwd: root, env: environment(settings) };
  return (await promisify(execFile)(process.execPath, ['dist/cli.js', ...args], options)).stdout;
}

export async function makeGateway(root: string, name: string, settings: Record<string, string>): Promise<Gateway> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  let output = '';
  const gateway: Gateway = {
    name,
    origin: `http://127.0.0.1:${port}`,
    get pid() {
      return child!.pid!;
    },
    get output() {
      return output;
    },
    async start(program = root) {
      const started = spawn(process.execPath, ['dist/cli.js', 'start'], {
        cwd: program,
        env: { ...environment(settings), PORT: String(port) },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = started;
      await new Promise<void>((resolve, reject) => {
        for (const stream of [started.stdout, started.stderr]) {
          stream.setEncoding('utf8').on('data', (text: string) => {
            output += text;
            if (/^Causeway is listening on/m.test(text)) resolve();
          });
        }
        started.once('close', (code, signal) =>
          reject(new Error(`Gateway ${name} ended with ${code ?? signal}: ${output.slice(-4_000)}`)),
        );
      });
    },
    async end(signal) {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    },
  };
  return gateway;
}

/** Log lines that show a defect; no fault may cause any. */
export const defectsOf = ({ output }: Gateway): string[] =>
  output
    .split('\n')
    .filter(
      (line) => /unhandled error|in a way nobody foresaw/.test(line) || /^(Error|TypeError|node:|Uncaught)/.test(line),
    );
