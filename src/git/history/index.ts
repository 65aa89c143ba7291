import { Invalid } from '../errors.ts';
import { isReadable } from '../names/paths.ts';
import { checkedObject } from '../names/refs.ts';
import { readCommits } from '../objects/index.ts';
import type { Commit } from '../objects/parse.ts';
import type { Repository } from '../repository.ts';
import { answers, kept } from './cache.ts';
import { nearFork, type Fork } from './near.ts';

/** What came before what: pages of commits, counts, bases. Commits are full names, resolved by `objects` before. */

/** Which commits a log shows. */
export interface LogFilter {
  /** Reachable from any of these; all references if omitted. */
  readonly from?: readonly string[];
  /** But not from these. */
  readonly not?: readonly string[];
  /** That change this path, literally. */
  readonly path?: string;
  /** By committer date, inclusive. */
  readonly since?: Date;
  readonly until?: Date;
  /** Part of the author's name or address, without regard to case (contract S22: no expressions). */
  readonly author?: string;
  /** Words that must all occur in the message, without regard to case. */
  readonly words?: readonly string[];
  readonly firstParent?: boolean;
  /** `topo`: no parent before its children; `default`: newest first. */
  readonly order?: 'default' | 'topo';
}

/** Names that are read ahead: pages of the same list follow each other. Fewer where git must look for each. */
const aheadOf = ({ path, author, words }: LogFilter) => (path || author || words ? 100 : 1_000);

/**
 * One page of a log.
 * @param skip commits before the page
 * @param count of the page
 * @returns the commits, fewer at the end
 * @throws Invalid for a bad filter, TimedOut for a path in a very long history
 */
export async function logPage(
  repository: Repository,
  filter: LogFilter,
  { skip, count, signal }: { skip: number; count: number; signal?: AbortSignal },
): Promise<Commit[]> {
  if (filter.from?.length === 0) return [];
  if (filter.path !== undefined && filter.path !== '' && !isReadable(filter.path)) return [];
  const selection = argumentsOf(filter);
  const wanted = skip + count;
  // Lists from named commits never change; one of all references may, at any moment.
  const key = filter.from ? `${repository.path}\0${selection.join('\0')}` : undefined;
  let known = key === undefined ? undefined : (answers.get(key) as NameList | undefined);
  const near = known ? undefined : await nearCommits(repository, filter);
  if (near) known = { names: near.join(''), whole: true };
  if (!known || (known.names.length / 40 < wanted && !known.whole)) {
    const ahead = aheadOf(filter);
    const limit = key === undefined ? count : Math.ceil(wanted / ahead) * ahead;
    const paging = key === undefined ? [`--skip=${skip}`, `--max-count=${limit}`] : [`--max-count=${limit}`];
    const names = (await repository.read(['rev-list', ...paging, ...selection], { signal }))
      .toString('latin1')
      .replaceAll('\n', '');
    if (key === undefined) return await readCommits(repository, cut(names, 0, count));
    known = { names, whole: names.length / 40 < limit };
    answers.set(key, known, names.length);
  }
  return await readCommits(repository, cut(known.names, skip, count));
}

/** Names of commits, one after the other, 40 digits each; `whole`: no further ones follow. */
interface NameList {
  readonly names: string;
  readonly whole: boolean;
}

const cut = (names: string, skip: number, count: number): string[] =>
  names.slice(skip * 40, (skip + count) * 40).match(/.{40}/g) ?? [];

/** The names of the newest commits that a filter selects, without what is in them. */
export async function commitNames(
  repository: Repository,
  filter: LogFilter,
  atMost: number,
  signal?: AbortSignal,
): Promise<string[]> {
  const near = await nearCommits(repository, filter);
  if (near) return near.slice(0, atMost);
  const names = await repository.read(['rev-list', `--max-count=${atMost}`, ...argumentsOf(filter)], { signal });
  return names.toString('latin1').split('\n').filter(Boolean);
}

/** How many commits a filter selects. @param atMost stops counting there */
export async function countCommits(repository: Repository, filter: LogFilter, atMost?: number): Promise<number> {
  if (filter.from?.length === 0) return 0;
  const near = await nearCommits(repository, filter);
  if (near) return Math.min(near.length, atMost ?? Infinity);
  const bound = atMost === undefined ? [] : [`--max-count=${atMost}`];
  const selection = argumentsOf(filter);
  const count = async () => Number(await repository.read(['rev-list', '--count', ...bound, ...selection]));
  return filter.from ? await kept(repository, ['count', String(atMost), ...selection], count) : await count();
}

/** The newest commit that changed a path, seen from a commit. Undefined if none did. */
export async function lastCommitOf(repository: Repository, tip: string, path: string): Promise<string | undefined> {
  if (!isReadable(path)) return undefined;
  const selection = ['--max-count=1', ...argumentsOf({ from: [tip], path })];
  const found = await kept(repository, ['last', ...selection], async () =>
    (await repository.read(['rev-list', ...selection])).toString().trim(),
  );
  return found || undefined;
}

