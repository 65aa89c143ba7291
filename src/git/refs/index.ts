import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NotFound } from '../errors.ts';
import { branchRef, checkedObject, checkedRef } from '../names/refs.ts';
import type { Repository } from '../repository.ts';

/** Reading references, and `HEAD`. Writing them: `transaction.ts`. */

/** A reference and what it holds. */
export interface Ref {
  /** The full name. */
  readonly ref: string;
  /** The object that it holds. */
  readonly id: string;
  /** Whether that is an annotated tag. */
  readonly annotated: boolean;
  /** The commit that it leads to; undefined if it leads to something else. */
  readonly commit: string | undefined;
  /** Committer date of that commit, in seconds since 1970. */
  readonly seconds: number;
}

/** Which references a list shows. */
export interface RefFilter {
  /** Folders or full names of references: `refs/heads`, `refs/tags/v1`. */
  readonly below: readonly string[];
  /** Only those whose commits are reachable from this one. */
  readonly mergedInto?: string;
  /** Only those from which this commit is reachable. */
  readonly containing?: string;
  readonly signal?: AbortSignal;
}

const format = [
  'refname',
  'objectname',
  'objecttype',
  '*objectname',
  '*objecttype',
  'committerdate:unix',
  '*committerdate:unix',
]
  .map((field) => `%(${field})`)
  .join('%00');

/** References by name, in the order of their bytes. */
export async function listRefs(
  repository: Repository,
  { below, mergedInto, containing, signal }: RefFilter,
): Promise<Ref[]> {
  if (below.length === 0) return [];
  const output = await repository.read(
    [
      'for-each-ref',
      `--format=${format}`,
      ...(mergedInto === undefined ? [] : [`--merged=${checkedObject(mergedInto)}`]),
      ...(containing === undefined ? [] : [`--contains=${checkedObject(containing)}`]),
      '--end-of-options',
      ...below.map((one) => (one === 'refs' || /^refs\/[\w-]+$/.test(one) ? one : checkedRef(one))),
    ],
    { signal },
  );
  const lines = output.toString().split('\n').slice(0, -1);
  return lines.map((line) => {
    const [ref, id, type, peeled, peeledType, date, peeledDate] = line.split('\0') as string[];
    const annotated = type === 'tag';
    return {
      ref: ref!,
      id: id!,
      annotated,
      commit: type === 'commit' ? id : peeledType === 'commit' ? peeled : undefined,
      seconds: Number((annotated ? peeledDate : date) || 0),
    };
  });
}

/** The branch that `HEAD` names, which need not exist. @throws NotFound without a repository */
export async function readHead({ path }: Repository): Promise<string | undefined> {
  const head = await readFile(join(path, 'HEAD'), 'utf8').catch(() => {
    throw new NotFound('The repository does not exist.');
  });
  return /^ref: refs\/heads\/(?<name>.+)\n?$/.exec(head)?.groups?.name;
}

/** Makes `HEAD` name a branch. @throws Invalid for a bad name */
export async function setHead(repository: Repository, branch: string): Promise<void> {
  await repository.read(['symbolic-ref', 'HEAD', branchRef(branch)], { kind: 'refs' });
}

/** Whether there is no branch. */
export async function isEmpty(repository: Repository): Promise<boolean> {
  const output = await repository.read(['for-each-ref', '--count=1', '--format=%(refname)', 'refs/heads']);
  return output.length === 0;
}
