import type { Database } from '../database/index.ts';
import { removeFromIssues } from '../schema/planning/labels/statements/changes.ts';

/** Issues that one statement changes. */
const batch = 500;

/** Takes a removed label from all issues, in batches: no statement holds locks for long. @throws once it is aborted */
export async function removeLabel(database: Database, labelId: number, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const [row] = await database.rows(removeFromIssues, [labelId, batch]);
    if (row!.removed < batch) return;
  }
}
