import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { connect, type Socket } from 'node:net';
import { Frames, frame, kinds, type Cause, type Order, type Report, type Setup, type Start } from './protocol.ts';
import { Queue, type Turn } from './queue.ts';

/**
 * The git runner: a small process that starts git for the gateway. A fork copies the page tables of the process that
 * forks, and blocks it meanwhile: 2 ms here, 30 ms in a large gateway. It knows nothing but jobs.
 *
 * It ends, with all its jobs, when the gateway closes its stdin or the control channel.
 */

/** How much of stderr is kept, in bytes. */
const keptErrors = 8_192;
/** Milliseconds in which a process may end by itself. */
const patience = 200;
/** Milliseconds between asking a process to end and killing it. */
const grace = 2_000;

interface Job extends Turn {
  readonly order: Start;
  child?: ChildProcess;
  cause?: Cause;
}

function run({ socket, secret, git, environment, share }: Setup): void {
  const queue = new Queue(share);
  const jobs = new Map<number, Job>();
  const control = connect(socket, () => control.write(secret));
  const report = (what: Report) => control.write(frame(what));

  function finish(job: Job, code: number | null, stderr = ''): void {
    if (!jobs.delete(job.order.id)) return;
    queue.remove(job);
    report({ id: job.order.id, code, stderr, ...(job.cause ? { cause: job.cause } : {}) });
  }

  async function begin(job: Job): Promise<void> {
    const { order } = job;
    const opened: Socket[] = [];
    try {
      const tokens = [order.token, ...(order.hooks ? [order.hooks] : [])];
      opened.push(...(await Promise.all(tokens.map((token) => open(socket, token)))));
      if (job.cause) throw new Error('stopped');
      const own = opened[0]!;
      // Hooks are shells, which can't read a descriptor that doesn't block, as sockets of Node.js are: pipes instead.
      const pipes = order.hooks ? (['pipe', 'pipe'] as const) : [];
      const stdio: StdioOptions = [order.input ? own : 'ignore', own, 'pipe', ...pipes];
      const child = spawn(git, order.args, {
        cwd: '/',
        env: { ...environment, ...order.environment },
        stdio,
        // A process group of its own, so that git's own children end with it.
        detached: true,
      });
      attend(job, child, opened[1]);
      // Git has its own copy of this descriptor.
      own.destroy();
    } catch {
      job.cause ??= 'spawn';
      for (const one of opened) one.destroy();
      finish(job, null);
    }
  }

  function attend(job: Job, child: ChildProcess, hooks: Socket | undefined): void {
    const { kind, milliseconds } = job.order;
    job.child = child;
    if (hooks) join(hooks, child.stdio[3] as Socket, child.stdio[4] as Socket);
    if (kinds[kind].nice > 0 && child.pid !== undefined) lower(child.pid, kinds[kind].nice);
    let stderr = '';
    child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
      if (stderr.length < keptErrors) stderr += chunk.slice(0, keptErrors - stderr.length);
    });
    const limit = milliseconds ?? kinds[kind].seconds * 1_000;
    const timer = limit > 0 ? setTimeout(() => end(job, 'time'), limit) : undefined;
    const done = (code: number | null) => {
      clearTimeout(timer);
      hooks?.destroy();
      finish(job, code, stderr);
    };
    child.once('error', () => {
      job.cause ??= 'spawn';
      done(null);
    });
    child.once('exit', (code) => {
      // What it started must not outlive it when it was ended from outside.
      if (job.cause && child.pid !== undefined) killGroup(child.pid, 'SIGKILL');
      // Stderr usually ends first; a process that inherited it must not delay the report.
      child.once('close', () => done(code));
      setTimeout(done, 300, code).unref();
    });
  }

  function end(job: Job, cause: Cause): void {
    job.cause ??= cause;
    const { child } = job;
    if (!child) {
      if (queue.remove(job)) finish(job, null);
      return;
    }
    // Its connection is closed: most end by themselves, and tidy up, which a signal would prevent.
    setTimeout(signal, cause === 'stopped' ? patience : 0, child, 'SIGTERM').unref();
    setTimeout(signal, patience + grace, child, 'SIGKILL').unref();
  }

  const orders = new Frames<Order>();
  control.on('data', (bytes) => {
    for (const order of orders.push(bytes)) {
      if (order.do === 'stop') {
        const job = jobs.get(order.id);
        if (job) end(job, 'stopped');
        continue;
      }
      const job: Job = {
        order,
        kind: order.kind,
        ...(order.owner === undefined ? {} : { owner: order.owner }),
        begin: () => void begin(job),
        refuse() {
          job.cause = 'busy';
          finish(job, null);
        },
      };
      jobs.set(order.id, job);
      queue.add(job);
      if (queue.waits(job)) report({ id: order.id, waits: true });
    }
  });
  const leave = () => {
    for (const { child } of jobs.values()) if (child) signal(child, 'SIGKILL');
    process.exit(0);
  };
  control.on('error', leave).on('close', leave);
  process.stdin.on('end', leave).on('error', leave).resume();
}

/** Opens a connection for a job, without reading from it: what arrives there is for git. */
function open(path: string, token: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.pause();
    socket.once('error', reject);
    socket.once('connect', () => socket.write(token, (error) => (error ? reject(error) : resolve(socket))));
  });
}

function signal({ pid, exitCode, signalCode }: ChildProcess, name: NodeJS.Signals): void {
  if (pid !== undefined && exitCode === null && signalCode === null) killGroup(pid, name);
}

/** Passes on what hooks say, and what they are answered. */
function join(socket: Socket, said: Socket, answers: Socket): void {
  for (const one of [socket, said, answers]) one.on('error', () => socket.destroy());
  said.pipe(socket);
  socket.pipe(answers);
}

function killGroup(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch {
    // It has just ended.
  }
}

function lower(pid: number, nice: number): void {
  try {
    setPriority(pid, Math.min(nice, constants.priority.PRIORITY_LOW));
  } catch {
    // It has just ended.
  }
}

/** The first line of stdin is the setup; the rest never comes. */
function readSetup(): void {
  let line = '';
  const read = (chunk: Buffer) => {
    line += chunk.toString();
    const end = line.indexOf('\n');
    if (end < 0) return;
    process.stdin.off('data', read).off('end', leave);
    run(JSON.parse(line.slice(0, end)) as Setup);
  };
  const leave = () => process.exit(0);
  process.stdin.on('data', read).on('end', leave);
}

// Ctrl-C ends the gateway, which ends the runner after the last request was answered.
process.on('SIGINT', () => undefined);
readSetup();
