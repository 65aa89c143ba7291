import { batchedWrite, byNumber, statement } from '../../../../database/index.ts';
import type { CauseName } from '../../../../notify/causes.ts';
import { sendingOf } from '../../recipients/statements/recipients.ts';

const limit: CauseName = 'DAILY_LIMIT';

/** A message was sent. $1 its id. */
export const messageSent = batchedWrite<object>(
  'message_sent',
  `update notifications set state = 'SENT', sent_at = now(), outcome = null, last_error = null where id = $1::bigint`,
  byNumber,
);

/** Several were sent as one. $1 their ids. */
export const digestSent = statement<object>(
  'digest_sent',
  `update notifications set state = 'SENT', sent_at = now(), outcome = null, last_error = null where id = any($1::bigint[])`,
);

/**
 * A message, or several in one, wasn't sent: it failed for good, or is due again later. Nothing changes if another run has
 * claimed it meanwhile. The address is charged with a refusal; the count starts again after a day. $1 ids, $2 their attempts, $3 state, $4
 * seconds until it is due, $5 outcome, $6 error, $7 the address that refused it for good, $8 the one that did for now.
 */
export const messageNotSent = statement<object>(
  'message_not_sent',
  `with changed as (
     update notifications set state = $3::"NotificationState", due_at = now() + make_interval(secs => $4::float8), outcome = $5, last_error = $6
      where id = any($1::bigint[]) and state = 'WAITING' and attempts = $2::int returning 1
   )
   update emails set failing_since = case when failing_since > now() - interval '1 day' then failing_since else now() end,
       permanent_failures = case when failing_since > now() - interval '1 day' then permanent_failures else 0 end + (address is not distinct from $7)::int,
       temporary_failures = case when failing_since > now() - interval '1 day' then temporary_failures else 0 end + (address is not distinct from $8)::int
    where address in ($7, $8) and exists (select from changed)`,
);

/** Gives messages back whose turn didn't come: the attempt doesn't count. $1 ids, $2 attempts, $3 when they are due, $4 outcome. */
export const giveMessagesBack = statement<object>(
  'give_messages_back',
  `update notifications n set due_at = back.due_at, attempts = n.attempts - 1, outcome = $4
     from unnest($1::bigint[], $2::int[], $3::timestamptz[]) back(id, attempts, due_at)
    where n.id = back.id and n.state = 'WAITING' and n.attempts = back.attempts`,
);

/**
 * Drops claimed messages that are more than their people get about a place within a day, and writes each of these a message that
 * says so, once a day. $1 ids, $2 attempts.
 */
export const dropExcess = statement<object>(
  'drop_excess_messages',
  `with dropped as (
     update notifications n set state = 'DROPPED', outcome = '${limit}', attempts = n.attempts - 1
       from unnest($1::bigint[], $2::int[]) excess(id, attempts)
      where n.id = excess.id and n.state = 'WAITING' and n.attempts = excess.attempts
     returning n.user_id, n.project_id, n.group_id
   ), place as (
     select distinct user_id, project_id, group_id, case when project_id is null then 'Group' else 'Project' end as kind,
       coalesce(project_id, group_id) as id from dropped
   )
   insert into notifications (user_id, cause, occurrence, project_id, group_id, subject_kind, subject_id, via)
   select user_id, '${limit}', concat('limit of ', kind, ' ', id, ' at ', now()), project_id, group_id, kind, id, 'SETTING' from place
    where not exists (
      select from notifications n where n.user_id = place.user_id and n.cause = '${limit}' and n.subject_kind = place.kind
        and n.subject_id = place.id and n.created_at > now() - interval '1 day')
   on conflict do nothing`,
);

/** Seconds until the next message is due; no row, or null: none waits. */
export const nextMessage = statement<{ seconds: number | null }>(
  'next_message',
  `select extract(epoch from min(due_at) - now())::float8 as seconds from notifications where state = 'WAITING'`,
);

/** Makes the job that sends messages, if one is overdue. Nothing else would, once a process died at a bad moment. */
export const wakeSending = statement<object>(
  'wake_sending',
  sendingOf(`notifications where state = 'WAITING' and due_at <= now()`),
);
