import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { chooseAccount, spawnAs } from '../src/database/embedded/account.ts';
import { locatePackage, provideBinaries } from '../src/database/embedded/binaries.ts';
import { createCluster, readPasswords, role } from '../src/database/embedded/cluster.ts';

/** A PostgreSQL on the loopback that can be ended and started again at the same address. */
export interface Cluster {
  url(database: string): string;
  /** Of the postmaster. */
  readonly pid: number;
  /** Resolves when it accepts connections. @returns the moment, as of `performance.now()` */
  start(): Promise<number>;
  /** Sends a signal to the postmaster, and waits for its end. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** Resolves when it accepts connections (again). @returns the moment */
  accepts(): Promise<number>;
  remove(): Promise<void>;
}

/** A port of the loopback on which nobody listens. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Milliseconds for recovery. */
const patience = 60_000;

/** Makes a cluster from the binaries that the gateway brings, with everything on that keeps data safe. */
export async function makeCluster(): Promise<Cluster> {
  const dataDir = await mkdtemp(join(tmpdir(), 'causeway-faults-'));
  const account = await chooseAccount(undefined);
  const binaries = await provideBinaries(await locatePackage(), account, dataDir);
  const { folder } = await createCluster(dataDir, account, binaries, () => {});
  const { gateway: password } = await readPasswords({ folder, owner: { uid: 0, gid: 0 }, major: 0 });
  const port = await freePort();
  const log = join(dataDir, 'postgres.log');
  const url = (database: string) => `postgres://${role}:${password}@127.0.0.1:${port}/${database}`;
  let child: ChildProcess | undefined;

  async function launch(): Promise<void> {
    const output = await open(log, 'a');
    const settings = { listen_addresses: '127.0.0.1', port: String(port), max_connections: '60' };
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    child = spawnAs(account, binaries.postgres, ['-D', folder, '-k', '', ...options], ['ignore', output.fd, output.fd]);
    await once(child, 'spawn');
    await output.close();
  }
  const runs = () => child !== undefined && child.exitCode === null && child.signalCode === null;

  const cluster: Cluster = {
    url,
    get pid() {
      return child!.pid!;
    },
    async start() {
      for (const deadline = performance.now() + patience; performance.now() < deadline; await pause(20)) {
        // One that was killed leaves sessions behind for a moment, and its successor ends at once.
        if (!runs()) await launch();
        if (await canConnect(url('postgres'))) return performance.now();
      }
      throw new Error(`PostgreSQL doesn't start: ${await readFile(log, 'utf8')}`);
    },
    async end(signal) {
      if (!runs()) return;
      const gone = once(child!, 'exit');
      child!.kill(signal);
      await gone;
    },
    async accepts() {
      for (const deadline = performance.now() + patience; performance.now() < deadline; await pause(20)) {
        if (await canConnect(url('postgres'))) return performance.now();
      }
      throw new Error('PostgreSQL accepts no connections.');
    },
    async remove() {
      await cluster.end('SIGINT');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return cluster;
}

async function canConnect(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Runs a statement on a connection of its own, which nothing else shares. */
export async function query<Row extends pg.QueryResultRow>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}