/** A best common ancestor of commits; undefined if their histories are unrelated. @param commits at least two */
export async function mergeBase(repository: Repository, commits: readonly string[]): Promise<string | undefined> {
  const names = commits.map(checkedObject);
  const near = names.length === 2 ? await forkOf(repository, names[0]!, names[1]!) : undefined;
  if (near) return near.base;
  const found = await kept(repository, ['base', ...names], async () => {
    const { code, output } = await repository.run(['merge-base', ...names]);
    if (code > 1) throw new Invalid('One of the commits does not exist.');
    return output.toString().slice(0, 40);
  });
  return found || undefined;
}

/** Whether a commit is another, or one that led to it. */
export async function isAncestor(repository: Repository, ancestor: string, commit: string): Promise<boolean> {
  if (ancestor === commit) return true;
  const names = [checkedObject(ancestor), checkedObject(commit)] as const;
  const near = await forkOf(repository, ...names);
  if (near) return near.base === ancestor;
  return await kept(repository, ['ancestor', ...names], async () => {
    const { code } = await repository.run(['merge-base', '--is-ancestor', ...names]);
    if (code > 1) throw new Invalid('One of the commits does not exist.');
    return code === 0;
  });
}

/** Where two histories part, if it is near; undefined if git must look. @see nearFork */
export const forkOf = (repository: Repository, left: string, right: string): Promise<Fork | undefined> =>
  kept(repository, ['fork', left, right], () => nearFork(repository, left, right));

/** The names of the commits that a filter selects, newest first, if it asks only for a few that another commit lacks. */
async function nearCommits(repository: Repository, filter: LogFilter): Promise<readonly string[] | undefined> {
  const { from, not, firstParent: _, order: _order, ...further } = filter;
  const [tip, base] = [from?.[0], not?.[0]];
  if (tip === undefined || base === undefined || from!.length > 1 || not!.length > 1) return undefined;
  if (Object.values(further).some((value) => value !== undefined)) return undefined;
  return (await forkOf(repository, checkedObject(tip), checkedObject(base)))?.left;
}

/** Someone who wrote commits, by address. */
export interface Contributor {
  readonly name: string;
  readonly email: string;
  readonly commits: number;
}

/** Who wrote the commits that lead to one, merges left out, as the newest of each address calls itself. */
export async function contributors(repository: Repository, tip: string, signal?: AbortSignal): Promise<Contributor[]> {
  const selection = argumentsOf({ from: [tip] });
  return await kept(repository, ['contributors', ...selection], async () => {
    const args = ['log', '-z', '--no-merges', '--no-mailmap', '--encoding=UTF-8', '--format=%an%n%ae'];
    const output = (await repository.read([...args, ...selection], { signal })).toString();
    const found = new Map<string, { name: string; email: string; commits: number }>();
    for (const record of output.split('\0')) {
      const [name = '', email = ''] = record.split('\n');
      if (name === '' && email === '') continue;
      const one = found.get(email.toLowerCase());
      if (one) one.commits++;
      else found.set(email.toLowerCase(), { name, email, commits: 1 });
    }
    return [...found.values()];
  });
}

/** The arguments of `git rev-list` and `git log` that select commits. */
function argumentsOf(filter: LogFilter): string[] {
  const { from, not = [], path, since, until, author, words = [], firstParent, order } = filter;
  if (author !== undefined && (author.length > 255 || /[\0\n]/.test(author)))
    throw new Invalid('The author is invalid.');
  if (words.some((word) => word.length > 255 || /[\0\n]/.test(word))) throw new Invalid('The words are invalid.');
  // The form of commits: git takes other numbers for years, and dates from 2100 on for now.
  const seconds = (at: Date) => `@${Math.max(0, Math.floor(at.getTime() / 1000))} +0000`;
  return [
    ...(since ? [`--since=${seconds(since)}`] : []),
    ...(until ? [`--until=${seconds(until)}`] : []),
    ...(author || words.length > 0 ? ['--fixed-strings', '--regexp-ignore-case'] : []),
    ...(author ? [`--author=${author}`] : []),
    ...(words.length > 0 ? ['--all-match', ...words.map((word) => `--grep=${word}`)] : []),
    ...(firstParent ? ['--first-parent'] : []),
    ...(order === 'topo' ? ['--topo-order'] : []),
    ...(from ? [] : ['--branches', '--tags']),
    '--end-of-options',
    ...(from ?? []).map(checkedObject),
    ...not.map((name) => `^${checkedObject(name)}`),
    ...(path ? ['--', path] : ['--']),
  ];
}
