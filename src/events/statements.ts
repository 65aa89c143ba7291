import { statement } from '../database/index.ts';
import { storedWith, type JobName } from '../values/kinds/job-kinds.ts';
import { eventKind, type EventName } from './kinds.ts';

/** Where a part of a statement finds the values of an event: SQL over the CTE `from`. */
export interface EventColumns {
  /** The person who did it. Default: no one. */
  readonly actor?: string;
  readonly group?: string;
  readonly project?: string;
  /** The id of what it happened to. */
  readonly subject: string;
  /** Further ids, as SQL of a jsonb. */
  readonly ids?: string;
}

/** SQL of the jobs that read the events of a CTE, which returns their ids. */
function readBy(from: string, readers: readonly JobName[]): string {
  const jobs = readers.map((name) => {
    const { priority, attempts } = storedWith(name);
    return `('${name}', ${priority}, ${attempts})`;
  });
  return `insert into jobs (name, payload, priority, max_attempts)
    select r.name, jsonb_build_object('eventId', e.id::text), r.priority, r.attempts
      from ${from} e cross join (values ${jobs.join(', ')}) r(name, priority, attempts)`;
}

/**
 * CTEs that write one event for each row of the CTE `from`, in the statement that does it: it costs no message of its
 * own. Put it after `with …,` and before the last part.
 * @param readers the jobs that read it; by default those that its kind declares
 */
export function eventsFrom(
  name: EventName,
  from: string,
  { actor = 'null', group = 'null', project = 'null', subject, ids = `'{}'::jsonb` }: EventColumns,
  readers: readonly JobName[] = eventKind(name).readers ?? [],
): string {
  const cte = `${from}_${name.replace('.', '_')}`;
  const event = `${cte} as (
     insert into events (kind, actor_id, group_id, project_id, subject_kind, subject_id, ids)
     select '${name}', ${actor}::int, ${group}::int, ${project}::int, '${eventKind(name).subject}', ${subject}, ${ids} from ${from}
     returning id
   )`;
  return readers.length === 0 ? event : `${event}, ${cte}_readers as (${readBy(cte, readers)})`;
}

/**
 * Writes one event for each subject. $1 actor, $2 group, $3 project, $4 ids of subjects, $5 further ids.
 * @param readers as those of `eventsFrom`
 */
export const insertEvents = (name: EventName, readers?: readonly JobName[]) =>
  statement<object>(
    ['insert', name.replace('.', '_'), ...(readers ?? [])].join('_'),
    `with subject as (select unnest($4::int[]) as id), ${eventsFrom(
      name,
      'subject',
      { actor: '$1', group: '$2', project: '$3', subject: 'subject.id', ids: '$5::jsonb' },
      readers,
    )} select 1 where false`,
  );

/** Removes old events. Ids grow with time, so that the oldest rows are the first of the key. $1 rows, $2 days to keep. */
export const sweepEvents = statement<{ removed: number }>(
  'sweep_events',
  `with batch as (
     select id from (select id, at from events order by id limit $1) oldest where at < now() - make_interval(days => $2::int)
   ), gone as (
     delete from events e using batch where e.id = batch.id returning 1
   )
   select count(*)::int as removed from gone`,
);
