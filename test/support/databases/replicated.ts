import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { vi } from 'vitest';
import { chooseAccount } from '../../../src/database/embedded/account.ts';
import { locatePackage, provideBinaries } from '../../../src/database/embedded/binaries.ts';
import { findCluster, readPasswords } from '../../../src/database/embedded/cluster.ts';
import { startEmbeddedPostgres } from '../../../src/database/embedded/index.ts';
import { startPostmaster, stopPostmaster, type StartedPostmaster } from '../../../src/database/embedded/postmaster.ts';
import { query } from './database.ts';
import { scratch } from './scratch.ts';

/** A PostgreSQL primary with a replica that follows it (streaming replication). */
export interface Replicated {
  readonly primaryUrl: string;
  readonly replicaUrl: string;
  /** The URLs of the replicas, in the order of their names. */
  readonly replicaUrls: readonly string[];
  /** Runs a statement on the replica, as superuser. */
  onReplica<Row extends pg.QueryResultRow>(text: string): Promise<Row[]>;
  stopReplica(): Promise<void>;
  /** Promotes the replica. The former primary keeps running (split brain). */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

interface Place {
  readonly host: string;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

const settings = { fsync: 'off', max_connections: '60' };
const urlOf = ({ host, user, password, database }: Place) =>
  `postgres://${user}:${password}@localhost:5432/${database}?host=${encodeURIComponent(host)}`;

/**
 * Starts both. The replica is a copy of the stopped primary that follows it.
 * @param more settings of the primary
 * @param names of the replicas, as the primary has them
 */
export async function startReplicated(
  more: Record<string, string> = {},
  names: readonly string[] = ['replica'],
): Promise<Replicated> {
  const folder = await mkdtemp(join(scratch(), 'causeway-replicated-'));
  await chmod(folder, 0o755);
  const dataDir = join(folder, 'primary');
  await (await startEmbeddedPostgres({ dataDir, settings })).stop();
  const cluster = (await findCluster(dataDir))!;
  const copyOf = async (name: string) => {
    const copy = join(await realpath(folder), name);
    execFileSync('cp', ['-a', cluster.folder, copy]);
    const signal = join(copy, 'standby.signal');
    await writeFile(signal, '');
    const { uid, gid } = await stat(cluster.folder);
    await chown(signal, uid, gid);
    return { name, copy };
  };
  const copies = await Promise.all(names.map(copyOf));

  const primary = await startEmbeddedPostgres({ dataDir, settings: { ...settings, ...more } });
  const { superuser } = await readPasswords(cluster);
  const account = await chooseAccount(cluster.owner);
  const binaries = await provideBinaries(await locatePackage(), account, folder);
  const follow = async ({ name, copy }: (typeof copies)[number]) => {
    const { child, socketFolder }: StartedPostmaster = await startPostmaster(
      binaries.postgres,
      copy,
      account,
      join(folder, `${name}.log`),
      {
        ...settings,
        // A replay delay, long enough for a read to overtake a commit.
        recovery_min_apply_delay: '4ms',
        primary_conninfo: `host=${primary.connection.host} port=5432 user=postgres password=${superuser} application_name=${name}`,
      },
    );
    return { copy, pid: child.pid, socketFolder };
  };
  const replicas = await Promise.all(copies.map(follow));
  const [replica] = replicas as [(typeof replicas)[number]];
  const at = (user: string, password: string, database: string, { socketFolder: host } = replica): Place => ({
    host,
    user,
    password,
    database,
  });
  const onReplica = <Row extends pg.QueryResultRow>(text: string) =>
    query<Row>(urlOf(at('postgres', superuser, primary.connection.database)), text);
  const { user, password, database } = primary.connection;
  const replicaUrls = replicas.map((one) => urlOf(at(user, password, database, one)));
  for (const url of replicaUrls) await vi.waitFor(() => query(url, 'select 1'), { timeout: 60_000, interval: 100 });
  const stopReplica = () => stopPostmaster(replica.copy, replica.pid);
  return {
    primaryUrl: urlOf(primary.connection),
    replicaUrl: replicaUrls[0]!,
    replicaUrls,
    onReplica,
    stopReplica,
    promote: async () => void (await onReplica('select pg_promote()')),
    async stop() {
      for (const { copy, pid } of replicas) await stopPostmaster(copy, pid);
      await primary.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
