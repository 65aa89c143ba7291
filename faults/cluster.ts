import { execFileSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdtemp, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { chooseAccount, spawnAs } from '../src/database/embedded/account.ts';
import { locatePackage, provideBinaries } from '../src/database/embedded/binaries.ts';
import { createCluster, readPasswords, role } from '../src/database/embedded/cluster.ts';
import { freePort } from '../test/support/run/ports.ts';

/** A PostgreSQL on the loopback that can be stopped and started at the same address. */
export interface Cluster {
  url(database: string): string;
  /** The process id of the postmaster. */
  readonly pid: number;
  /**
   * Resolves when it accepts connections.
   * @param settings from now on, beyond the usual ones
   * @returns the time, by `performance.now()`
   */
  start(settings?: Record<string, string>): Promise<number>;
  /** Sends a signal to the postmaster, and waits for its end. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** Resolves when it accepts connections (again). @returns the time */
  accepts(): Promise<number>;
  /**
   * Starts a replica with a delay. The primary is restarted for it.
   * @param lag the delay, as PostgreSQL writes durations
   */
  replica(lag: string): Promise<Replica>;
  remove(): Promise<void>;
}

/** A server that follows another one. */
export interface Replica {
  url(database: string): string;
  /** Makes it a primary, without involving the former one. */
  promote(): Promise<void>;
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Milliseconds for recovery. */
const recoveryTimeout = 60_000;

/** Creates a cluster with the gateway's binaries, with all data safety settings on. */
export async function makeCluster(): Promise<Cluster> {
  const dataDir = await mkdtemp(join(tmpdir(), 'causeway-faults-'));
  const account = await chooseAccount(undefined);
  const binaries = await provideBinaries(await locatePackage(), account, dataDir);
  const { folder } = await createCluster(dataDir, account, binaries, () => {});
  const { gateway: password, superuser } = await readPasswords({ folder, owner: { uid: 0, gid: 0 }, major: 0 });
  const port = await freePort();
  const log = join(dataDir, 'postgres.log');
  const urlAt = (at: number) => (database: string) => `postgres://${role}:${password}@127.0.0.1:${at}/${database}`;
  const url = urlAt(port);
  let child: ChildProcess | undefined;
  let follower: ChildProcess | undefined;
  let more: Record<string, string> = {};

  async function launch(data: string, settings: Record<string, string>): Promise<ChildProcess> {
    const output = await open(log, 'a');
    const options = Object.entries({ listen_addresses: '127.0.0.1', max_connections: '60', ...settings }).flatMap(
      ([name, value]) => ['-c', `${name}=${value}`],
    );
    const launched = spawnAs(
      account,
      binaries.postgres,
      ['-D', data, '-k', '', ...options],
      ['ignore', output.fd, output.fd],
    );
    await once(launched, 'spawn');
    await output.close();
    return launched;
  }

  const cluster: Cluster = {
    url,
    get pid() {
      return child!.pid!;
    },
    async start(settings = more) {
      more = settings;
      for (const deadline = performance.now() + recoveryTimeout; performance.now() < deadline; await pause(20)) {
        // Sessions of a killed server remain for a moment, and a new server then ends at once.
        if (!runs(child)) child = await launch(folder, { port: String(port), ...more });
        if (await canConnect(url('postgres'))) return performance.now();
      }
      throw new Error(`PostgreSQL doesn't start: ${await readFile(log, 'utf8')}`);
    },
    async end(signal) {
      await endOf(child, signal);
    },
    async accepts() {
      for (const deadline = performance.now() + recoveryTimeout; performance.now() < deadline; await pause(20)) {
        if (await canConnect(url('postgres'))) return performance.now();
      }
      throw new Error('PostgreSQL accepts no connections.');
    },
    async replica(lag) {
      await cluster.end('SIGINT');
      const copy = `${folder}-replica`;
      await rm(copy, { recursive: true, force: true });
      await cp(folder, copy, { recursive: true, preserveTimestamps: true });
      await writeFile(join(copy, 'standby.signal'), '');
      const { uid, gid } = await stat(folder);
      // A copy made by root belongs to root.
      if (process.getuid?.() === 0) execFileSync('chown', ['-R', `${uid}:${gid}`, copy]);
      await chmod(copy, 0o700);
      await cluster.start();
      const at = await freePort();
      follower = await launch(copy, {
        port: String(at),
        recovery_min_apply_delay: lag,
        primary_conninfo: `host=127.0.0.1 port=${port} user=postgres password=${superuser}`,
      });
      while (!(await canConnect(urlAt(at)('postgres')))) await pause(50);
      return {
        url: urlAt(at),
        promote: async () =>
          void (await query(`postgres://postgres:${superuser}@127.0.0.1:${at}/postgres`, 'select pg_promote()')),
        end: (signal) => endOf(follower, signal),
      };
    },
    async remove() {
      await endOf(follower, 'SIGINT');
      await cluster.end('SIGINT');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return cluster;
}

const runs = (child: ChildProcess | undefined): child is ChildProcess =>
  child?.exitCode === null && child.signalCode === null;

async function endOf(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (!runs(child)) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
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

/** Runs a statement on a connection of its own. */
export async function query<Row extends object>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row & pg.QueryResultRow>(text, values)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}
