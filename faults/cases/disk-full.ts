import { chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Fault, Scene } from '../fault.ts';
import { promised, rounded } from '../promised.ts';
import { calls } from '../load.ts';
import { mountSmall, tryToMount, unmountSmall } from '../small-disk.ts';

/** Megabytes: a cluster and its write-ahead log. */
const size = 220;
let folder: string | undefined;

/** @param before uses up the remaining space, besides the load */
const full = (
  name: string,
  what: string,
  before: (connection: Scene['connection']) => Promise<void>,
  promise: string,
): Fault => ({
  name,
  what,
  // Pushes are refused while less than 256 MB are free, and logs of jobs are on the same disk.
  without: ['git', 'runner'],
  skipReason: tryToMount,
  async dataDir() {
    folder = await mkdtemp(join(tmpdir(), 'causeway-disk-'));
    await chmod(folder, 0o755);
    mountSmall(folder, size);
    return join(folder, 'data');
  },
  async run({ gateways, load, watch, connection, spare: [person] }) {
    const [gateway] = gateways;
    const ballast = join(folder!, 'ballast');
    const { bavail, bsize } = await statfs(folder!);
    await writeFile(ballast, Buffer.alloc(bavail * bsize)).catch(() => {});
    const from = performance.now();
    await before(connection);
    await pause(4_000);
    const to = performance.now();
    await rm(ballast);
    const freedAt = performance.now();
    let again: number | undefined;
    while (again === undefined && performance.now() < freedAt + 20_000) {
      const { wanted } = await load.ask(gateway!, calls.setSetting(person!, 5));
      if (wanted) again = performance.now() - freedAt;
      else await pause(50);
    }
    await watch.green();
    const during = load.between(from, to);
    const refused = during.filter(({ wanted }) => !wanted);
    return [
      promised(promise, `${refused.length} of ${during.length} requests were refused`, refused.length > 0),
      promised(
        'Writes work again when there is room, without intervention.',
        again === undefined ? 'not within 20 s' : `after ${rounded(again)}`,
        again !== undefined,
      ),
    ];
  },
  async clear() {
    if (folder === undefined) return;
    unmountSmall(folder);
    await rm(folder, { recursive: true, force: true });
    folder = undefined;
  },
});

export const diskFull = full(
  'disk-full',
  `The disk of an embedded database (a file system of ${size} MB) is full for four seconds: tables can’t grow.`,
  () => Promise.resolve(),
  'Writes without room are refused.',
);

/** PostgreSQL can't run without its write-ahead log: it stops, and recovers once there is room. */
export const diskFullForTheLog = full(
  'disk-full-for-the-log',
  'The same, and the write-ahead log has no room either, which stops PostgreSQL.',
  async (connection) => {
    const client = new pg.Client(connection);
    client.on('error', () => {});
    await client.connect();
    for (let megabytes = 0; megabytes < 64; megabytes += 4) {
      const written = await client
        .query(`select pg_logical_emit_message(false, 'faults', repeat('x', 4000000))`)
        .catch(() => undefined);
      if (!written) break;
    }
    await client.end().catch(() => {});
  },
  'What needs the database is refused.',
);
