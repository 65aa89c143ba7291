import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { OperatorError } from '../errors.ts';
import { createLog, WorkersMeasured, type Log } from '../observability/index.ts';
import { startGateway, startOwnDatabase, type Started } from '../server.ts';

/** Of so many workers that end unasked within so many milliseconds, the last isn't replaced: it would go on like that. */
const maxEnds = 5;
const within = 60_000;
/** Milliseconds before a worker that ended is replaced, doubled for each end within that time. */
const firstPause = 100;

/** Milliseconds that a worker may take to end when the time to answer what is under way is over. One that takes longer hangs. */
const lastSteps = 5_000;

/** Milliseconds between two questions whether a worker is still there; how many it may leave unanswered. */
const askedEvery = 2_000;
const maxUnanswered = 10;

/** What a worker says when it listens, and what it is told when its time is over. Metrics come and go on the same channel. */
interface Listens {
  readonly kind: 'listens';
  readonly started: Omit<Started, 'stop'>;
}
interface Stop {
  readonly kind: 'stop';
}
/** Whether it is there, and that it is. */
interface There {
  readonly kind: 'there?' | 'there';
}

/** Why there are no workers, or no more. */
class WorkersError extends OperatorError {
  override readonly name = 'WorkersError';
  constructor(message: string) {
    super(message, 'What it said itself stands above.');
  }
}

/**
 * Starts processes that share the port, and watches over them: one that ends
 * unasked, or hangs, is replaced. The database, if it is the gateway's own, belongs to the
 * watching process, which serves nothing.
 * @param fail ends the process over an error, when workers end again and again
 * @throws WorkersError when the workers can't start, and what the database's start throws
 */
export async function startWorkers(config: Config, fail: (error: unknown) => never): Promise<Started> {
  const log = createLog(config.logLevel);
  // Some metrics are no numbers, which JSON doesn't know.
  cluster.setupPrimary({ serialization: 'advanced' });
  const database = config.databaseUrl ? undefined : await startOwnDatabase(config, log);
  /** With what resolves when they listen, or end before. */
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
            log.error({ pid: worker.process.pid }, 'a worker doesn’t stop and is killed');
            worker.process.kill('SIGKILL');
          },
          config.drainDelay + config.drainTimeout + lastSteps,
        );
        // While it starts nobody hears it there.
        await settled;
        // It may end at this moment.
        worker.send({ kind: 'stop' } satisfies Stop, () => undefined);
        await ended;
        clearTimeout(hangs);
      }),
    );
    await database?.stop();
  };
  const stopOnce = () => (stopped ??= stop());

  /** Starts one. @returns what it says when it listens */
  async function launch(port: number): Promise<Listens['started']> {
    const worker = cluster.fork({ PORT: String(port) });
    measured.join(worker);
    endIfItHangs(worker, log);
    const settled = Promise.race([word<Listens>(worker, 'listens'), once(worker, 'exit').then(() => undefined)]);
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
      const reason = new WorkersError(`${maxEnds} workers have ended within ${within / 1000} seconds.`);
      return await stopOnce().then(() => fail(reason), fail);
    }
    log.error(ended, 'a worker ended and is replaced');
    await pause(firstPause * 2 ** (ends.length - 1));
    if (stopped) return;
    try {
      await launch(port);
      log.info({}, 'another worker has taken its place');
    } catch (error) {
      await replace(port, { error: (error as Error).message });
    }
  }

  try {
    const port = config.port === 0 ? await freePort(config.host) : config.port;
    // Alone: it migrates, and sets an empty database up.
    const started = await launch(port);
    await Promise.all(Array.from({ length: config.workers - 1 }, () => launch(port)));
    return { ...started, stop: stopOnce };
  } catch (error) {
    await stopOnce();
    throw error;
  }
}

/**
 * Ends a worker that hasn't come to answer for twenty seconds: it hangs, and would keep the connections that it took.
 * It is then replaced as every one that ends unasked.
 */
function endIfItHangs(worker: Worker, log: Log): void {
  let unanswered = 0;
  hear<There>(worker, 'there', () => (unanswered = 0));
  const asking = setInterval(() => {
    if (unanswered === maxUnanswered) {
      log.error({ pid: worker.process.pid }, 'a worker hangs and is killed');
      worker.process.kill('SIGKILL');
      return;
    }
    unanswered++;
    worker.send({ kind: 'there?' } satisfies There, () => undefined);
  }, askedEvery);
  worker.once('exit', () => clearInterval(asking));
}

/** Hears messages of a kind. @returns what ends that */
function hear<Message extends { readonly kind: string }>(
  from: Worker | NodeJS.Process,
  kind: Message['kind'],
  heard: (message: Message) => void,
): () => void {
  const listen = (message: Message) => {
    if (message.kind === kind) heard(message);
  };
  from.on('message', listen);
  return () => from.off('message', listen);
}

/** Resolves with the first message of a kind. */
function word<Message extends { readonly kind: string }>(
  from: Worker | NodeJS.Process,
  kind: Message['kind'],
): Promise<Message> {
  return new Promise((resolve) => {
    const hearNoMore = hear<Message>(from, kind, (message) => {
      hearNoMore();
      resolve(message);
    });
  });
}

/** One that every worker can be told, also one that replaces another later. */
async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * What a worker does: serves until it is asked to stop. Node ends it at once
 * when the process that watches over it is gone.
 */
export async function serveAsWorker(config: Config): Promise<void> {
  // Ctrl-C in a terminal reaches every process; the one that watches answers it.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  hear<There>(process, 'there?', () =>
    process.send!({ kind: 'there' } satisfies There, undefined, {}, () => undefined),
  );
  const asked = word<Stop>(process, 'stop');
  const { stop, application: _own, ...started } = await startGateway(config);
  process.send!({ kind: 'listens', started } satisfies Listens);
  await asked;
  await stop();
  process.exit(0);
}
