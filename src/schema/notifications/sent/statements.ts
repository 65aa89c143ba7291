import { statement } from '../../../database/index.ts';
import { ListQuery, type Reading } from '../../../database/list.ts';
import type { CauseName, Reason, Via } from '../../../notify/causes.ts';
import { sendingFrom } from '../recipients/statements/recipients.ts';

type NotificationState = 'WAITING' | 'SENT' | 'FAILED' | 'DROPPED';

/** A message to a person. It names what it is about by ids only: code that shows it asks what the viewer still reads. */
export interface NotificationRecord {
  readonly id: number;
  readonly userId: number;
  readonly cause: CauseName;
  readonly actorId: number | null;
  readonly projectId: number | null;
  readonly subjectKind: string;
  readonly subjectId: number;
  readonly noteId: number | null;
  readonly via: Via;
  readonly reason: Reason | null;
  readonly state: NotificationState;
  readonly outcome: string | null;
  readonly dueAt: Date;
  readonly attempts: number;
  readonly address: string | null;
  readonly lastError: string | null;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
}

const reading: Reading<NotificationRecord> = {
  columns: `m.id::int as id, m.user_id as "userId", m.cause, m.actor_id as "actorId", m.project_id as "projectId",
    m.subject_kind as "subjectKind", m.subject_id as "subjectId", m.note_id as "noteId", m.via, m.reason, m.state::text as state,
    m.outcome, m.due_at as "dueAt", m.attempts, m.address, m.last_error as "lastError", m.created_at as "createdAt", m.sent_at as "sentAt"`,
  from: 'notifications m',
  id: 'm.id',
};

/** The messages to a person. */
export function notificationsTo(userId: number): ListQuery<NotificationRecord> {
  const query = new ListQuery<NotificationRecord>('notifications m', 'm.id', reading);
  return query.where(`m.user_id = ${query.key(userId)}::int`);
}

/** Parts of the queue, as administrators look at it: what waits for its turn, what is held, and what failed. */
const partsOfQueue = {
  WAITING: `m.state = 'WAITING' and m.outcome is null`,
  HELD: `m.state = 'WAITING' and m.outcome is not null`,
  FAILED: `m.state = 'FAILED'`,
} as const;

export type PartOfQueue = keyof typeof partsOfQueue;

/** The messages of a part of the queue. */
export const queued = (part: PartOfQueue): ListQuery<NotificationRecord> =>
  new ListQuery<NotificationRecord>('notifications m', 'm.id', reading).where(partsOfQueue[part]);

/** How many messages each part of the queue has. */
export const countQueue = statement<Record<Lowercase<PartOfQueue>, number>>(
  'count_notification_queue',
  `select ${Object.entries(partsOfQueue)
    .map(([part, condition]) => `count(*) filter (where ${condition})::int as ${part.toLowerCase()}`)
    .join(', ')} from notifications m where m.state in ('WAITING', 'FAILED')`,
);

/**
 * Makes messages that failed wait again, as new, and a job that sends them. Their people’s addresses count as never having refused
 * one: otherwise those that refused too many would get none of these. $1 the id of one, or null for all.
 */
export const resendFailed = statement<{ resent: number }>(
  'resend_failed_notifications',
  `with again as (
     update notifications m set state = 'WAITING', attempts = 0, outcome = null, last_error = null, due_at = now()
      where m.state = 'FAILED' and ($1::bigint is null or m.id = $1::bigint) returning m.user_id
   ), forgiven as (
     update emails set failing_since = null, permanent_failures = 0, temporary_failures = 0
      where user_id in (select user_id from again) and failing_since is not null
   ), ${sendingFrom('again')}
   select count(*)::int as resent from again`,
);
