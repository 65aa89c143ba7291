import type { Context } from '../../../context.ts';
import { readCommit } from '../../../git/objects/index.ts';
import type { Commit } from '../../../git/objects/parse.ts';

/** Commits of jobs that were handed out: the jobs of a pipeline have the same one. By where repositories are. */
const known = new WeakMap<Context['git'], Map<string, Commit>>();

/** Most commits that are remembered, and the longest of their messages, in characters. */
const [most, longest] = [100, 10_000];

/** The commit of a job; undefined if it is gone. */
export async function commitOf(
  { git }: Pick<Context, 'git'>,
  projectId: number,
  sha: string,
): Promise<Commit | undefined> {
  let commits = known.get(git);
  if (!commits) known.set(git, (commits = new Map()));
  const name = `${projectId} ${sha}`;
  const found = commits.get(name) ?? (await readCommit(git.repository(projectId), sha));
  if (!found || found.message.length > longest) return found;
  // In the order of the last use.
  commits.delete(name);
  commits.set(name, found);
  if (commits.size > most) commits.delete(commits.keys().next().value!);
  return found;
}
