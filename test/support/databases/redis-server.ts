import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../run/ports.ts';

/** The path of redis-server, if it is installed. */
export const redisProgram = [
  process.env.REDIS_SERVER,
  '/usr/bin/redis-server',
  '/usr/bin/valkey-server',
  '/usr/local/bin/redis-server',
].find((path) => path !== undefined && existsSync(path));

export interface RedisServer {
  readonly url: string;
  /** Starts it, empty; resolves when it listens. */
  start(): Promise<void>;
  /** Kills it; resolves when it has exited. */
  kill(): Promise<void>;
}

/** The time to wait until it listens, in milliseconds. */
const patience = 20_000;

/** A Redis on the loopback without persistence, not started yet. */
export async function redisServer(): Promise<RedisServer> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  return {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      child = spawn(
        redisProgram!,
        ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
        { stdio: 'ignore' },
      );
      for (const deadline = performance.now() + patience; !(await listens(port)); await pause(20)) {
        if (performance.now() > deadline) throw new Error('Redis doesn’t listen.');
      }
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
