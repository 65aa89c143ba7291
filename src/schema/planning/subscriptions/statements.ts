import { statement } from '../../../database/index.ts';

/** To which of some epics a person is subscribed: as they decided, otherwise as the author. $1 ids, $2 the person. */
export const readSubscribedEpics = statement<{ id: number; subscribed: boolean }>(
  'read_subscribed_epics',
  `select e.id, coalesce((select s.subscribed from subscriptions s where s.epic_id = e.id and s.user_id = $2::int), e.author_id = $2::int) as subscribed
     from epics e where e.id = any($1::int[])`,
);

/** @param takesPart SQL for whether the person takes part in it */
const setFor = (column: 'issue_id' | 'merge_request_id' | 'epic_id', name: string, takesPart: string) =>
  statement<{ changed: boolean }>(
    name,
    `with before as (
     select coalesce((select s.subscribed from subscriptions s where s.${column} = $1::int and s.user_id = $2::int),
       ${takesPart}) as was
   ), stored as (
     insert into subscriptions (user_id, ${column}, subscribed) select $2::int, $1::int, $3::boolean from before where was <> $3::boolean or not $3::boolean
     on conflict (${column}, user_id) do update set subscribed = excluded.subscribed, updated_at = now()
   )
   select was <> $3::boolean as changed from before`,
  );

const isParticipant = (column: 'issue_id' | 'merge_request_id') =>
  `exists (select from participants pt where pt.${column} = $1::int and pt.user_id = $2::int)`;

/**
 * Subscribes a person to an issue, a merge request or an epic, or unsubscribes them. A person who doesn't want
 * messages about it is remembered, also if they weren't subscribed. $1 issue, merge request or epic, $2 person, $3 whether to subscribe.
 */
export const setSubscription = {
  issue: setFor('issue_id', 'set_subscription_to_issue', isParticipant('issue_id')),
  mergeRequest: setFor('merge_request_id', 'set_subscription_to_merge_request', isParticipant('merge_request_id')),
  epic: setFor(
    'epic_id',
    'set_subscription_to_epic',
    'exists (select from epics e where e.id = $1::int and e.author_id = $2::int)',
  ),
};
