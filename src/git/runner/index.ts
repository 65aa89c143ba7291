import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { counters } from '../../counters.ts';
import { deferred } from '../deferred.ts';
import { environment, mayBeAdded } from '../environment.ts';
import { Broken, Busy, Interrupted, TimedOut, TooLarge, writingFailed } from '../errors.ts';
import { Connections, newToken } from './connections.ts';
import { Frames, frame, type Ended, type Kind, type Report, type Setup, type Start } from './protocol.ts';

export type { Kind };

/** A command of git. */
export interface Command {
  readonly kind: Kind;
  /** Everything after `git`. Text from people only as checked names, behind `--end-of-options` or `--`. */
  readonly args: readonly string[];
  /** Whether it reads stdin. */
  readonly input?: boolean;
  /** Whether its hooks talk to the gateway, over descriptors 3 and 4. */
  readonly hooks?: boolean;
  /** Further variables: `mayBeAdded` names them. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Whose work it is: heavy kinds are bounded for each. */
  readonly owner?: string;
  /** Its time limit, if not that of its kind. */
  readonly milliseconds?: number;
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
}

/** A running command. */
export interface Job {
  /** Its stdin; end it. Only with `input`. */
  readonly input: Writable;
  /** Its stdout. It may be closed early, which ends the command. */
  readonly output: Readable;
  /** The connection of its hooks, with `hooks`. */
  readonly hooks: Socket | undefined;
  /** How it ended. Never rejects. */
  readonly ended: Promise<Ended>;
  /** Ends it. */
  stop(): void;
}

interface Running {
  readonly tokens: readonly string[];
  readonly sockets: Socket[];
  readonly kind: Kind;
  /** Its turn hasn't come yet. */
  waits: boolean;
  end(ended: Ended): void;
}

/** Milliseconds between the report of a command's end and the news of its connection. */
const connecting = 5_000;

/** What the runner needs to know. */
export interface RunnerOptions {
  /** The file of `runner/program.ts`, bundled. */
  readonly program: string;
  /** The git program, absolute. */
  readonly git: string;
  /** Jobs of the shared kinds at a time; 4 × cores if omitted. */
  readonly share?: number;
}

/**
 * The gateway's side of the git runner: starts the process, restarts it when it dies, and gives out jobs. When the
 * runner dies its jobs end with `Broken`, and the next job starts a new one.
 */
export class Runner {
  readonly #options: RunnerOptions;
  readonly #jobs = new Map<number, Running>();
  #last = 0;
  #connections: Promise<Connections> | undefined;
  #control: Promise<Socket> | undefined;
  #process: ChildProcess | undefined;
  #failures = 0;
  #closed = false;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /** The process id of the runner, while it runs. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** How many jobs wait or run, pooled readers included. */
  get jobs(): number {
    return this.#jobs.size;
  }

