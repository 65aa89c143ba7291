import type { Context } from '../../../context.ts';
import { readCommit } from '../../../git/objects/index.ts';
import type { Commit } from '../../../git/objects/parse.ts';
import { onceFor } from '../../../values/once.ts';
import { Recent } from '../../../values/recent.ts';

/** Most commits that are remembered, and the longest of their messages, in characters. */
const [most, longest] = [100, 10_000];

/** Commits of jobs that were handed out: the jobs of a pipeline have the same one. By where repositories are. */
const handedOut = onceFor<Context['git'], Recent<string, Commit>>(() => new Recent(most));

/** The commit of a job; undefined if it is gone. */
export async function commitOf(
  { git }: Pick<Context, 'git'>,
  projectId: number,
  sha: string,
): Promise<Commit | undefined> {
  const commits = handedOut(git);
  const name = `${projectId} ${sha}`;
  const found = commits.get(name) ?? (await readCommit(git.repository(projectId), sha));
  if (found && found.message.length <= longest) commits.set(name, found);
  return found;
}
