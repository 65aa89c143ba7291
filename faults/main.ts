import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { reachEmbeddedPostgres } from '../src/database/embedded/index.ts';
import { mailSink } from '../test/support/mail/mail-sink.ts';
import { faults } from './cases/index.ts';
import { makeCluster, query, type Cluster } from './cluster.ts';
import { workAtDoors } from './doors/index.ts';
import type { Door, Work } from './doors/work.ts';
import type { Fault } from './fault.ts';
import type { Promised } from './promised.ts';
import { makeGateway, type Gateway } from './gateways.ts';
import { peopleOfLoad, startLoad } from './load.ts';
import { isKept, resultOf, toMarkdown, withResults, type Result } from './report.ts';
import { furnish, seed, withoutIssues } from './store.ts';
import { allAnswered, verify } from './verify.ts';
import { watchReadiness } from './watch.ts';

/**
 * Breaks things under load (fault injection), and checks what is promised: see docs/reliability.md.
 *
 * npm run test:faults [-- --only <part of a name>] [-- --kills 200] [-- --document]
 */

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    kills: { type: 'string', default: '20' },
    document: { type: 'boolean', default: false },
  },
});
const root = process.env.FAULTS_ROOT!;
const print = (message: string) => process.stderr.write(`${message}\n`);

/** Milliseconds of load before a fault, and after it. */
const calm = 1_500;
const template = 'faults_template';

/** All running gateways, stopped also when the command is interrupted. */
const running = new Set<Gateway>();
const endAll = async () => {
  await Promise.all([...running].map((gateway) => gateway.end('SIGTERM')));
  running.clear();
};

const everyDoor: readonly Door[] = ['git', 'runner', 'mail'];

/**
 * Gateways on a database of their own, or one gateway with the embedded database.
 * @param common settings of every gateway, which those of the fault replace
 */
async function prepare(cluster: Cluster, fault: Fault, common: Record<string, string>) {
  const dataDir = await fault.dataDir?.();
  if (dataDir !== undefined) {
    await seed(root, { DATA_DIR: dataDir }, withoutIssues);
    const gateway = await makeGateway(root, 'A', { ...common, DATA_DIR: dataDir });
    await begin([gateway]);
    const { connection } = await reachEmbeddedPostgres({ dataDir });
    return { gateways: [gateway], connection: connection as pg.ClientConfig, databaseUrl: '', dataDir };
  }
  const database = `faults_${fault.name.replaceAll('-', '_')}`;
  const settings = await fault.settings?.({ cluster, database });
  const program = await fault.older?.(root);
  // Copied as files, between two checkpoints: a copy through the WAL would keep that sequences were logged ahead, which
  // happened in the other database, and after a crash such a sequence would repeat numbers.
  const from = program === undefined ? ` template ${template} strategy file_copy` : '';
  await query(cluster.url('postgres'), `create database ${database}${from}`);
  // Where a gateway uses another address, so do the checks.
  const databaseUrl = settings?.[0]?.DATABASE_URL ?? cluster.url(database);
  if (program !== undefined) await seed(program, { DATABASE_URL: databaseUrl });
  const gateways = await Promise.all(
    ['A', 'B'].map((name, index) =>
      makeGateway(root, name, { ...common, DATABASE_URL: databaseUrl, ...settings?.[index] }),
    ),
  );
  await begin(gateways, program);
  const files = settings?.[0]?.DATA_DIR ?? common.DATA_DIR!;
  return { gateways, connection: { connectionString: databaseUrl }, databaseUrl, dataDir: files };
}

async function begin(gateways: readonly Gateway[], program?: string): Promise<void> {
  for (const gateway of gateways) {
    running.add(gateway);
    await gateway.start(program);
  }
}

