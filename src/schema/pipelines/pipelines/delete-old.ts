import { changeOfPipeline } from '../../../changes/index.ts';
import type { Application } from '../../../context.ts';
import { completedStatuses, isCompleted } from '../../../values/ci/statuses.ts';
import { releaseCommitIfAny } from '../hand-out/keep-commit.ts';
import { lockPipelineById } from './open.ts';
import { deletePipeline, findOld } from './statements/change.ts';

/** Pipelines that one look finds. */
const most = 100;

/**
 * The job `delete_old_pipelines`: deletes the finished pipelines of projects that keep them for a time only, except those
 * whose artifacts are kept as the latest ones.
 */
export async function deleteOldPipelines(
  { database, git, changes }: Pick<Application, 'database' | 'git' | 'changes'>,
  signal: AbortSignal,
): Promise<void> {
  for (let last = 0; ;) {
    const found = await database.rows(findOld, [completedStatuses, last, most]);
    for (const { id, projectId } of found) {
      signal.throwIfAborted();
      const isDeleted = await database.transaction(async (sql) => {
        const pipeline = await lockPipelineById(sql, projectId, id);
        // Someone may run it again.
        if (!pipeline || !isCompleted(pipeline.status)) return false;
        await releaseCommitIfAny(git.repository(projectId), id);
        await sql.rows(deletePipeline, [projectId, id, null]);
        return true;
      });
      if (isDeleted) changes.publish(changeOfPipeline(id));
    }
    if (found.length < most) return;
    last = found.at(-1)!.id;
  }
}
