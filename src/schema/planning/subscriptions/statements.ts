import { statement } from '../../../database/index.ts';

const setFor = (column: 'issue_id' | 'merge_request_id', name: string) =>
  statement<{ changed: boolean }>(
    name,
    `with before as (
     select coalesce((select s.subscribed from subscriptions s where s.${column} = $1::int and s.user_id = $2::int),
       exists (select from participants pt where pt.${column} = $1::int and pt.user_id = $2::int)) as was
   ), stored as (
     insert into subscriptions (user_id, ${column}, subscribed) select $2::int, $1::int, $3::boolean from before where was <> $3::boolean or not $3::boolean
     on conflict (${column}, user_id) do update set subscribed = excluded.subscribed, updated_at = now()
   )
   select was <> $3::boolean as changed from before`,
  );

/**
 * Subscribes a person to an issue or a merge request, or unsubscribes them. It remembers a person who doesn't want
 * messages about it, also if they weren't subscribed. $1 issue or merge request, $2 person, $3 whether to subscribe.
 */
export const setSubscription = {
  issue: setFor('issue_id', 'set_subscription_to_issue'),
  mergeRequest: setFor('merge_request_id', 'set_subscription_to_merge_request'),
};
