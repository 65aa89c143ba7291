import type { Sql } from '../../../database/index.ts';
import { record } from '../../../events/record.ts';
import { changeThreads } from '../../reviews/diff-notes/threads.ts';
import type { Noteable } from './noteable.ts';
import { resolveNotes } from './statements/write.ts';

/** Resolves notes of threads of a merge request, or takes that back, in a transaction. */
export const resolveOnMergeRequest = async (
  sql: Sql,
  { id: subjectId, projectId }: Pick<Noteable, 'id' | 'projectId'>,
  actorId: number,
  notes: readonly number[],
  isResolved: boolean,
): Promise<void> =>
  void (await changeThreads(
    sql,
    subjectId,
    () => sql.rows(resolveNotes, [notes, isResolved ? actorId : null]),
    () => record(sql, 'merge_request.resolved', { actorId, projectId, subjectId }),
  ));
