import { statement } from '../../../database/index.ts';

export interface StatusRow {
  /** The person. */
  readonly id: number;
  readonly emoji: string;
  readonly message: string | null;
  readonly availability: 'NOT_SET' | 'BUSY';
  readonly clear_status_at: Date | null;
}

/** The present statuses of people. $1 their ids. */
export const readStatuses = statement<StatusRow>(
  'read_statuses',
  `select user_id as id, emoji, message, availability::text as availability, clear_status_at from user_statuses
    where user_id = any($1::int[]) and (clear_status_at is null or clear_status_at > now())`,
);

/** Sets a status. $1 the person, $2 emoji, $3 message, $4 availability, $5 when it ends, or null. */
export const writeStatus = statement<object>(
  'write_status',
  `insert into user_statuses (user_id, emoji, message, availability, clear_status_at)
   values ($1, $2, $3, $4::"Availability", $5::timestamptz)
   on conflict (user_id) do update set emoji = excluded.emoji, message = excluded.message,
     availability = excluded.availability, clear_status_at = excluded.clear_status_at`,
);

/** $1 the person. */
export const removeStatus = statement<object>('remove_status', 'delete from user_statuses where user_id = $1');

/** Locks a person until the transaction ends, so that changes of their status follow each other. $1 their id. */
export const lockStatus = statement<object>('lock_status', 'select 1 from users where id = $1 for no key update');
