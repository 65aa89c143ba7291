import { statement } from '../../../../database/index.ts';
import type { Via } from '../../../../notify/causes.ts';

/**
 * A query for the address that messages to a person about something in a group or a project go to, the row `em` of `emails`:
 * that of the nearest group for which they chose one, otherwise that of their global setting, otherwise the primary one; the
 * first that is confirmed.
 * @param columns SQL over `em`
 * @param ancestry SQL of the ids of the groups above it, the root first
 */
const addressOf = (columns: string, person: string, ancestry: string) =>
  `select ${columns} from (
     select s.notification_email_id as id, array_position(${ancestry}, s.group_id) as nearness from group_notification_settings s
      where s.user_id = ${person} and s.group_id = any(${ancestry}) and s.notification_email_id is not null
     union all select s.notification_email_id, 0 from global_notification_settings s
      where s.user_id = ${person} and s.notification_email_id is not null
     union all select own.id, -1 from emails own where own.primary_of = ${person}
   ) chosen join emails em on em.id = chosen.id and em.user_id = ${person}
    where em.verified_at is not null order by chosen.nearness desc limit 1`;

/** Refusals within a day after which an address gets no more messages. */
const mostRefusals = { permanent: 5, temporary: 300 };
const bounces = `coalesce(em.failing_since > now() - interval '1 day', false)
  and (em.permanent_failures >= ${mostRefusals.permanent} or em.temporary_failures >= ${mostRefusals.temporary}) as bounces`;

/** Joins `a`, the same address with whether it `bounces`, to a person. Its columns are null if none is confirmed. */
export const joinAddress = (person: string, ancestry: string) =>
  `left join lateral (${addressOf(`em.address, ${bounces}`, person, ancestry)}) a on true`;

/** SQL for whether nothing is sent to `a` because it bounces. Messages of subscriptions are. @param via SQL of how the person comes to be notified */
export const isBouncing = (via: string) => `(a.bounces and ${via} <> '${'SUBSCRIPTION' satisfies Via}')`;

/** SQL for whether a person has addresses, and none is confirmed. */
export const isUnconfirmed = (person: string) =>
  `coalesce((select bool_and(em.verified_at is null) from emails em where em.user_id = ${person}), false)`;

/** Whether the person $1 has addresses, and none is confirmed. */
export const readUnconfirmed = statement<{ unconfirmed: boolean }>(
  'read_unconfirmed',
  `select ${isUnconfirmed('$1::int')} as unconfirmed`,
);
