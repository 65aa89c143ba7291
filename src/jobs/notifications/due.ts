import type { Database } from '../../database/index.ts';
import { dueIssue } from '../../notify/occurrence.ts';
import { beginDueDays, forgetDueDays, issuesDue } from '../../schema/notifications/recipients/statements/due.ts';
import { enqueue } from '../enqueue.ts';
import { notify } from './notify.ts';

/** Issues that are read at once. */
const batch = 500;

/**
 * Begins the day in each time zone where it is 00:50, once: a job for each notifies the people there of issues that are due
 * tomorrow. After an outage, later on the same day.
 */
export async function findDueIssues(database: Database, instanceZone: string): Promise<void> {
  await database.transaction(async (sql) => {
    for (const { zone, due } of await sql.rows(beginDueDays, [instanceZone]))
      await enqueue(sql, 'tell_of_due_issues', { zone, due });
  });
  await database.rows(forgetDueDays, []);
}

/** Notifies the people of a time zone of the open issues that are due on a day. May run again. @throws once it is aborted */
export async function notifyOfDueIssues(
  database: Database,
  { zone, due }: { readonly zone: string; readonly due: string },
  instanceZone: string,
  signal: AbortSignal,
): Promise<void> {
  for (let after = 0; ;) {
    const issues = await database.rows(issuesDue, [due, after, batch]);
    for (const issue of issues) {
      signal.throwIfAborted();
      const { id, project_id: projectId, author_id: authorId } = issue;
      await notify(database, dueIssue({ id, projectId, authorId }, due, zone), instanceZone);
    }
    if (issues.length < batch) return;
    after = issues.at(-1)!.id;
  }
}
