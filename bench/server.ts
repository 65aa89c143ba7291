import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** A server to measure, in a process of its own. */
export interface Server {
  readonly origin: string;
  /** Microseconds of CPU that its processes have used, over all threads. */
  cpu(): number;
  /** The same of its PostgreSQL: moving work into statements must not look like a saving. */
  databaseCpu(): number;
  /** Megabytes that its processes use now. */
  memory(): number;
  /** Megabytes that the server itself uses, without the processes that it started. */
  ownMemory(): number;
  stop(): Promise<void>;
}

/** Whether processes can be pinned to cores here: the server to the first, the load to the others. */
export const pins = process.platform === 'linux' && spawnSync('taskset', ['-p', String(process.pid)]).status === 0;

/** Pins this process, which makes the load, to all cores but the server's. */
export function pinLoad(): void {
  if (pins) spawnSync('taskset', ['-ap', '-c', '1-1023', String(process.pid)]);
}

/** What a server may use. */
interface Resources {
  /** How many cores it may use. */
  readonly cores: number;
  /** First process of its PostgreSQL. */
  readonly postgres?: number;
}

/** Starts a server and waits until it prints its address (`… on http://…`). */
export async function startServer(
  command: readonly string[],
  env: Record<string, string>,
  { cores, postgres }: Resources,
): Promise<Server> {
  const [file, ...args] = pins ? ['taskset', '-c', `0-${cores - 1}`, ...command] : command;
  const child = spawn(file!, args, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  let said = '';
  const origin = await new Promise<string>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-10_000);
      const [, address] = /on (http:\/\/[\w.:[\]]+)/.exec(said) ?? [];
      if (address) resolve(address);
    };
    for (const stream of [child.stdout, child.stderr]) stream.on('data', listen);
    void closed.then(() => reject(new Error(`${command.join(' ')} ended: ${said}`)));
  });
  // The log must still be read, but no longer parsed: parsing is work of this process, which makes the load.
  for (const stream of [child.stdout, child.stderr]) stream.removeAllListeners('data').resume();
  const sum = (of: (pid: number) => number, root: number | undefined) =>
    root ? tree(root).reduce((all, pid) => all + of(pid), 0) : 0;
  return {
    origin,
    cpu: () => sum(cpuOf, child.pid),
    databaseCpu: () => sum(cpuOf, postgres),
    memory: () => sum(memoryOf, child.pid),
    ownMemory: () => memoryOf(child.pid!),
    async stop() {
      child.kill('SIGTERM');
      await closed;
    },
  };
}

/** The process and all its descendants. */
function tree(root: number): number[] {
  if (!existsSync('/proc/self/stat')) return [root];
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = Number(statOf(Number(name))?.[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found = [root];
  for (const pid of found) found.push(...(children.get(pid) ?? []));
  return found;
}

/** The fields of /proc/<pid>/stat after the name; undefined when the process is gone. */
function statOf(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** Whether the kernel counts nanoseconds; otherwise hundredths of a second. */
const exact = existsSync('/proc/self/schedstat');
const tick = 10_000;

function cpuOf(pid: number): number {
  if (exact) return threads(pid).reduce((sum, schedstat) => sum + Number(schedstat.split(' ', 1)[0]) / 1000, 0);
  if (existsSync('/proc/self/stat')) {
    const stat = statOf(pid);
    return stat ? (Number(stat[11]) + Number(stat[12])) * tick : 0;
  }
  // macOS: minutes and seconds with hundredths.
  const [minutes = 0, seconds = 0] = ps(pid, 'time').split(':').slice(-2).map(Number);
  return (minutes * 60 + seconds) * 1_000_000;
}

/** The scheduler statistics of each thread of a process, if it still runs. */
function threads(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'),
    );
  } catch {
    return [];
  }
}

function memoryOf(pid: number): number {
  return Number(ps(pid, 'rss')) / 1024;
}

const ps = (pid: number, column: string): string =>
  spawnSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
