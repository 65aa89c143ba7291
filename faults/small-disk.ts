import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** File systems that are small enough to fill. */

export const mountSmall = (path: string, megabytes: number) =>
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', path], { stdio: 'pipe' });
export const unmountSmall = (path: string) => execFileSync('umount', ['-l', path], { stdio: 'pipe' });

/** @returns why none can be mounted here, if so */
export async function tryToMount(): Promise<string | undefined> {
  const path = await mkdtemp(join(tmpdir(), 'causeway-mount-'));
  try {
    mountSmall(path, 1);
    unmountSmall(path);
    return undefined;
  } catch {
    return 'A small file system can’t be mounted here: that takes root on Linux.';
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}
