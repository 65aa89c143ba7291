import type { Context } from '../../../context.ts';
import { countCommits } from '../../../git/history/index.ts';
import { readRef, resolveCommit } from '../../../git/objects/index.ts';
import { describeChange, type JournalRow } from './statements.ts';

/** What a change of a branch or a tag brought, for lists of what happened. */

/** More commits aren't counted. */
const mostCommits = 1_000;

/** Notes how many commits a change brought, and what the last one is called. */
export async function describe(
  { database, git }: Pick<Context, 'database' | 'git'>,
  projectId: number,
  { id, ref, before, after }: JournalRow,
  defaultBranch: string | null,
): Promise<void> {
  if (after === null) return;
  const repository = git.repository(projectId);
  const known = before ?? (await tipOf(repository, defaultBranch, ref));
  const [commit, former] = await Promise.all([
    resolveCommit(repository, after),
    known === undefined ? undefined : resolveCommit(repository, known),
  ]);
  // A former head may have been cleaned up since.
  if (!commit || (known !== undefined && !former)) return;
  const [title = ''] = commit.message.trimStart().split('\n', 1);
  const isTag = ref.startsWith('refs/tags/');
  const commits = isTag
    ? 0
    : await countCommits(repository, { from: [commit.id], not: former ? [former.id] : [] }, mostCommits);
  await database.rows(describeChange, [id, commits, title.trim().slice(0, 255) || null]);
}

/** What a new branch begins with: it brought what the default branch lacks. */
const tipOf = async (repository: Parameters<typeof readRef>[0], defaultBranch: string | null, ref: string) =>
  defaultBranch === null || ref === `refs/heads/${defaultBranch}`
    ? undefined
    : await readRef(repository, `refs/heads/${defaultBranch}`);
