import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseArgs } from 'node:util';
import { runSlice, type Calls } from './load.ts';
import { resultOf, toMarkdown, type Result, type Rounds } from './report.ts';
import { pinLoad, pins, startServer, type Server } from './server.ts';
import { measureStarts } from './starts.ts';
import { application, openStore, secretKey, type Size, type Store } from './store.ts';
import { sideNames, work, type SideName, type Work } from './work.ts';

/**
 * Measures the gateway beside others, on one machine and in one run: each round asks
 * every side for the same work, one right after the other, so that whatever else the
 * machine does meets all of them. What counts is the ratio within a round.
 *
 *   npm run bench [-- --quick] [-- --only <part of a name>] [-- --size large]
 */

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    size: { type: 'string', default: 'small' },
  },
});
const root = process.env.BENCH_ROOT!;
const bundles = process.env.BENCH_BUNDLES!;
const [rounds, connections] = [options.quick ? 3 : 7, 16];
const tell = (message: string) => process.stderr.write(`${message}\n`);

const node = [process.execPath, '--enable-source-maps'];

/** How each side is started; undefined where this machine lacks what it needs. */
const commands: Record<SideName, () => Promise<readonly string[] | undefined>> = {
  causeway: async () => [process.execPath, 'dist/cli.js', 'start'],
  floor: async () => [...node, join(bundles, 'floor.js')],
  'usual stack': async () => [...node, join(bundles, 'usual-stack.js')],
  'oidc-provider': async () => [...node, join(bundles, 'oidc-provider.js')],
  doorkeeper: async () => ((await hasDoorkeeper()) ? puma : undefined),
};

/** With two workers, as a small instance runs it. */
const puma = ['puma', '--workers', '2', '--threads', '5:5', '--preload', '--environment', 'production', '--bind', 'tcp://127.0.0.1:0', join(root, 'bench/sides/doorkeeper/config.ru')];

async function hasDoorkeeper(): Promise<boolean> {
  const check = `require 'active_record/railtie'; require 'action_controller/railtie'; require 'doorkeeper'; require 'pg'`;
  return await promisify(execFile)('ruby', ['-e', check]).then(() => true, () => false);
}

async function measure(one: Work, servers: Map<SideName, Server>, store: Store): Promise<Result> {
  const calls = new Map<SideName, Calls>();
  for (const side of sideNames) {
    const server = servers.get(side);
    const make = one.sides[side];
    if (!server || !make) continue;
    calls.set(side, make(store, async ({ path, headers }) => await (await fetch(server.origin + path, { headers: headers ?? {} })).text()));
  }
  const count = Math.ceil((one.slice ?? 2_000) / (options.quick ? 2 : 1));
  const slices: { [side in SideName]?: Awaited<ReturnType<typeof runSlice>>[] } = {};
  for (let round = -1; round < rounds; round++) {
    // Each round begins with another side, and the first only warms up.
    const order = [...calls.keys()];
    order.push(...order.splice(0, (round + 1) % order.length));
    for (const side of order) {
      const slice = await runSlice(servers.get(side)!, calls.get(side)!, count, one.connections ?? connections);
      if (round >= 0) (slices[side] ??= []).push(slice);
    }
  }
  const inOrder = Object.fromEntries([...calls.keys()].map((side) => [side, slices[side]])) as Rounds;
  return resultOf(one, inOrder);
}

const store = await openStore(root, options.size as Size, tell);
const servers = new Map<SideName, Server>();
try {
  const wanted = work.filter(({ name, key }) => name.includes(options.only) && (!options.quick || key));
  const env = { DATABASE_URL: store.url, CAUSEWAY_SECRET_KEY: secretKey, CAUSEWAY_DEMO: 'off', PORT: '0', NODE_ENV: 'production', BENCH_APPLICATION: Object.values(application).join(' ') };
  for (const side of sideNames) {
    if (!wanted.some(({ sides }) => sides[side])) continue;
    const command = await commands[side]();
    // Doorkeeper's two workers may use two cores; everything else is one process on one.
    if (command) servers.set(side, await startServer(command, env, side === 'doorkeeper' ? 2 : 1));
    else tell(`${side} isn't installed here: left out.`);
  }
  pinLoad();
  tell(`${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}, ${pins ? 'each server on core 0, the load on the others' : 'nothing pinned'}, ${options.size} data`);
  const results: Result[] = [];
  for (const one of wanted) {
    tell(`… ${one.name}`);
    results.push(await measure(one, servers, store));
  }
  const memory = servers.get('causeway')?.memory();
  for (const server of servers.values()) await server.stop();
  servers.clear();
  const starts = options.only === '' ? await measureStarts(root, store, secretKey) : {};
  const table = toMarkdown(results);
  const folder = join(root, 'bench/.results');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'latest.json'), `${JSON.stringify({ at: new Date().toISOString(), ...options, memoryUnderLoad: memory, starts, results }, null, 2)}\n`);
  const extra = Object.entries({ 'memory of the gateway after all that, MB': memory, ...starts }).map(([name, value]) => `- ${name}: ${value?.toFixed(2)}\n`);
  await writeFile(join(folder, 'latest.md'), `${table}\n${extra.join('')}`);
  process.stdout.write(`${table}\n${extra.join('')}`);
} finally {
  for (const server of servers.values()) await server.stop();
  await store.stop();
  await rm(bundles, { recursive: true, force: true });
}
