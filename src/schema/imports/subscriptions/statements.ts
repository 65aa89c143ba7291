import { statement } from '../../../database/index.ts';

/** Who wants messages about issues and merge requests without taking part, and who takes part and doesn't want them. */

const items = { issue: 'issue_id', merge_request: 'merge_request_id' } as const;
export type Item = keyof typeof items;

const forItems = <Value>(make: (item: Item, column: string) => Value): Record<Item, Value> => ({
  issue: make('issue', items.issue),
  merge_request: make('merge_request', items.merge_request),
});

/**
 * Stores what people chose, where it isn't what follows from taking part or from what they chose before. $1 issue or merge
 * request, $2 people, $3 whether each is subscribed.
 */
export const storeSubscriptions = forItems((item, column) =>
  statement<object>(
    `import_subscriptions_to_${item}`,
    `insert into subscriptions (user_id, ${column}, subscribed)
     select one.user_id, $1::int, one.subscribed from unnest($2::int[], $3::boolean[]) one(user_id, subscribed)
      where one.subscribed <> coalesce(
        (select s.subscribed from subscriptions s where s.${column} = $1::int and s.user_id = one.user_id),
        exists (select from participants p where p.${column} = $1::int and p.user_id = one.user_id and not p.by_award))
     on conflict (${column}, user_id) do update set subscribed = excluded.subscribed, updated_at = now()`,
  ),
);
