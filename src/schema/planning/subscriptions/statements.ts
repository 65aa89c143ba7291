import { statement } from '../../../database/index.ts';

/**
 * Subscribes a person to an issue, or unsubscribes them. Who doesn't want to hear of it is remembered, also if they
 * weren't subscribed. $1 issue, $2 person, $3 whether to subscribe.
 */
export const setSubscription = statement<{ changed: boolean }>(
  'set_subscription_to_issue',
  `with before as (
     select coalesce((select s.subscribed from subscriptions s where s.issue_id = $1::int and s.user_id = $2::int),
       exists (select from participants pt where pt.issue_id = $1::int and pt.user_id = $2::int)) as was
   ), stored as (
     insert into subscriptions (user_id, issue_id, subscribed) select $2::int, $1::int, $3::boolean from before where was <> $3::boolean or not $3::boolean
     on conflict (issue_id, user_id) do update set subscribed = excluded.subscribed, updated_at = now()
   )
   select was <> $3::boolean as changed from before`,
);
