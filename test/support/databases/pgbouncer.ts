import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { vi } from 'vitest';
import { chooseAccount, spawnAs } from '../../../src/database/embedded/account.ts';
import { optional } from '../run/optional.ts';
import { freePort } from '../run/ports.ts';

const program = [process.env.PGBOUNCER, '/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find(
  (path) => path !== undefined && existsSync(path),
);

/** Whether PgBouncer is installed. */
export const hasPgBouncer = optional(
  'pgbouncer',
  program !== undefined,
  'No pgbouncer found: install one, or name it in PGBOUNCER.',
);

/** Whether it tracks prepared statements, as it can from 1.21 on. */
export const followsStatements = (): boolean => {
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(
    spawnSync(program!, ['--version'], { encoding: 'utf8' }).stdout,
  )!;
  return Number(major) > 1 || Number(minor) >= 21;
};

export interface PgBouncer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a PgBouncer on the loopback. @param settings besides its address */
export async function startPgBouncer(
  databaseUrl: string,
  settings: Record<string, string | number>,
): Promise<PgBouncer> {
  const { searchParams, username, password, port: farPort, pathname } = new URL(databaseUrl);
  const folder = await mkdtemp(join(tmpdir(), 'causeway-pgbouncer-'));
  const file = join(folder, 'pgbouncer.ini');
  const port = await freePort();
  const all = { listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '', auth_type: 'any', ...settings };
  await writeFile(
    file,
    `[databases]\n* = host=${searchParams.get('host')!} port=${farPort} user=${username} password=${decodeURIComponent(password)}\n[pgbouncer]\n${Object.entries(
      all,
    )
      .map(([name, value]) => `${name} = ${value}\n`)
      .join('')}`,
  );
  await chmod(folder, 0o755);
  // PgBouncer refuses to run as root; PostgreSQL's account may open its socket.
  const child = spawnAs(await chooseAccount(undefined), program!, ['-q', file], 'ignore');
  const url = `postgres://anyone@127.0.0.1:${port}${pathname}`;
  await vi.waitFor(
    async () => {
      const client = new pg.Client(url);
      await client.connect();
      await client.end();
    },
    { timeout: 20_000, interval: 20 },
  );
  return {
    url,
    async stop() {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
