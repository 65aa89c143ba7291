import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { InvalidArgumentError, Option, program } from 'commander';
import { measureClones, measureCrowd } from './apart/clones.ts';
import { endure } from './apart/endurance.ts';
import { measureGit } from './apart/git.ts';
import { measureHostile } from './apart/hostile.ts';
import { measureImports } from './apart/imports.ts';
import { measureLogs } from './apart/logs.ts';
import { measureMail } from './apart/mail.ts';
import { measurePlans } from './apart/plans.ts';
import { measureRecipients } from './apart/recipients.ts';
import { measureStarts } from './apart/starts.ts';
import { scaleWork, sizeWork, work, type Work } from './workload/index.ts';
import { areaOf, areas } from './areas.ts';
import { writeDocument } from './document.ts';
import { measure, paces } from './measure.ts';
import { profile } from './profile.ts';
import { toMarkdown, type Check, type Report, type Result, type Run } from './report.ts';
import { pinLoad, pins } from './server.ts';
import { startSides, stopSides, type SideName } from './sides.ts';
import { openStore, type Size, type Store } from './store.ts';

interface Options {
  readonly quick: boolean;
  readonly only: string;
  readonly area: string[];
  readonly size: Size | 'both';
  readonly runs: number;
  readonly endurance?: number;
  readonly profile?: string;
  readonly document: boolean;
}

function wholeNumber(given: string): number {
  if (!/^[1-9]\d{0,8}$/.test(given)) throw new InvalidArgumentError('A whole number from 1 to 999999999.');
  return Number(given);
}

program
  .name('npm run bench --')
  .description(
    'Measures the gateway beside other servers, on one machine and in one run. Everything takes about a quarter of an hour.',
  )
  .option('--quick', 'the key ratios, in about a minute', false)
  .option(
    '--only <names>',
    'the work with this full name, or all work with one of these parts in its name, separated by commas; also `starts`, `git`, `clones`, `clones at once`, `hostile connections`, `recipients`, `plans`, `mail` and `import`',
    '',
  )
  .addOption(
    new Option('--area <area>', 'only work of an area; repeat it for several')
      .choices(areas.map(({ name }) => name))
      .argParser((name: string, before: string[] = []) => {
        if (!areas.some((area) => area.name === name))
          throw new InvalidArgumentError(`Allowed choices are ${areas.map((area) => area.name).join(', ')}.`);
        return [...before, name];
      })
      .default([]),
  )
  .addOption(
    new Option(
      '--size <size>',
      'the data: large is seeded on first use (minutes, 15 GB); both compares large with small',
    )
      .choices(['small', 'large', 'both'])
      .default('small'),
  )
  .option('--runs <count>', 'so many times in a row, and whether the targets hold in each', wholeNumber, 1)
  .option('--endurance <count>', 'memory while so many requests of all kinds are answered', wholeNumber)
  .option('--profile <name>', 'where a request’s microseconds go, as a picture')
  .option('--document', 'writes the last results to bench/results/README.md', false)
  .addHelpText('after', `\nAreas:\n${areas.map(({ name, what }) => `  ${name.padEnd(14)} ${what}`).join('\n')}`)
  .addHelpText('after', '\nWith --timing it says instead whether times of answers give away who has an account.')
  .parse();
const options = program.opts<Options>();
const root = process.env.BENCH_ROOT!;
const results = join(root, 'bench/.results');
const print = (message: string) => void process.stderr.write(`${message}\n`);
const size: Size = options.size === 'large' ? 'large' : 'small';

const stores = new Map<Size, Store>();
async function opened(wanted: Size): Promise<Store> {
  const store = stores.get(wanted) ?? (await openStore(root, wanted, print));
  stores.set(wanted, store);
  return store;
}

/** Parts of names, unless it is a full name; empty for everything. */
const parts = options.only
  .split(',')
  .map((part) => part.trim())
  .filter((part) => part !== '');
const selective = parts.length > 0 || options.area.length > 0;
const all = !selective && options.size !== 'both';
/** Whether the options name it: its area, and within the areas its full name or a part of it. */
const isNamed = (name: string) =>
  (options.area.length === 0 || options.area.includes(areaOf(name)?.name ?? '')) &&
  (everything.includes(options.only)
    ? name === options.only
    : parts.length === 0 || parts.some((part) => name.includes(part)));
