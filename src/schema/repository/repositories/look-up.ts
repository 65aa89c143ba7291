import type { Context, PrefetchFor } from '../../../context.ts';
import { Forbidden, RepositoryOff } from '../../../errors.ts';
import type { Repository } from '../../../git/repository.ts';
import { available, holds, readCode, type Condition, type Facts } from '../../../policy/index.ts';
import { facts, lookUp, prefetchPlace } from '../../places/place/look-up.ts';
import { requireStorage } from '../storage/mark.ts';
import { findRepository } from './statements.ts';

/** The repository of a project, with what the viewer may do there. */
export interface RepositoryRecord {
  /** The number of the project. */
  readonly id: number;
  readonly fullPath: string;
  readonly archived: boolean;
  readonly defaultBranch: string | null;
  /** The file of the default branch that says what it is. */
  readonly readmePath: string | null;
  /** Its files; undefined if nothing was ever written to it. */
  readonly git: Repository | undefined;
  readonly facts: Facts;
}

const hasRepository = available('repository');

/** The look-up of `repositoryIn` as a prefetch of a field with the argument `project`. */
export const prefetchRepository: PrefetchFor = ({ project }) => prefetchPlace(findRepository, 'Project', project);

/**
 * The repository of the project that a request names.
 * @param rule what the viewer must be allowed to do; reading, if omitted
 * @throws NotFound if the viewer doesn't see the project, RepositoryOff if they don't have its repository, Forbidden if they
 *   may not do that
 */
export async function repositoryIn(
  context: Context,
  project: string,
  rule: Condition = readCode,
): Promise<RepositoryRecord> {
  const row = await lookUp(context, findRepository, 'Project', project);
  const own = facts(row);
  if (!holds(hasRepository, context.viewer, own)) throw new RepositoryOff();
  if (row.has_repository) await requireStorage(context);
  if (!holds(rule, context.viewer, own)) throw new Forbidden();
  return {
    id: row.id,
    fullPath: row.full_path,
    archived: row.archived,
    defaultBranch: row.default_branch,
    readmePath: row.readme_path,
    git: row.has_repository ? context.git.repository(row.id) : undefined,
    facts: own,
  };
}
