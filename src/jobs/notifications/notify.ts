import type { Database } from '../../database/index.ts';
import { occurrencesOf, type Occurrence } from '../../notify/occurrence.ts';
import { happened } from '../../schema/notifications/recipients/statements/happened.ts';
import { insertNotifications } from '../../schema/notifications/recipients/statements/recipients.ts';
import { candidateValues } from '../../schema/notifications/recipients/statements/values.ts';

/** Writes a message to every person who is notified of a domain event. May run again: no one gets a second one. */
export async function notifyPeople(database: Database, eventId: string, zone: string): Promise<void> {
  const [event] = await database.rows(happened, [eventId]);
  for (const occurrence of event ? occurrencesOf(event) : []) await notify(database, occurrence, zone);
}

/** Writes a message to every person who is notified of an occurrence, and a job that sends them. */
export async function notify(database: Database, occurrence: Occurrence, zone: string): Promise<void> {
  const { cause, name, actorId, noteId, subject, ids } = occurrence;
  const values = [...candidateValues(occurrence, zone), cause, name, actorId, noteId, JSON.stringify(ids)];
  await database.rows(insertNotifications[subject.kind], values);
}
