import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Fault } from '../fault.ts';

let folder: string | undefined;

export const embeddedKilled: Fault = {
  name: 'embedded-postgres-killed',
  what: 'The embedded PostgreSQL of a gateway is killed (`kill -9`), and only the gateway restarts it.',
  async dataDir() {
    folder = await mkdtemp(join(tmpdir(), 'causeway-embedded-'));
    // PostgreSQL may run as another account, which must be able to enter.
    await chmod(folder, 0o755);
    return join(folder, 'data');
  },
  async run({ gateways, watch, connection }) {
    const [pid] = (await readFile(join(folder!, 'data/postgres/postmaster.pid'), 'utf8')).split('\n');
    const brokeAt = performance.now();
    process.kill(Number(pid), 'SIGKILL');
    const acceptedAt = await answersAt(connection, brokeAt + 20_000);
    await pause(1_500);
    return [watch.turnsRed(gateways, brokeAt), watch.turnsGreen(gateways, acceptedAt)];
  },
  async clear() {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  },
};

/** When connections are accepted again. */
async function answersAt(connection: pg.ClientConfig, deadline: number): Promise<number> {
  // Sessions of a killed server remain for a moment.
  for (await pause(300); performance.now() < deadline; await pause(20)) {
    const client = new pg.Client({ ...connection, connectionTimeoutMillis: 1_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('select 1');
      return performance.now();
    } catch {
      continue;
    } finally {
      await client.end().catch(() => {});
    }
  }
  throw new Error('PostgreSQL wasn’t started again.');
}
