import type { Context } from '../../../context.ts';
import type { ListedProject } from '../../../database/access/records.ts';
import { factsOf, readsCode } from '../../places/projects/permissions.ts';
import { commitOfComment, type CommentedCommit } from './statements.ts';

/** The commit that a comment is on; null if it is gone, or the viewer doesn't read the code. */
export async function commentedCommit(
  context: Context,
  project: ListedProject,
  commentId: number,
): Promise<CommentedCommit | null> {
  if (!readsCode(project, context.viewer, await factsOf(context, project))) return null;
  const [commit] = await context.database.rows(commitOfComment, [commentId, project.id]);
  return commit ?? null;
}
