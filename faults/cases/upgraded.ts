import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type pg from 'pg';
import { query } from '../cluster.ts';
import type { Fault } from '../fault.ts';
import { commonSettings, makeGateway, type Gateway } from '../gateways.ts';
import { peopleOfLoad, startLoad } from '../load.ts';
import { promised, rounded } from '../promised.ts';
import { furnish, seed } from '../store.ts';
import { allAnswered, verify } from '../verify.ts';

/** Milliseconds of load before, while both versions serve, and after. */
const calm = 3_000;

export const upgraded: Fault = {
  name: 'upgraded',
  what: 'Two gateways of a former version serve under load; its database is migrated, and they are replaced one after the other.',
  skipReason: ({ former }) =>
    Promise.resolve(
      former === undefined
        ? 'No former version was given: build one in a checkout of its own, and name it by `--former`.'
        : existsSync(join(former, 'dist/cli.js'))
          ? undefined
          : `${former} isn’t built.`,
    ),
  async run({ cluster, versions: { present, former } }) {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-upgrade-'));
    const database = 'faults_of_former';
    await query(cluster.url('postgres'), `create database ${database}`);
    const place = { DATABASE_URL: cluster.url(database), DATA_DIR: folder };
    const gateways: Gateway[] = [];
    try {
      await seed(former!, place);
      for (const name of ['former A', 'former B']) {
        const gateway = await makeGateway(former!, name, place);
        gateways.push(gateway);
        await gateway.start();
      }
      const connection = { connectionString: place.DATABASE_URL };
      const people = await furnish(connection);
      const load = startLoad(gateways, people.slice(0, peopleOfLoad));
      try {
        await pause(calm);
        const migratedFrom = performance.now();
        await promisify(execFile)(process.execPath, ['dist/cli.js', 'migrate'], {
          cwd: present,
          env: { PATH: process.env.PATH, HOME: process.env.HOME, ...commonSettings, ...place },
        });
        const migratedTo = performance.now();
        await pause(calm);
        const served = performance.now();
        for (const gateway of gateways) {
          await gateway.end('SIGTERM');
          await gateway.start(present);
          await pause(calm);
        }
        const to = performance.now();
        await pause(calm);
        await load.stop();
        const sql = async <Row extends object>(text: string, values: unknown[]) =>
          await query<Row & pg.QueryResultRow>(place.DATABASE_URL, text, values);
        const failed = load.between(migratedTo, to).filter(({ status, wanted }) => !wanted && status !== 0);
        return [
          allAnswered(
            'The former version serves while the database is migrated.',
            load.between(migratedFrom, migratedTo),
          ),
          allAnswered('It serves on the migrated database.', load.between(migratedTo, served)),
          promised(
            'Nothing fails while both versions serve, besides what a stopping gateway doesn’t take.',
            `${failed.length} of ${load.between(served, to).length} failed; the migration took ${rounded(migratedTo - migratedFrom)}${failed[0] ? `; ${failed[0].dialect} ${failed[0].status} ${failed[0].text.slice(0, 100)}` : ''}`,
            failed.length === 0,
          ),
          ...(await verify(gateways, load, sql)),
        ];
      } finally {
        await load.stop();
        await load.close();
      }
    } finally {
      await Promise.all(gateways.map((gateway) => gateway.end('SIGTERM')));
      await rm(folder, { recursive: true, force: true });
    }
  },
};
