import type { Context } from '../../../context.ts';
import { enqueue } from '../../../jobs/enqueue.ts';
import { beginCopy } from './statements.ts';

/**
 * Has the repository of a project copied into its fork, in the background, if there is anything to copy.
 * @param branch the only one to copy; all of them, if omitted
 */
export async function beginCopyOf(
  { database }: Context,
  forkId: number,
  sourceId: number,
  branch: string | undefined,
): Promise<void> {
  await database.transaction(async (sql) => {
    const [begun] = await sql.rows(beginCopy, [forkId, sourceId]);
    if (begun) await enqueue(sql, 'copy_repository', { projectId: forkId, sourceId, branch }, { key: String(forkId) });
  });
}
