import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promised, rounded, type Fault } from '../fault.ts';
import { calls } from '../load.ts';

/** Megabytes: a cluster, and what it writes ahead. */
const size = 220;
let folder: string | undefined;

const mount = (place: string) => execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}m,mode=755`, 'tmpfs', place], { stdio: 'pipe' });
const unmount = (place: string) => execFileSync('umount', ['-l', place], { stdio: 'pipe' });

async function tryToMount(): Promise<string | undefined> {
  const place = await mkdtemp(join(tmpdir(), 'causeway-mount-'));
  try {
    mount(place);
    unmount(place);
    return undefined;
  } catch {
    return 'A small file system can’t be mounted here: that takes root on Linux.';
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

export const diskFull: Fault = {
  name: 'disk-full',
  what: `The disk of an embedded database (a file system of ${size} MB) is full for four seconds, and then has room again.`,
  impossible: tryToMount,
  async dataDir() {
    folder = await mkdtemp(join(tmpdir(), 'causeway-disk-'));
    await chmod(folder, 0o755);
    mount(folder);
    return join(folder, 'data');
  },
  async run({ gateways, load, watch, spare: [person] }) {
    const [gateway] = gateways;
    const ballast = join(folder!, 'ballast');
    const { bavail, bsize } = await statfs(folder!);
    // What is left is used up by what the load writes.
    await writeFile(ballast, Buffer.alloc(bavail * bsize)).catch(() => {});
    const from = performance.now();
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
    const refused = load.between(from, to).filter(({ wanted }) => !wanted);
    const read = load.between(from, to).filter(({ wanted }) => wanted);
    return [
      promised('Writes that find no room are told so.', `${refused.length} requests failed, ${read.length} were answered`, refused.length > 0),
      promised('Writes work again when there is room, without help.', again === undefined ? 'not within 20 s' : `after ${rounded(again)}`, again !== undefined),
    ];
  },
  async clear() {
    if (folder === undefined) return;
    unmount(folder);
    await rm(folder, { recursive: true, force: true });
    folder = undefined;
  },
};
