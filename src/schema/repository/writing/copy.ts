import type { Context } from '../../../context.ts';
import { enqueue } from '../../../jobs/enqueue.ts';
import { beginCopy } from './statements.ts';

/** Has the repository of a project copied into its fork, in the background, if there is anything to copy. */
export async function beginCopyOf({ database }: Context, forkId: number, sourceId: number): Promise<void> {
  await database.transaction(async (sql) => {
    const [begun] = await sql.rows(beginCopy, [forkId, sourceId]);
    if (begun) await enqueue(sql, 'copy_repository', { projectId: forkId, sourceId }, { key: String(forkId) });
  });
}
