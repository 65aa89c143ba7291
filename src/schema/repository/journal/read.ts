import { setTimeout } from 'node:timers/promises';
import type { Sql } from '../../../database/index.ts';
import { cursors, type Cursor, type JournalRow } from './statements.ts';

export type { JournalRow };

/** Milliseconds for a writer to finish. */
const pause = 50;

/**
 * Reads the changes of a repository that a reader hasn’t seen, in their order, each after git has made it (decision 0076).
 * @param each what the reader does with one; it may get a change again, and must change nothing then
 */
export async function readJournal(
  sql: Sql,
  { projectId, cursor, signal }: { readonly projectId: number; readonly cursor: Cursor; readonly signal: AbortSignal },
  each: (change: JournalRow) => Promise<void>,
): Promise<void> {
  const { find, store } = cursors[cursor];
  for (;;) {
    const changes = await sql.rows(find, [projectId]);
    if (changes.length === 0) return;
    for (const change of changes) {
      signal.throwIfAborted();
      await each(change);
      if ((await sql.rows(store, [projectId, change.id])).length > 0) continue;
      // Not noted: it is read again.
      await setTimeout(pause, undefined, { signal });
      break;
    }
  }
}
