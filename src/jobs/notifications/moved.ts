import type { Database } from '../../database/index.ts';
import { movedAlong } from '../../notify/occurrence.ts';
import { happened } from '../../schema/notifications/recipients/statements/happened.ts';
import { projectsBelow } from '../../schema/notifications/recipients/statements/moved.ts';
import { notify } from './notify.ts';

/** Projects that are read at once. */
const batch = 500;

/**
 * Notifies people that projects have another path because a group above these has, or their owner. May run again: a message is
 * written once.
 * @throws once it is aborted
 */
export async function notifyOfMovedProjects(
  database: Database,
  eventId: string,
  zone: string,
  signal: AbortSignal,
): Promise<void> {
  const [event] = await database.rows(happened, [eventId]);
  if (!event) return;
  for (let after = 0; ;) {
    const projects = await database.rows(projectsBelow, [event.subjectId, after, batch]);
    for (const { id } of projects) {
      signal.throwIfAborted();
      await notify(database, movedAlong(event, id), zone);
    }
    if (projects.length < batch) return;
    after = projects.at(-1)!.id;
  }
}
