import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { WebSocket } from 'undici';

/** A gateway in a process of its own, started as an operator does, whose memory can be read. */
export interface FuzzServer {
  readonly origin: string;
  /** Its log output, or how it exited; undefined while there is neither. */
  complaint(): string | undefined;
  /** Its memory after a garbage collection, in bytes. */
  memory(): Promise<{ heap: number; resident: number }>;
  /** @returns its exit code, or the signal that ended it */
  stop(): Promise<number | string>;
}

const secretKey = 'an-instance-key-for-made-up-requests';

/** @throws Error when it doesn't start */
export async function startServer(databaseUrl: string): Promise<FuzzServer> {
  const child = spawn(process.execPath, ['--inspect=127.0.0.1:0', 'dist/cli.js', 'start'], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      CAUSEWAY_SECRET_KEY: secretKey,
      CAUSEWAY_DEMO: 'on',
      CAUSEWAY_ACCESS_LOG: 'off',
      // A garbage collection must not count as overload.
      CAUSEWAY_MAX_EVENT_LOOP_DELAY: '0',
      // At this level, every log line is a defect.
      CAUSEWAY_LOG_LEVEL: 'error',
      PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C goes to the fuzzer, which then stops this process.
    detached: true,
  });
  let [stdout, stderr] = ['', ''];
  let ended: number | string | undefined;
  const closed = once(child, 'close').then(([code, signal]) => (ended = (code ?? signal) as number | string));
  const origin = new Promise<string>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      const [, address] = /^Causeway is listening on (\S+)\n[^]*\n\n$/m.exec(stdout) ?? [];
      if (address === undefined) return;
      resolve(address);
      welcomed ??= stdout.length;
    });
  });
  let welcomed: number | undefined;
  const inspector = new Promise<string>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      const [, address] = /^Debugger listening on (\S+)$/m.exec(stderr) ?? [];
      if (address !== undefined) resolve(address);
    });
  });
  const ready = await Promise.race([Promise.all([origin, inspector]), closed]);
  if (!Array.isArray(ready)) throw new Error(`It exited with ${ready}: ${stdout}${stderr}`);
  const look = await inspect(ready[1]);
  /** The output after the welcome, without Node.js's lines about its inspector. */
  const said = () => (stdout.slice(welcomed ?? 0) + stderr.replace(/^(Debugger .*|For help, see: .*)\n/gm, '')).trim();

  return {
    origin: ready[0],
    complaint() {
      if (ended !== undefined) return `The gateway ended with ${ended}: ${said()}`;
      return said() === '' ? undefined : `The gateway logged: ${said()}`;
    },
    async memory() {
      await look('HeapProfiler.collectGarbage');
      const { usedSize } = await look<{ usedSize: number }>('Runtime.getHeapUsage');
      const { result } = await look<{ result: { value: number } }>('Runtime.evaluate', {
        expression: 'process.memoryUsage.rss()',
      });
      return { heap: usedSize, resident: result.value };
    },
    async stop() {
      look.close();
      child.kill('SIGTERM');
      return await closed;
    },
  };
}

/** A client of the inspector of a process (https://chromedevtools.github.io/devtools-protocol/v8). */
async function inspect(address: string) {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  const waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result: never };
    waiting.get(id!)?.resolve(result);
    waiting.delete(id!);
  });
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('the gateway has exited'));
  });
  let asked = 0;
  const look = async <Result>(method: string, params: object = {}) =>
    await new Promise<Result>((resolve, reject) => {
      const id = ++asked;
      waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, method, params }));
    });
  return Object.assign(look, { close: () => socket.close() });
}