const wants = (name: string) => (selective ? isNamed(name) : all && !options.quick);

/** What is measured by itself, not as requests beside other servers. */
const apart: Readonly<Record<string, () => Promise<Check[]>>> = {
  starts: async () => await measureStarts(await opened(size)),
  git: async () => await measureGit(root, print),
  clones: async () => await measureClones(await opened(size), print),
  'clones at once': async () => await measureCrowd(await opened(size), print),
  'hostile connections': async () => await measureHostile(await opened(size), print),
  logs: async () => await measureLogs(await opened(size), print),
  recipients: async () => await measureRecipients(root, print),
  plans: async () => await measurePlans(print),
  mail: async () => await measureMail(await opened(size), print),
  import: async () => await measureImports(root, options.quick, print),
};
/** The names of all that can be measured. */
const everything = [...work, ...scaleWork, ...sizeWork].map(({ name }) => name).concat(Object.keys(apart));
if (options.area.length > 0) {
  const lost = everything.filter((name) => !areaOf(name));
  if (lost.length > 0) throw new Error(`These belong to no area of bench/areas.ts: ${lost.join('; ')}.`);
}
const wantedApart = Object.keys(apart).filter(wants);

function wantedWork(): readonly Work[] {
  if (options.size === 'both') return selective ? named(sizeWork) : sizeWork;
  if (selective) return named([...work, ...scaleWork]);
  return options.quick ? work.filter(({ key }) => key) : work;
}

function named(list: readonly Work[]): readonly Work[] {
  const found = list.filter(({ name }) => isNamed(name));
  if (found.length === 0 && wantedApart.length === 0)
    throw new Error(
      `No work is of ${[...options.area, options.only].join(' ')}: ${[...list.map(({ name }) => name), ...Object.keys(apart)].join('; ')}.`,
    );
  return found;
}

/** One run of the selected work. */
async function runAll(): Promise<Run> {
  const wanted = wantedWork();
  const names = new Set<SideName>(wanted.flatMap(({ contenders }) => contenders.map(({ on }) => on)));
  const running = await startSides(names, size, opened, print);
  const found: Result[] = [];
  const left: string[] = [];
  let most = 0;
  try {
    pinLoad();
    for (const one of wanted) {
      print(`… ${one.name}`);
      const result = await measure(one, running, options.quick ? paces.quick : paces.full);
      if (result) found.push(result);
      else left.push(one.name);
      most = Math.max(most, running.get('causeway')?.server.memory() ?? 0);
    }
  } finally {
    await stopSides(running);
  }
  const checks: Check[] = [];
  for (const name of wantedApart) checks.push(...(await apart[name]!()));
  if (all) checks.push({ name: 'memory under load, at most', value: most, unit: 'MB', bound: 260 });
  return { at: new Date().toISOString(), results: found, checks, left };
}

const conditions = () =>
  `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}, ${pins ? 'each server on core 0, the load on the others' : 'nothing pinned'}, ${options.size === 'both' ? 'small and large' : options.size} data, ${new Date().toISOString().slice(0, 10)}.`;

async function report(): Promise<void> {
  const runs: Run[] = [];
  for (let run = 1; run <= options.runs; run++) {
    print(`Run ${run} of ${options.runs}: ${conditions()}`);
    const startedAt = performance.now();
    runs.push(await runAll());
    print(`It took ${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes.`);
  }
  const command = ['npm run bench', ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])].join(' ');
  const made: Report = { command, conditions: conditions(), runs };
  const name = options.quick || selective ? 'part' : options.size === 'both' ? 'sizes' : 'latest';
  await mkdir(results, { recursive: true });
  await writeFile(join(results, `${name}.json`), `${JSON.stringify(made, null, 2)}\n`);
  await writeFile(join(results, `${name}.md`), toMarkdown(made));
  process.stdout.write(toMarkdown(made));
}

try {
  if (options.document) await writeDocument(root, results, print);
  else if (options.endurance) await endure(await opened(size), options.endurance, results, print);
  else if (options.profile) await profile(await opened(size), options.profile, results, print);
  else await report();
} finally {
  for (const store of stores.values()) await store.stop();
}
