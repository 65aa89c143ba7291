import { checkedObject } from '../names/refs.ts';
import { readCommit } from '../objects/index.ts';
import { NotFound } from '../errors.ts';
import type { Repository } from '../repository.ts';
import { DiffParser, type Diff, type DiffLimits } from './parse.ts';

export type { Diff, DiffLimits, FileDiff } from './parse.ts';

/** Comparing commits. */

/** The limits of the contract, §7. */
export const diffLimits: DiffLimits = {
  files: 1_000,
  lines: 50_000,
  bytes: 5 * 2 ** 20,
  fileBytes: 200 * 2 ** 10,
};

/**
 * What a commit changed, against its first parent; a root commit, against nothing.
 * @throws NotFound for an unknown commit
 */
export async function diffOfCommit(repository: Repository, commit: string, limits = diffLimits): Promise<Diff> {
  const { parents } = await existing(repository, commit);
  return await compare(repository, parents[0], commit, limits);
}

/**
 * How two commits differ.
 * @param from undefined: everything is new; then `to` must be a root commit
 * @throws NotFound for an unknown commit
 */
export async function diffBetween(
  repository: Repository,
  from: string,
  to: string,
  limits: DiffLimits = diffLimits,
): Promise<Diff> {
  await Promise.all([existing(repository, from), existing(repository, to)]);
  return await compare(repository, from, to, limits);
}

async function compare(
  repository: Repository,
  from: string | undefined,
  to: string,
  limits: DiffLimits,
): Promise<Diff> {
  let parser = new DiffParser(limits);
  await repository.diffs('patches').compare(lineOf(from, to), () => (parser = new DiffParser(limits)));
  return parser.finish();
}

/** Lines that a commit added and deleted. */
export interface Stats {
  readonly additions: number;
  readonly deletions: number;
  readonly files: number;
}

/** How many lines a commit added and deleted, against its first parent. Binary files count nothing. */
export async function statsOfCommit(repository: Repository, commit: string): Promise<Stats> {
  const { parents } = await existing(repository, commit);
  return await count(repository, parents[0], commit);
}

/** The same between two commits. @throws NotFound for an unknown commit */
export async function statsBetween(repository: Repository, from: string, to: string): Promise<Stats> {
  await Promise.all([existing(repository, from), existing(repository, to)]);
  return await count(repository, from, to);
}

async function count(repository: Repository, from: string | undefined, to: string): Promise<Stats> {
  let chunks: Buffer[] = [];
  await repository.diffs('numbers').compare(lineOf(from, to), () => {
    chunks = [];
    return { take: (bytes) => (chunks.push(Buffer.from(bytes)), true) };
  });
  const stats = { additions: 0, deletions: 0, files: 0 };
  for (const field of Buffer.concat(chunks).toString('latin1').split('\0')) {
    const found = /^(?<added>\d+|-)\t(?<deleted>\d+|-)\t/.exec(field)?.groups;
    if (!found) continue;
    stats.files++;
    stats.additions += Number(found.added) || 0;
    stats.deletions += Number(found.deleted) || 0;
  }
  return stats;
}

/** A commit and its parent, as `diff-tree --stdin` reads them. */
const lineOf = (from: string | undefined, to: string) =>
  from === undefined ? checkedObject(to) : `${checkedObject(to)} ${checkedObject(from)}`;

async function existing(repository: Repository, id: string) {
  const commit = await readCommit(repository, id);
  if (!commit) throw new NotFound('The commit does not exist.');
  return commit;
}

/** The paths of files that differ between two commits. @param from undefined: all of `to` */
export async function changedPaths(
  repository: Repository,
  from: string | undefined,
  to: string,
  signal?: AbortSignal,
): Promise<string[]> {
  const range = from === undefined ? ['--root', checkedObject(to)] : [checkedObject(from), checkedObject(to)];
  const args = ['diff-tree', '-r', '--name-only', '--no-commit-id', '--no-renames', '-z', ...range];
  const output = await repository.read(args, { signal });
  return output.toString('utf8').split('\0').filter(Boolean);
}
