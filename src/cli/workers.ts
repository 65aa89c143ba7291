import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../config/index.ts';
import { OperatorError } from '../errors.ts';
import { createLog, WorkersMeasured, type Log } from '../observability/index.ts';
import type { Started } from '../server.ts';
import { startOwnDatabase } from '../store.ts';
import { serve } from './serve.ts';

/** Crash loop: after `maxEnds` unexpected exits within `within` milliseconds, the primary stops replacing workers. */
const maxEnds = 5;
const within = 60_000;
/** Backoff: milliseconds before an exited worker is replaced, doubled for each exit within that time. */
const firstPause = 100;

/** Milliseconds that a worker has to exit after the drain timeout; then the primary kills it. */
const lastSteps = 5_000;

/** Heartbeat: milliseconds between two pings, and how many a worker may leave unanswered. */
const pingInterval = 2_000;
const maxUnanswered = 10;

/** Messages between the primary and its workers. Metrics use the same channel. */
interface Listens {
  readonly kind: 'listens';
  readonly started: Omit<Started, 'stop'>;
}
interface Stop {
  readonly kind: 'stop';
}
/** Heartbeat: the primary sends `ping`, the worker answers `pong`. */
interface Heartbeat {
  readonly kind: 'ping' | 'pong';
}

/** Workers can't start, or crash repeatedly. */
class WorkersError extends OperatorError {
  override readonly name = 'WorkersError';
  constructor(message: string) {
    super(message, 'See the output of the worker above.');
  }
}

/**
 * Starts workers that share the port, and replaces one that exits unexpectedly or hangs. The
 * embedded database belongs to this process, the primary, which serves no requests.
 * @param fail is called with the error if workers crash repeatedly; it must exit
 * @throws WorkersError when the workers can't start, and errors of the database's start
 */
export async function startWorkers(config: Config, fail: (error: unknown) => never): Promise<Started> {
  const log = createLog(config.logLevel);
  // Some metrics are NaN, which JSON can't express.
  cluster.setupPrimary({ serialization: 'advanced' });
  const database = config.databaseUrl ? undefined : await startOwnDatabase(config, log);
  /** The workers. Each has a promise that resolves when the worker listens, or exits before that. */
  const workers = new Map<Worker, Promise<Listens | undefined>>();
  const measured = new WorkersMeasured();
  let ends: number[] = [];
  let stopped: Promise<void> | undefined;

  const stop = async () => {
    await Promise.all(
      [...workers].map(async ([worker, settled]) => {
        const ended = once(worker, 'exit');
        const hangs = setTimeout(
          () => {
            log.error({ pid: worker.process.pid }, 'worker doesn’t stop; killing it');
            worker.process.kill('SIGKILL');
          },
          config.drainDelay + config.drainTimeout + lastSteps,
        );
        // A worker handles messages only after its start.
        await settled;
        // Ignore an error: the worker may exit at this moment.
        worker.send({ kind: 'stop' } satisfies Stop, () => undefined);
        await ended;
        clearTimeout(hangs);
      }),
    );
    await database?.stop();
  };
  const stopOnce = () => (stopped ??= stop());

  /** Starts a worker and waits until it listens. */
  async function launch(port: number): Promise<Listens['started']> {
    const worker = cluster.fork({ PORT: String(port) });
    measured.join(worker);
    endIfItHangs(worker, log);
    const settled = Promise.race([
      firstMessage<Listens>(worker, 'listens'),
      once(worker, 'exit').then(() => undefined),
    ]);
    workers.set(worker, settled);
    let listening = false;
    worker.once('exit', (code, signal) => {
      workers.delete(worker);
      if (listening) void replace(port, { pid: worker.process.pid, code, signal });
    });
    const said = await settled;
    if (!said) throw new WorkersError('A worker could not start.');
    listening = true;
    return said.started;
  }

  async function replace(port: number, ended: object): Promise<void> {
    if (stopped) return;
    const now = performance.now();
    ends = [...ends.filter((end) => now - end < within), now];
    if (ends.length >= maxEnds) {
      const reason = new WorkersError(`${maxEnds} workers exited within ${within / 1000} seconds.`);
      return await stopOnce().then(() => fail(reason), fail);
    }
    log.error(ended, 'worker exited; starting another');
    await pause(firstPause * 2 ** (ends.length - 1));
    if (stopped) return;
    try {
      await launch(port);
      log.info({}, 'worker replaced');
    } catch (error) {
      await replace(port, { error: (error as Error).message });
    }
  }

  try {
    const port = config.port === 0 ? await freePort(config.host) : config.port;
    // The first starts alone: it migrates, and sets up an empty database.
    const started = await launch(port);
    await Promise.all(Array.from({ length: config.workers - 1 }, () => launch(port)));
    return { ...started, stop: stopOnce };
  } catch (error) {
    await stopOnce();
    throw error;
  }
}

/**
 * Kills a worker that hasn't answered pings for twenty seconds: it hangs and holds its connections.
 * The primary then replaces it like any worker that exits unexpectedly.
 */
function endIfItHangs(worker: Worker, log: Log): void {
  let unanswered = 0;
  onMessage<Heartbeat>(worker, 'pong', () => (unanswered = 0));
  const asking = setInterval(() => {
    if (unanswered === maxUnanswered) {
      log.error({ pid: worker.process.pid }, 'worker hangs; killing it');
      worker.process.kill('SIGKILL');
      return;
    }
    unanswered++;
    worker.send({ kind: 'ping' } satisfies Heartbeat, () => undefined);
  }, pingInterval);
  worker.once('exit', () => clearInterval(asking));
}

/** Subscribes to messages of a kind. @returns a function that unsubscribes */
function onMessage<Message extends { readonly kind: string }>(
  from: Worker | NodeJS.Process,
  kind: Message['kind'],
  handle: (message: Message) => void,
): () => void {
  const listen = (message: Message) => {
    if (message.kind === kind) handle(message);
  };
  from.on('message', listen);
  return () => from.off('message', listen);
}

/** Resolves with the first message of a kind. */
function firstMessage<Message extends { readonly kind: string }>(
  from: Worker | NodeJS.Process,
  kind: Message['kind'],
): Promise<Message> {
  return new Promise((resolve) => {
    const unsubscribe = onMessage<Message>(from, kind, (message) => {
      unsubscribe();
      resolve(message);
    });
  });
}

/** Finds a free port. Every worker uses it, including those that replace others. */
async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Runs a worker: serves until the primary sends `stop`. If the primary exits, Node.js ends the worker at once.
 */
export async function serveAsWorker(config: Config): Promise<void> {
  // Ctrl-C in a terminal reaches every process; only the primary acts on it.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  onMessage<Heartbeat>(process, 'ping', () =>
    process.send!({ kind: 'pong' } satisfies Heartbeat, undefined, {}, () => undefined),
  );
  const asked = firstMessage<Stop>(process, 'stop');
  const { stop, application: _own, ...started } = await serve(config);
  process.send!({ kind: 'listens', started } satisfies Listens);
  await asked;
  await stop();
  process.exit(0);
}
