import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { vi } from 'vitest';
import { chooseAccount } from '../../src/database/embedded/account.ts';
import { locatePackage, provideBinaries } from '../../src/database/embedded/binaries.ts';
import { findCluster, readPasswords } from '../../src/database/embedded/cluster.ts';
import { startEmbeddedPostgres } from '../../src/database/embedded/index.ts';
import { startPostmaster, stopPostmaster, type StartedPostmaster } from '../../src/database/embedded/postmaster.ts';

/** A PostgreSQL of one's own, and another one that replays what it commits. */
export interface Replicated {
  readonly primaryUrl: string;
  readonly replicaUrl: string;
  /** Runs a statement on the replica, as one who may do anything there. */
  onReplica<Row extends pg.QueryResultRow>(text: string): Promise<Row[]>;
  stopReplica(): Promise<void>;
  /** Makes the replica a primary. The other one lives on, and knows nothing of it. */
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
const urlOf = ({ host, user, password, database }: Place) => `postgres://${user}:${password}@localhost:5432/${database}?host=${encodeURIComponent(host)}`;

/**
 * A replica is a copy of a stopped cluster that is told to follow the original.
 * @param more settings of the primary
 */
export async function startReplicated(more: Record<string, string> = {}): Promise<Replicated> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-replicated-'));
  await chmod(folder, 0o755);
  const dataDir = join(folder, 'primary');
  await (await startEmbeddedPostgres({ dataDir, settings })).stop();
  const cluster = (await findCluster(dataDir))!;
  const copy = join(await realpath(folder), 'replica');
  execFileSync('cp', ['-a', cluster.folder, copy]);
  const signal = join(copy, 'standby.signal');
  await writeFile(signal, '');
  const { uid, gid } = await stat(cluster.folder);
  await chown(signal, uid, gid);

  const primary = await startEmbeddedPostgres({ dataDir, settings: { ...settings, ...more } });
  const { superuser } = await readPasswords(cluster);
  const account = await chooseAccount(cluster.owner);
  const binaries = await provideBinaries(await locatePackage(), account, folder);
  const replica: StartedPostmaster = await startPostmaster(binaries.postgres, copy, account, join(folder, 'replica.log'), {
    ...settings,
    // Replays a commit late enough for a read to overtake it.
    recovery_min_apply_delay: '4ms',
    primary_conninfo: `host=${primary.connection.host} port=5432 user=postgres password=${superuser}`,
  });
  const at = (user: string, password: string, database: string): Place => ({ host: replica.socketFolder, user, password, database });
  const connection = at(primary.connection.user, primary.connection.password, primary.connection.database);
  const onReplica = async <Row extends pg.QueryResultRow>(text: string): Promise<Row[]> => {
    const client = new pg.Client(urlOf(at('postgres', superuser, connection.database)));
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  };
  await vi.waitFor(() => onReplica('select 1'), { timeout: 60_000, interval: 100 });
  const stopReplica = () => stopPostmaster(copy, replica.child.pid);
  return {
    primaryUrl: urlOf(primary.connection),
    replicaUrl: urlOf(connection),
    onReplica,
    stopReplica,
    promote: async () => void (await onReplica('select pg_promote()')),
    async stop() {
      await stopReplica();
      await primary.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
