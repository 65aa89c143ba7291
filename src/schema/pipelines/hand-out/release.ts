import type { Application } from '../../../context.ts';
import { isCompleted } from '../../../values/ci/statuses.ts';
import { lockPipelineById } from '../pipelines/open.ts';
import { releaseCommit } from './keep-commit.ts';
import { findKeptRefs, noteKeptRef } from './statements.ts';

/** Pipelines that one look finds. */
const most = 100;

/** The job `release_commits`: removes the references of pipelines that have finished. A job that runs again makes another. */
export async function releaseCommits(
  { database, git }: Pick<Application, 'database' | 'git'>,
  signal: AbortSignal,
): Promise<void> {
  for (let last = 0; ;) {
    const found = await database.rows(findKeptRefs, [last, most]);
    for (const { id, projectId } of found) {
      signal.throwIfAborted();
      await database.transaction(async (sql) => {
        const pipeline = await lockPipelineById(sql, projectId, id);
        if (!pipeline || !isCompleted(pipeline.status)) return;
        await releaseCommit(git.repository(projectId), id);
        await sql.rows(noteKeptRef, [id, false]);
      });
    }
    if (found.length < most) return;
    last = found.at(-1)!.id;
  }
}
