import type { Context } from '../../../context.ts';
import { holds, readCode } from '../../../policy/index.ts';
import { levelOf } from '../../../values/project-features.ts';
import { visibleProjectById } from '../../places/place/read.ts';
import { factsOf } from '../../places/projects/permissions.ts';
import { commitOfComment, type CommentedCommit } from './statements.ts';

/** The commit that a comment is on; null if it is gone, or the viewer doesn't read the code. */
export async function commentedCommit(
  context: Context,
  projectId: number,
  commentId: number,
): Promise<CommentedCommit | null> {
  const project = await visibleProjectById(context, projectId);
  if (!project) return null;
  const own = await factsOf(context, project);
  const levels = { ...own.levels, repository: levelOf('repository', project) };
  if (!holds(readCode, context.viewer, { ...own, levels })) return null;
  const [commit] = await context.database.rows(commitOfComment, [commentId, projectId]);
  return commit ?? null;
}