async function tryFault(cluster: Cluster, fault: Fault): Promise<readonly Promised[]> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-faults-files-'));
  const sink = await mailSink();
  const open = everyDoor.filter((door) => !fault.without?.includes(door));
  try {
    const mail = open.includes('mail') ? sink.settings : {};
    const common: Record<string, string> = { DATA_DIR: join(folder, 'data'), ...mail };
    const { gateways, connection, databaseUrl, dataDir } = await prepare(cluster, fault, common);
    const people = await furnish(connection);
    const watch = watchReadiness(gateways);
    const load = startLoad(gateways, people.slice(0, peopleOfLoad));
    const sql = async <Row extends object>(text: string, values: unknown[]) => {
      const client = new pg.Client(connection);
      await client.connect();
      const { rows } = await client.query<Row & pg.QueryResultRow>(text, values);
      await client.end();
      return rows;
    };
    let doors: Work | undefined;
    try {
      doors = await workAtDoors({ gateways, load, sql, folder }, open, { sink, reader: people.at(-1)! });
      // Pages and GraphQL are loaded by their first request.
      await pause(calm);
      await watch.green();
      const own = await fault.run({
        gateways,
        load,
        watch,
        spare: people.slice(peopleOfLoad),
        databaseUrl,
        connection,
        cluster,
        root,
        dataDir,
        doors,
        kills: Number(options.kills),
      });
      await watch.green();
      await pause(500);
      const from = performance.now();
      await pause(calm);
      const to = performance.now();
      await Promise.all([load.stop(), doors.stop()]);
      const recovered = allAnswered('Afterwards all requests are answered.', load.between(from, to));
      return [...own, recovered, ...(await verify(gateways, load, sql)), ...(await doors.verify(gateways))];
    } finally {
      await Promise.all([load.stop(), doors?.stop()]);
      await watch.close();
      await load.close();
    }
  } finally {
    await endAll();
    await sink.down();
    await fault.clear?.({ cluster });
    await rm(folder, { recursive: true, force: true });
  }
}

const chosen = faults.filter(({ name }) => name.includes(options.only));
const cluster = await makeCluster();
const stop = async () => {
  await endAll();
  await cluster.remove();
};
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stop().finally(() => process.exit(130)));

const results: Result[] = [];
try {
  await cluster.start();
  await query(cluster.url('postgres'), `create database ${template}`);
  await seed(root, { DATABASE_URL: cluster.url(template) });
  const first = await makeGateway(root, 'first', { DATABASE_URL: cluster.url(template) });
  await begin([first]);
  await first.end('SIGTERM');
  for (const fault of chosen) {
    const startedAt = performance.now();
    const skipped = await fault.skipReason?.(root);
    const promises = skipped === undefined ? await tryFault(cluster, fault).catch(broken) : [];
    const result = resultOf(fault, (performance.now() - startedAt) / 1_000, promises, skipped);
    results.push(result);
    print(
      `${skipped === undefined ? (isKept(result) ? 'kept   ' : 'BROKEN ') : 'skipped'} ${fault.name} (${result.seconds.toFixed(0)} s)`,
    );
    for (const { promise, seen, kept } of promises) print(`  ${kept ? '✓' : '✗'} ${promise} ${seen}`);
  }
} finally {
  await stop();
}

/** An error that ended a fault early counts as a broken promise of the suite. */
function broken(error: unknown): Promised[] {
  return [{ promise: 'The fault runs to its end.', seen: (error as Error).stack ?? String(error), kept: false }];
}

const folder = join(root, 'faults/.results');
await mkdir(folder, { recursive: true });
const machine = `${process.platform} ${process.arch}, Node ${process.version}`;
await writeFile(
  join(folder, 'faults.json'),
  `${JSON.stringify({ at: new Date().toISOString(), machine, results }, undefined, 2)}\n`,
);
await writeFile(join(folder, 'faults.md'), toMarkdown(results));
if (options.document) {
  const document = join(root, 'faults/results/README.md');
  const former = await readFile(document, 'utf8').catch(() => '');
  await mkdir(join(root, 'faults/results'), { recursive: true });
  await writeFile(document, withResults(former, results, faults));
}
process.exit(results.every(isKept) ? 0 : 1);
