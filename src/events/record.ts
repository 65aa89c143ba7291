import type { Sql, Statement } from '../database/index.ts';
import { insertEvents } from './statements.ts';
import { eventKinds, type ChangedIdsOf, type EventName, type IdsOf } from './kinds.ts';

/** What happened, by ids only. */
export type Happened<Name extends EventName> = Where &
  Ids<IdsOf<Name>> & {
    /** Ids and lists of ids that changed. */
    readonly changed?: { readonly [Id in ChangedIdsOf<Name>]?: number | null | readonly number[] };
  };

interface Where {
  /** The person who did it; null for the operator or an application. */
  readonly actorId: number | null;
  /** Where: a group or a project. */
  readonly groupId?: number;
  readonly projectId?: number;
  /** The id of what it happened to, of the type that the kind declares; several make an event each. */
  readonly subjectId: number | readonly number[];
}

/** The further ids that the kind declares. */
type Ids<Key extends string> = [Key] extends [never]
  ? { readonly ids?: undefined }
  : { readonly ids: Readonly<Record<Key, number | null>> };

const statements = Object.fromEntries(
  (Object.keys(eventKinds) as EventName[]).map((name) => [name, insertEvents(name)]),
) as Record<EventName, Statement<object>>;

/**
 * Writes a domain event, in the transaction of what happened, and enqueues the jobs that read it. Resolvers send nothing
 * else. Where the change is one statement, `eventsFrom` writes the event inside it.
 */
export async function record<Name extends EventName>(
  sql: Sql,
  name: Name,
  { actorId, groupId, projectId, subjectId, ids, changed }: Happened<Name>,
): Promise<void> {
  const subjects = typeof subjectId === 'number' ? [subjectId] : subjectId;
  const carried = JSON.stringify({ ...ids, ...changed });
  await sql.rows(statements[name], [actorId, groupId ?? null, projectId ?? null, subjects, carried]);
}
