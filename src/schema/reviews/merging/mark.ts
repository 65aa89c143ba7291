import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { Conflict } from '../../../errors.ts';
import { record } from '../../../events/record.ts';
import { publishMergeRequest } from '../../planning/live/publish.ts';
import { writeResourceEvents } from '../../planning/notes/resource-events.ts';
import type { MergeParams } from '../merge-requests/types.ts';
import { finishTodos, storeMerged } from './statements.ts';

/** How a merge request was merged. */
export interface Merged {
  /** The person; null if no one is known. */
  readonly by: number | null;
  /** The head of the source branch that the target now contains. */
  readonly head: string;
  /** The branch of the target. */
  readonly target: string;
  readonly mergeCommit?: string | undefined;
  readonly squashCommit?: string | undefined;
  readonly params?: MergeParams | undefined;
  /** Whether it was merged by itself, for the person; undefined if no one asked. */
  readonly automatic?: boolean | undefined;
}

/**
 * Records that a merge request is merged, in the transaction that records the move of the target.
 * @throws Conflict if it isn't open any more, has another head or target, or what was asked for doesn't hold any more: it is
 *   a draft, or isn't to be merged by itself
 */
export async function markMergedIn(sql: Sql, id: number, merged: Merged): Promise<void> {
  const { by, head, target, mergeCommit, squashCommit, params, automatic } = merged;
  const said = params ? JSON.stringify(params) : null;
  const values = [id, by, mergeCommit ?? null, squashCommit ?? null, said, head, target, automatic ?? null];
  const [row] = await sql.rows(storeMerged, values);
  if (!row) throw new Conflict('The merge request was changed in the meantime.');
  const { project_id: projectId, author_id: authorId } = row;
  await writeResourceEvents(sql, { mergeRequestId: id, userId: by ?? authorId }, [{ kind: 'STATE', action: 'MERGED' }]);
  await sql.rows(finishTodos, [id]);
  const changed = automatic ? { waitedForId: by } : {};
  await record(sql, 'merge_request.merged', { actorId: by, projectId, subjectId: id, changed });
}

/** The same for one whose target came to contain its head otherwise. Nothing happens if it isn't open any more. */
export async function markMerged(context: Context, id: number, merged: Merged): Promise<void> {
  try {
    await context.database.transaction((sql) => markMergedIn(sql, id, merged));
    publishMergeRequest(context, id, ['MERGE_STATUS']);
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
  }
}
