import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { vi } from 'vitest';
import { optional } from './optional.ts';
import { freePort } from './ports.ts';

const found = [process.env.REDIS_SERVER, '/usr/bin/redis-server', '/usr/bin/valkey-server', '/usr/local/bin/redis-server'].find(
  (path) => path !== undefined && existsSync(path),
);

/** Whether there is a Redis to test with. */
export const hasRedis = optional('redis-server', found !== undefined, 'No redis-server found: install one, or name it in REDIS_SERVER.');

export interface RedisServer {
  readonly url: string;
  /** Starts it; resolves once it listens. What it knew before is gone. */
  start(): Promise<void>;
  /** Kills it; resolves once it is gone. */
  kill(): Promise<void>;
}

/** A Redis of the test's own on the loopback, which keeps nothing; not started yet. */
export async function redisServer(): Promise<RedisServer> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  return {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      child = spawn(found!, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], { stdio: 'ignore' });
      await vi.waitFor(() => connects(port), { timeout: 20_000 });
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

async function connects(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
  } finally {
    socket.destroy();
  }
}
