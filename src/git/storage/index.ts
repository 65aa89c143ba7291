import { readdir, rename, mkdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { NotFound, writingFailed } from '../errors.ts';
import { branchRef, checkedObject, checkedRef } from '../names/refs.ts';
import { readHead, setHead } from '../refs/index.ts';
import type { Repository } from '../repository.ts';
import { sync } from './create.ts';

export { checkConfiguration, createRepository, exists, pathOf } from './create.ts';
export {
  hasRoom,
  isLocked,
  maintain,
  needsMaintenance,
  removeStaleLocks,
  sizeOf,
  staleLocks,
  type Size,
} from './maintenance.ts';

/** Copies, references of other repositories, and the end of a repository. */

/**
 * Copies all branches and tags of a repository into another, with every object: nothing is shared, so neither can be
 * read or harmed through the other (contract S14). What no branch or tag reaches stays behind.
 * @param target made before, and empty
 * @param of.branch the only branch to copy, with the tags of its commits
 * @throws NotFound, TimedOut, Busy, Broken
 */
export async function copyRepository(
  target: Repository,
  source: Repository,
  { branch, signal }: { branch?: string | undefined; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  if (branch !== undefined) {
    const ref = branchRef(branch);
    await fetchRefs(target, source, [`+${ref}:${ref}`], { kind: 'upkeep', tags: true, signal });
    return;
  }
  await fetchRefs(target, source, ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'], {
    kind: 'upkeep',
    signal,
  });
  const head = await readHead(source);
  if (head !== undefined) await setHead(target, head);
}

/**
 * Brings a branch of another repository of this storage in under another name, with its objects: the head of a merge
 * request from a fork. What is there already moves.
 * @param to a full name, such as `refs/merge-requests/1/head`
 */
export async function fetchRef(
  target: Repository,
  source: Repository,
  { branch, to, signal }: { branch: string; to: string; signal?: AbortSignal },
): Promise<void> {
  await fetchRefs(target, source, [`+${branchRef(branch)}:${checkedRef(to)}`], { kind: 'command', signal });
}

/**
 * Brings a commit of another repository of this storage in, with what led to it and without a reference: to build on it.
 * @param commit its full name
 */
export async function fetchCommit(
  target: Repository,
  source: Repository,
  commit: string,
  signal?: AbortSignal,
): Promise<void> {
  await fetchRefs(target, source, [checkedObject(commit)], { kind: 'command', signal });
}

async function fetchRefs(
  target: Repository,
  source: Repository,
  refs: readonly string[],
  { kind, tags = false, signal }: { kind: 'upkeep' | 'command'; tags?: boolean; signal?: AbortSignal | undefined },
): Promise<void> {
  await readHead(source);
  const { code, stderr } = await target.run(
    [
      'fetch',
      '--quiet',
      // Otherwise git brings the tags of the commits that it brings.
      ...(tags ? [] : ['--no-tags']),
      '--no-write-fetch-head',
      '--no-auto-maintenance',
      '--no-recurse-submodules',
      source.path,
      ...refs,
    ],
    {
      kind,
      signal,
      milliseconds: kind === 'command' ? 300_000 : 3_600_000,
      environment: { GIT_ALLOW_PROTOCOL: 'file' },
      // The objects were checked when they came in; a pack stays a pack.
      configuration: { 'fetch.fsckObjects': 'false', 'transfer.fsckObjects': 'false', 'transfer.unpackLimit': '100' },
    },
  );
  if (code === 0) return;
  if (/couldn't find remote ref/.test(stderr)) throw new NotFound('The branch does not exist.');
  throw writingFailed('The repository could not be copied.', stderr);
}

/** Keeps a commit that no branch reaches from being removed: the versions of a merge request after a force push. */
export async function keepAround(repository: Repository, commits: readonly string[]): Promise<void> {
  const names = [...new Set(commits)].map(checkedObject);
  if (names.length === 0) return;
  // The same value again is no change, so no expected value.
  const input = names.map((id) => `update refs/keep-around/${id}\0${id}\0\0`).join('');
  await repository.read(['update-ref', '--stdin', '-z'], { kind: 'refs', input });
}

/** The folder of deleted repositories, beside `@hashed`. */
const deleted = '+deleted';

/**
 * Takes a repository away: renamed to `+deleted/<hash>-<time>`, where it waits for the end of the grace time.
 * @param root the folder of the repositories
 * @returns its new path, or undefined if there was none
 */
export async function removeRepository(
  root: string,
  repository: Repository,
  now = Date.now(),
): Promise<string | undefined> {
  const folder = join(root, deleted);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const target = join(folder, `${basename(repository.path, '.git')}-${now}`);
  repository.release();
  try {
    await rename(repository.path, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  await Promise.all([sync(folder), sync(dirname(repository.path))]);
  return target;
}

/** Brings a repository back that was taken away. @param removed what `removeRepository` returned */
export async function restoreRepository(repository: Repository, removed: string): Promise<void> {
  await mkdir(dirname(repository.path), { recursive: true, mode: 0o700 });
  await rename(removed, repository.path);
}

/**
 * Removes for good what was taken away before a moment.
 * @param before milliseconds since 1970
 * @returns how many
 */
export async function sweepRemoved(root: string, before: number): Promise<number> {
  const folder = join(root, deleted);
  const names = await readdir(folder).catch(() => []);
  const due = names.filter((name) => Number(/-(\d+)$/.exec(name)?.[1] ?? Infinity) < before);
  for (const name of due) await rm(join(folder, name), { recursive: true, force: true });
  return due.length;
}
