import type { Database } from '../database/index.ts';
import { removeFromItems } from '../schema/planning/labels/statements/changes.ts';

/** Issues, and merge requests, that one statement changes. */
const batch = 500;

/** Takes a removed label from all issues and merge requests, in batches: no statement holds locks for long. @throws once it is aborted */
export async function removeLabel(database: Database, labelId: number, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const [row] = await database.rows(removeFromItems, [labelId, batch]);
    if (row!.removed < batch) return;
  }
}
