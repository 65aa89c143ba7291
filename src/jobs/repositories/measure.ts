import type { Database } from '../../database/index.ts';
import { asGitError } from '../../git/errors.ts';
import { countCommits } from '../../git/history/index.ts';
import type { Git } from '../../git/index.ts';
import { readRef, readTree } from '../../git/objects/index.ts';
import type { Repository } from '../../git/repository.ts';
import { maintain, needsMaintenance, sizeOf } from '../../git/storage/index.ts';
import { languagesOf } from './languages.ts';
import { findMeasured, storeMaintained, storeMeasured } from '../../schema/repository/writing/statements.ts';

/** More commits aren't counted: a number for statistics. */
const mostCommits = 1_000_000;

/** Writes after which the files of a repository are put in order. */
const manyWrites = 200;

/**
 * Counts what is in a repository: its bytes, the commits of its default branch, its languages, and where its README is. Files that many
 * writes left in disorder are put in order.
 */
export async function measureRepository(
  database: Database,
  git: Git,
  projectId: number,
  signal: AbortSignal,
): Promise<void> {
  const [found] = await database.rows(findMeasured, [projectId]);
  if (!found) return;
  const repository = git.repository(projectId);
  try {
    const size = await sizeOf(repository);
    const { commits, readme, languages } = await contentOf(repository, found.default_branch);
    await database.rows(storeMeasured, [projectId, size.bytes, commits, readme, JSON.stringify(languages)]);
    if (!needsMaintenance(size) && found.writes < manyWrites) return;
    await maintain(repository, 'usual', signal);
    await database.rows(storeMaintained, [projectId]);
  } catch (error) {
    // Removed meanwhile.
    if (asGitError(error)?.code !== 'NOT_FOUND') throw error;
  }
}

/** The names of a README, best first. */
const readmes = [/^readme\.(?:md|markdown|mdown)$/i, /^readme\.(?:adoc|rst|org|textile|rdoc)$/i, /^readme(?:\.txt)?$/i];

async function contentOf(repository: Repository, branch: string | null) {
  const tip = branch === null ? undefined : await readRef(repository, `refs/heads/${branch}`);
  if (tip === undefined) return { commits: 0, readme: null, languages: [] };
  const [commits, tree, languages] = await Promise.all([
    countCommits(repository, { from: [tip] }, mostCommits),
    readTree(repository, tip),
    languagesOf(repository, tip),
  ]);
  const files = (tree ?? []).filter(({ type }) => type === 'blob').map(({ name }) => name);
  const readme = readmes.flatMap((pattern) => files.find((name) => pattern.test(name)) ?? [])[0];
  return { commits, readme: readme ?? null, languages };
}
