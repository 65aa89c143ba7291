import type { Linted } from '../../../ci/config/index.ts';
import { loadPlanner } from '../../../ci/planner.ts';
import type { Context } from '../../../context.ts';
import { InvalidFields, NotFound } from '../../../errors.ts';
import { TooLarge } from '../../../git/errors.ts';
import type { RepositoryRecord } from '../../repository/repositories/look-up.ts';
import { revisionIn, type Revision } from '../../repository/repositories/revision.ts';
import { pathsOf, readText } from '../creation/configuration.ts';
import { configurationPath, factsToTry } from '../creation/create.ts';

/** What a check found, and where the files are that it read. */
export interface CheckedConfig extends Linted {
  readonly of: { readonly repository: RepositoryRecord; readonly sha: string } | null;
}

interface Asked {
  /** The text to check; the file of the commit if omitted. */
  readonly content?: string | null | undefined;
  /** The commit whose files are read; the default branch if omitted. */
  readonly sha?: string | null | undefined;
  /** Whether to check also what becomes of it in a pipeline of `ref`, a branch or tag. */
  readonly dryRun?: boolean | null | undefined;
  readonly ref?: string | null | undefined;
}

const wrong = (...sentences: readonly string[]): Linted => ({
  errors: sentences.map((message) => ({ message })),
  warnings: [],
  mergedYaml: null,
  includes: [],
  stages: [],
  jobs: [],
});

/** Checks a text that belongs to no project: it includes nothing. */
export const checkAlone = async (content: string): Promise<CheckedConfig> => ({
  ...(await (await loadPlanner()).lintConfig(content, { readFile: null })),
  of: null,
});

/**
 * The commit whose files are read: the one that is named, that of the dry run, or that of the default branch.
 * @throws NotFound for one that is named and isn't there
 */
async function revisionOf(repository: RepositoryRecord, { sha, dryRun, ref }: Asked): Promise<Revision | undefined> {
  if (sha != null) {
    const named = await revisionIn(repository, sha);
    if (!named) throw new NotFound('Commit');
    return named;
  }
  return (dryRun ? await revisionIn(repository, ref) : undefined) ?? (await revisionIn(repository));
}

/**
 * Checks a configuration with the files of a project.
 * @throws NotFound for a commit, and for a repository of which the configuration is asked and that is empty
 */
export async function checkIn(context: Context, repository: RepositoryRecord, asked: Asked): Promise<CheckedConfig> {
  const { content, dryRun, ref } = asked;
  if (content == null && !repository.git) throw new NotFound('Repository');
  const revision = await revisionOf(repository, asked);
  const of = revision ? { repository, sha: revision.commit.id } : null;
  const readFile = async (path: string) => (revision ? await readText(revision.git, revision.commit.id, path) : null);
  const paths = async () => (revision ? await pathsOf(revision.git, revision.commit.id) : []);
  try {
    const text = content ?? (await readFile(await configurationPath(context, repository))) ?? '';
    const facts = dryRun
      ? await factsToTry(context, repository, { ref: ref ?? repository.defaultBranch ?? '', source: 'push' })
      : undefined;
    const { lintConfig } = await loadPlanner();
    return { ...(await lintConfig(text, { readFile, paths, facts })), of };
  } catch (error) {
    if (error instanceof TooLarge) return { ...wrong('The parsed YAML is too big'), of };
    if (error instanceof InvalidFields) return { ...wrong(...Object.values(error.fields).flat()), of };
    throw error;
  }
}
