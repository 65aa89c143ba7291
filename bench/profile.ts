import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharesOf, type CpuProfile } from './categories.ts';
import { asking, runSlice } from './load.ts';
import { draw, type Bar } from './picture.ts';
import { pinLoad } from './server.ts';
import { startSide } from './sides.ts';
import type { Store } from './store.ts';
import { work, type Contender } from './workload/index.ts';

/** Requests of the warm-up, and those that are measured. */
const [warmUp, counted] = [80_000, 30_000];
const connections = 16;

/**
 * Draws where the CPU time of a request goes, for the gateway and the floor, from a CPU profile of each. The parts are
 * shares of the profile, applied to the CPU time measured without one.
 * @param name part of the name of the work
 */
export async function profile(
  store: Store,
  name: string,
  results: string,
  print: (message: string) => void,
): Promise<void> {
  const found = work.find((one) => one.name.includes(name));
  if (!found) throw new Error(`No work has ${name} in its name.`);
  await mkdir(results, { recursive: true });
  const slug = slugOf(found.name);
  const bars: Bar[] = [];
  for (const contender of found.contenders.slice(0, 2)) {
    print(`… ${found.name}, ${contender.name}`);
    const cpu = await plainCpu(contender, store);
    const { shares, text } = await profiled(contender, store);
    await writeFile(join(results, `${slug}-${contender.name}.cpuprofile`), text);
    bars.push({
      name: contender.name,
      parts: [...shares].map(([category, share]) => ({ category, microseconds: share * cpu })),
    });
  }
  await writeFile(join(results, `${slug}.svg`), draw(found.name, bars));
  for (const { name: who, parts } of bars) {
    print(`\n${who}`);
    for (const { category, microseconds } of parts) print(`${microseconds.toFixed(1).padStart(8)} µs  ${category}`);
  }
}

/** The name as a file name. */
export const slugOf = (name: string): string => name.replace(/\W+/g, '-').toLowerCase();

/** Microseconds of CPU per request, without a profiler. */
async function plainCpu(contender: Contender, store: Store): Promise<number> {
  const server = await startSide(contender.on, store);
  try {
    pinLoad();
    const calls = contender.calls(store, asking(server));
    await runSlice(server, calls, warmUp, connections);
    const { cpu, requests } = await runSlice(server, calls, counted, connections);
    return cpu / requests;
  } finally {
    await server.stop();
  }
}

async function profiled(contender: Contender, store: Store) {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-profile-'));
  try {
    const server = await startSide(contender.on, store, {
      flags: ['--cpu-prof', '--cpu-prof-interval=250', `--cpu-prof-dir=${folder}`],
    });
    const calls = contender.calls(store, asking(server));
    await runSlice(server, calls, warmUp, connections);
    const from = now();
    await runSlice(server, calls, counted, connections);
    const to = now();
    await server.stop();
    const texts = await Promise.all((await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8')));
    // The server's profile, in case it started other processes.
    const text = texts.reduce((one, other) => (other.length > one.length ? other : one));
    return { text, shares: sharesOf(JSON.parse(text) as CpuProfile, from, to) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Microseconds of the clock that profiles use; the same in every process of this machine. */
const now = (): number => Number(process.hrtime.bigint() / 1000n);
