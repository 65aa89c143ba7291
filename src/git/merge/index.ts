import { Conflict, Invalid, NotFound, TooLarge } from '../errors.ts';
import { countCommits, forkOf, logPage } from '../history/index.ts';
import { checkedObject } from '../names/refs.ts';
import { readCommit } from '../objects/index.ts';
import type { Commit, Person } from '../objects/parse.ts';
import type { Repository } from '../repository.ts';
import { commitActions, writeCommit, type Identity } from '../write/index.ts';

/**
 * Merging, without a work tree: `git merge-tree --write-tree`. Each function makes commits and moves no reference. Git
 * before 2.40 finds the base by itself only; another base is given by a made-up commit whose parent it is.
 */

/** Who commits, and what the commit says. */
export interface MergeCommit {
  readonly message: string;
  readonly author: Identity;
  readonly committer: Identity;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The tree of two commits merged.
 * @returns its name
 * @throws Conflict ('merge') with the paths that both changed; Invalid for unrelated histories
 */
export async function mergeTrees(
  repository: Repository,
  ours: string,
  theirs: string,
  signal?: AbortSignal,
): Promise<string> {
  // Where one of them leads to the other, nothing needs merging.
  const near = await forkOf(repository, checkedObject(ours), checkedObject(theirs));
  if (near?.left.length === 0) return (await existing(repository, theirs)).tree;
  if (near?.right.length === 0) return (await existing(repository, ours)).tree;
  const args = [
    'merge-tree',
    '--write-tree',
    '-z',
    '--name-only',
    '--no-messages',
    checkedObject(ours),
    checkedObject(theirs),
  ];
  const { code, output, stderr } = await repository.run(args, { signal });
  const [tree, ...paths] = output.toString().split('\0').filter(Boolean);
  if (code === 0 && tree) return tree.trim();
  // Unknown commits end with 1 too, without a tree.
  if (code === 1 && tree) throw new Conflict('merge', 'Both sides changed the same.', paths);
  if (/unrelated histories/.test(stderr)) throw new Invalid('The histories are unrelated.');
  throw new NotFound('One of the commits does not exist.');
}

/** Whether two commits merge without a conflict. */
export async function canMerge(
  repository: Repository,
  ours: string,
  theirs: string,
  signal?: AbortSignal,
): Promise<boolean> {
  return await mergeTrees(repository, ours, theirs, signal).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Conflict || error instanceof Invalid) return false;
      throw error;
    },
  );
}

/** A merge commit with the parents (target, source). @returns its name @throws as `mergeTrees` */
export async function merge(
  repository: Repository,
  { target, source, ...commit }: MergeCommit & { target: string; source: string },
): Promise<string> {
  const tree = await mergeTrees(repository, target, source, commit.signal);
  return await writeCommit(repository, { ...commit, parents: [target, source] }, tree);
}

/**
 * All that a source adds to a target, as one commit on the target.
 * @returns its name
 * @throws as `mergeTrees`; Conflict ('empty') if the source adds nothing
 */
export async function squash(
  repository: Repository,
  { target, source, ...commit }: MergeCommit & { target: string; source: string },
): Promise<string> {
  const [tree, before] = await Promise.all([
    mergeTrees(repository, target, source, commit.signal),
    existing(repository, target),
  ]);
  if (tree === before.tree) throw new Conflict('empty', 'The source adds nothing.');
  return await writeCommit(repository, { ...commit, parents: [target] }, tree);
}

/**
 * What a commit changed, done again on another.
 * @param onto the commit that it goes on
 * @param commit what is done again; of a merge, what it brought to its first parent
 * @returns the new commit
 * @throws Conflict ('merge', or 'empty' if nothing is left to change), NotFound
 */
export async function cherryPick(
  repository: Repository,
  { commit: picked, onto, ...commit }: MergeCommit & { commit: string; onto: string },
): Promise<string> {
  const change = await existing(repository, picked);
  return await replay(repository, { base: change.parents[0], tip: change, onto }, commit);
}

/**
 * What a commit changed, taken back on another.
 * @throws as `cherryPick`
 */
export async function revert(
  repository: Repository,
  { commit: reverted, onto, ...commit }: MergeCommit & { commit: string; onto: string },
): Promise<string> {
  const change = await existing(repository, reverted);
  const [parent] = change.parents;
  const before = parent === undefined ? undefined : await existing(repository, parent);
  return await replay(repository, { base: reverted, tip: before, onto }, commit);
}

/**
 * The commits of a source that a target lacks, one after another on the target, with their authors; merges are left
 * out, and so are commits that change nothing there.
 * @returns the name of the last one; the target's if nothing was left
 * @throws Conflict ('merge') with the paths; TooLarge for more than `limits.rebasedCommits`
 */
export async function rebase(
  repository: Repository,
  { target, source, committer, signal }: { target: string; source: string; committer: Identity; signal?: AbortSignal },
): Promise<string> {
  const { limits } = repository;
  const selection = { from: [source], not: [target], order: 'topo' as const };
  const count = await countCommits(repository, selection, limits.rebasedCommits + 1);
  if (count > limits.rebasedCommits) throw new TooLarge('The list of commits', limits.rebasedCommits);
  const commits = await logPage(repository, selection, { skip: 0, count, ...(signal ? { signal } : {}) });
  let onto = target;
  for (const change of commits.toReversed()) {
    if (change.parents.length > 1) continue;
    try {
      const commit = { message: change.message, author: asIdentity(change.author), committer, signal };
      onto = await replay(repository, { base: change.parents[0], tip: change, onto }, commit);
    } catch (error) {
      if (!(error instanceof Conflict && error.kind === 'empty')) throw error;
    }
  }
  return onto;
}

/**
 * Merges the way from `base` to `tip` into `onto`, as one commit on it.
 * @param base undefined: nothing
 * @param tip undefined: nothing
 */
async function replay(
  repository: Repository,
  { base, tip, onto }: { base: string | undefined; tip: Commit | undefined; onto: string },
  commit: MergeCommit,
): Promise<string> {
  const target = await existing(repository, onto);
  const made = { message: 'base', author: nobody, committer: nobody };
  const empty = async () => await writeEmpty(repository, made);
  const root = base ?? (await empty());
  // Both sides as commits whose parent is the base, so that git finds that one.
  const [ours, theirs] = await Promise.all([
    writeCommit(repository, { ...made, parents: [root] }, target.tree),
    tip && tip.parents[0] === root
      ? tip.id
      : writeCommit(
          repository,
          { ...made, parents: [root] },
          tip?.tree ?? (await existing(repository, await empty())).tree,
        ),
  ]);
  const tree = await mergeTrees(repository, ours, theirs, commit.signal);
  if (tree === target.tree) throw new Conflict('empty', 'Nothing is left to change.');
  return await writeCommit(repository, { ...commit, parents: [onto] }, tree);
}

/** Who makes up the commits that only serve to merge. */
const nobody: Identity = { name: 'nobody', email: 'nobody@localhost', at: new Date(0) };

async function writeEmpty(repository: Repository, commit: Omit<MergeCommit, 'signal'>): Promise<string> {
  return await commitActions(repository, { ...commit, parents: [] }, []);
}

const asIdentity = ({ name, email, seconds, zone }: Person): Identity => ({
  name,
  email,
  at: new Date(seconds * 1000),
  zone,
});

async function existing(repository: Repository, id: string): Promise<Commit> {
  const commit = await readCommit(repository, id);
  if (!commit) throw new NotFound('The commit does not exist.');
  return commit;
}
