import type { Context } from '../../../context.ts';
import { Forbidden, NotFound, Unauthenticated } from '../../../errors.ts';
import { all, createNote, holds, isAdministrator, readCode, type Condition } from '../../../policy/index.ts';
import { discussionIdOf, noteIdOf } from '../../planning/notes/ids.ts';
import { repositoryIn } from '../repositories/look-up.ts';
import { revisionIn } from '../repositories/revision.ts';
import { findComment, findThread, type CommentRow, type ThreadRow } from './statements.ts';
import { commitRecord, type CommitRecord } from './types.ts';

/** Commits that are commented, and their comments and threads. */

/**
 * A commit that the viewer comments.
 * @throws NotFound, RepositoryOff, Unauthenticated, Forbidden if the project is archived, or they may not
 */
export async function commentable(context: Context, projectPath: string, sha: string) {
  const { person } = context.viewer;
  const repository = await repositoryIn(context, projectPath, all(readCode, createNote));
  if (!person) throw new Unauthenticated();
  if (repository.archived) throw new Forbidden();
  const revision = await revisionIn(repository, sha);
  if (!revision) throw new NotFound('Commit');
  return { commit: commitRecord(repository, revision.commit), person };
}

/** Whether the viewer has a permission for the project of a commit. */
export const mayOnCommit = ({ viewer }: Context, { repository }: CommitRecord, rule: Condition): boolean =>
  isAdministrator(viewer) || holds(rule, viewer, repository.facts);

/** A thread of a commit. @throws NotFound */
export async function threadIn(context: Context, { repository, id }: CommitRecord, given: string): Promise<ThreadRow> {
  const [found] = await context.database.rows(findThread, [repository.id, id, discussionIdOf(given) ?? '']);
  if (!found) throw new NotFound('Discussion');
  return found;
}

/** A comment on a commit. @param thread if given, it must be a part of that @throws NotFound */
export async function commentIn(
  context: Context,
  { repository, id }: CommitRecord,
  given: string,
  thread?: string | null,
): Promise<CommentRow> {
  const [found] = await context.database.rows(findComment, [
    repository.id,
    id,
    noteIdOf(given),
    thread == null ? null : (discussionIdOf(thread) ?? ''),
  ]);
  if (!found) throw new NotFound('Note');
  return found;
}