  /** How many wait for their turn. */
  get waiting(): number {
    let count = 0;
    for (const { waits } of this.#jobs.values()) if (waits) count++;
    return count;
  }

  /** The private folder of this runner. */
  async folder(): Promise<string> {
    return (await this.#listening()).folder;
  }

  /**
   * Starts a command.
   * @returns it, once its turn has come
   * @throws Busy when its turn didn't come in time, TimedOut, Broken, or the reason of the signal
   */
  async start(command: Command): Promise<Job> {
    command.signal?.throwIfAborted();
    for (const [name, value] of Object.entries(command.environment ?? {})) {
      if (!mayBeAdded[name]?.test(value)) throw new Broken(`${name} may not have this value.`);
    }
    const [control, connections] = await Promise.all([this.#connected(), this.#listening()]);
    const id = ++this.#last;
    const tokens = [newToken(), ...(command.hooks ? [newToken()] : [])];
    const sockets: Socket[] = [];
    const ended = deferred<Ended>();
    const opened = deferred<void>();
    const stop = () => {
      for (const socket of sockets) socket.destroy();
      if (this.#jobs.has(id) && control.writable) control.write(frame({ do: 'stop', id }));
    };
    const end = (result: Ended) => {
      this.#jobs.delete(id);
      if (result.cause === 'busy') counters.gitJobsRefused.count(command.kind);
      command.signal?.removeEventListener('abort', stop);
      ended.resolve(result);
      const fail = () => {
        for (const token of tokens) connections.forget(token);
        opened.reject(failureOf(result, command.signal));
      };
      // A command that ran has connected, even if its end was reported on the other connection before that was seen.
      if (result.code === null) fail();
      else setTimeout(fail, connecting).unref();
    };
    const running: Running = { tokens, sockets, kind: command.kind, waits: false, end };
    this.#jobs.set(id, running);
    counters.gitJobs.count(command.kind);
    let missing = tokens.length;
    for (const [index, token] of tokens.entries()) {
      connections.expect(token, (socket) => {
        sockets[index] = socket;
        if (--missing === 0) opened.resolve();
      });
    }
    command.signal?.addEventListener('abort', stop, { once: true });
    control.write(frame(orderOf(command, id, tokens)));
    await opened.promise;
    running.waits = false;
    const [own, hooks] = sockets as [Socket, Socket | undefined];
    if (command.signal?.aborted) stop();
    return { input: own, output: own, hooks, ended: ended.promise, stop };
  }

  /**
   * Runs a command to its end.
   * @param input what it reads
   * @param bound bytes of output that are kept at most
   * @returns its output and exit code
   * @throws TooLarge when it writes more, TimedOut, Busy, Broken, or the reason of the signal
   */
  async run(
    command: Omit<Command, 'input'>,
    { input, bound }: { input?: string | Buffer; bound: number },
  ): Promise<{ output: Buffer; code: number; stderr: string }> {
    const job = await this.start({ ...command, input: input !== undefined });
    const chunks: Buffer[] = [];
    let size = 0;
    let tooLarge = false;
    const read = new Promise<void>((resolve) => {
      job.output.once('close', resolve).once('end', resolve);
      job.output.on('data', (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size <= bound) return;
        tooLarge = true;
        job.stop();
      });
    });
    if (input !== undefined) job.input.end(input);
    const [ended] = await Promise.all([job.ended, read]);
    job.output.destroy();
    if (tooLarge) throw new TooLarge('The output of git', bound);
    if (ended.code === null) throw failureOf(ended, command.signal);
    return { output: Buffer.concat(chunks, size), code: ended.code, stderr: ended.stderr };
  }

  /** Ends the runner with all its jobs. */
  async close(): Promise<void> {
    this.#closed = true;
    const child = this.#process;
    if (child && child.exitCode === null && child.signalCode === null) {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.stdin!.end();
      await exited;
    }
    this.#fail('The git runner was closed.');
    await (await this.#connections)?.close();
  }

  #listening(): Promise<Connections> {
    this.#connections ??= Connections.open().catch((error: unknown) => {
      this.#connections = undefined;
      throw error;
    });
    return this.#connections;
  }

  #connected(): Promise<Socket> {
    if (this.#closed) return Promise.reject(new Interrupted('The git runner was closed.'));
    this.#control ??= this.#launch().then(
      (socket) => {
        this.#failures = 0;
        return socket;
      },
      (error: unknown) => {
        this.#control = undefined;
        this.#failures++;
        throw error;
      },
    );
    return this.#control;
  }

  async #launch(): Promise<Socket> {
    // A runner that can't start isn't started over and over: 0.1 s, 0.2 s, … 5 s.
    if (this.#failures > 0) await sleep(Math.min(5_000, 100 * 2 ** (this.#failures - 1)));
    const connections = await this.#listening();
    const { program, git, share = 4 * availableParallelism() } = this.#options;
    const secret = newToken();
    const control = deferred<Socket>();
    connections.expect(secret, (socket) => control.resolve(socket));
    const child = spawn(process.execPath, ['--max-semi-space-size=2', program], {
      cwd: '/',
      env: { PATH: environment.PATH },
      stdio: ['pipe', 'ignore', 'inherit'],
      // Not in the terminal's process group, so that Ctrl-C doesn't reach it before the gateway is done with it.
      detached: true,
    });
    const setup: Setup = { socket: connections.path, secret, git, environment, share };
    child.stdin!.on('error', () => undefined).write(`${JSON.stringify(setup)}\n`);
    const lost = (error?: Error) => {
      connections.forget(secret);
      control.reject(new Interrupted('The git runner could not be started.', error?.message));
      if (this.#process === child) this.#fail('The git runner ended.');
    };
    child.once('error', lost).once('exit', () => lost());
    this.#process = child;
    const socket = await control.promise;
    const frames = new Frames<Report>();
    socket.on('data', (bytes: Buffer) => {
      for (const report of frames.push(bytes)) this.#hear(report);
    });
    socket.once('close', () => {
      // Its jobs go with it; should it still live, it doesn't any more.
      child.kill('SIGKILL');
      if (this.#process === child) this.#fail('The git runner ended.');
    });
    return socket;
  }

  #hear(report: Report): void {
    const job = this.#jobs.get(report.id);
    if (!job) return;
    if (!('waits' in report)) return job.end(report);
    job.waits = true;
    counters.gitJobsWaited.count(job.kind);
  }

  /** Ends all jobs: their runner is gone. Git processes that outlive it find their connections closed. */
  #fail(message: string): void {
    this.#process = undefined;
    this.#control = undefined;
    for (const [id, { sockets, end }] of this.#jobs) {
      for (const socket of sockets) socket.destroy();
      end({ id, code: null, stderr: message });
    }
  }
}

const orderOf = (command: Command, id: number, [token, hooks]: readonly string[]): Start => ({
  do: 'start',
  id,
  kind: command.kind,
  token: token!,
  ...(hooks === undefined ? {} : { hooks }),
  input: command.input ?? false,
  args: command.args,
  ...(command.environment ? { environment: command.environment } : {}),
  ...(command.owner === undefined ? {} : { owner: command.owner }),
  ...(command.milliseconds === undefined ? {} : { milliseconds: command.milliseconds }),
});

/** The error of a job that didn't run to its end. */
export function failureOf({ cause, stderr, code }: Ended, signal?: AbortSignal): Error {
  if (signal?.aborted) return signal.reason as Error;
  if (cause === 'busy') return new Busy();
  if (cause === 'time') return new TimedOut();
  return code === null ? new Interrupted('Git was ended.', stderr) : writingFailed(`Git exited with ${code}.`, stderr);
}
