import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { checkedRef } from '../names/refs.ts';
import type { Repository } from '../repository.ts';

/** Keeping repositories small and fast: jobs, never on the path of a request. One at a time, at `nice 15`. */

/** What a repository holds on disk. */
export interface Size {
  /** Bytes of objects, loose and in packs. */
  readonly bytes: number;
  readonly loose: number;
  readonly packs: number;
}

/** How much a repository holds: for quotas, and to decide about maintenance. */
export async function sizeOf(repository: Repository): Promise<Size> {
  const lines = (await repository.read(['count-objects', '-v'])).toString();
  const number = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(lines)?.[1] ?? 0);
  return {
    bytes: (number('size') + number('size-pack') + number('size-garbage')) * 1024,
    loose: number('count'),
    packs: number('packs'),
  };
}

/**
 * Whether a repository stays within its bound.
 * @param quarantine the same repository with the objects of a push that isn’t accepted yet
 */
export async function hasRoom(repository: Repository, quarantine?: Repository): Promise<boolean> {
  const bound = repository.limits.repository;
  if (bound === Infinity) return true;
  const sizes = await Promise.all([sizeOf(repository), ...(quarantine ? [sizeOf(quarantine)] : [])]);
  return sizes.reduce((sum, { bytes }) => sum + bytes, 0) <= bound;
}

/** Loose objects and packs from which on maintenance is worth it, as in git-gc(1). */
const manyLoose = 6_700;
const manyPacks = 50;

/** Whether a repository should be maintained, besides every some pushes. */
export const needsMaintenance = ({ loose, packs }: Size): boolean => loose >= manyLoose || packs >= manyPacks;

/**
 * Maintains a repository while it is used.
 * @param how `usual`: loose objects into a pack, small packs together, the commit graph with changed paths (three times
 *   faster logs of a path), references into one file. `thorough`: one pack with a bitmap; what nothing refers to for
 *   two weeks is removed
 * @throws Busy, TimedOut, Broken
 */
export async function maintain(repository: Repository, how: 'usual' | 'thorough', signal?: AbortSignal): Promise<void> {
  const run = (args: readonly string[]) => repository.read(args, { kind: 'upkeep', signal });
  if (how === 'usual') {
    await run(['pack-refs', '--all', '--prune']);
    await run(['repack', '-d', '--geometric=2', '--quiet', '--write-midx']);
  } else {
    await run(['gc', '--quiet', '--prune=2.weeks.ago', '--cruft']);
  }
  const split = how === 'usual' ? ['--split'] : [];
  await run(['commit-graph', 'write', '--reachable', '--changed-paths', ...split, '--no-progress']);
  await removeQuarantines(repository);
  // Readers keep packs open that are gone now.
  repository.release();
}

/** Milliseconds after which a quarantine belongs to no one: longer than the longest push. */
const abandoned = 4 * 3_600_000;

/** Removes what pushes left that were killed: git itself leaves their folders when a signal ends it. */
async function removeQuarantines({ path }: Repository): Promise<void> {
  const objects = join(path, 'objects');
  for (const name of await readdir(objects)) {
    if (!name.startsWith('tmp_objdir-')) continue;
    const folder = join(objects, name);
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Infinity }));
    if (Date.now() - mtimeMs > abandoned) await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Milliseconds after which the lock of a reference belongs to no one (contract S30): twice as long as a writer may hold
 * one while it waits for the database.
 */
const abandonedLock = 2 * 60_000;

/** Whether a reference is being changed, or a killed git left its lock. */
export const isLocked = ({ path }: Repository, ref: string): Promise<boolean> =>
  stat(join(path, `${checkedRef(ref)}.lock`)).then(
    () => true,
    () => false,
  );

/** Names of lock files that no one holds: `HEAD.lock`, `packed-refs.lock`, and those below `refs`. */
export async function staleLocks({ path }: Repository): Promise<string[]> {
  const top = await readdir(path);
  const below = await readdir(join(path, 'refs'), { recursive: true });
  const locks = [...top, ...below.map((name) => join('refs', name))].filter((name) => name.endsWith('.lock'));
  return await abandonedOf(path, locks);
}

/**
 * Removes lock files that a killed git left: they would refuse every change of their reference. The caller holds the
 * repository's row.
 * @param refs looks only at the locks that a change of these needs; at all of them, if omitted
 */
export async function removeStaleLocks(repository: Repository, refs?: readonly string[]): Promise<void> {
  const { path } = repository;
  const needed = refs?.map((ref) => `${checkedRef(ref)}.lock`);
  const stale = needed
    ? await abandonedOf(path, ['HEAD.lock', 'packed-refs.lock', ...needed])
    : await staleLocks(repository);
  for (const name of stale) await rm(join(path, name), { force: true });
}

async function abandonedOf(path: string, locks: readonly string[]): Promise<string[]> {
  const now = Date.now();
  const ages = await Promise.all(
    locks.map((name) =>
      stat(join(path, name)).then(
        ({ mtimeMs }) => now - mtimeMs,
        () => 0,
      ),
    ),
  );
  return locks.filter((_, index) => ages[index]! > abandonedLock);
}
