import { issueOrders } from '../../../planning/issues/statements/orders.ts';

/** A moment that sorts after all others, in either direction: what has none comes last. */
const last = (direction: 'asc' | 'desc') =>
  `timestamptz '${direction === 'asc' ? '9999-12-31T00:00:00Z' : '0001-01-01T00:00:00Z'}'`;

const dated = (column: string) =>
  ({
    column: (direction: 'asc' | 'desc') => `coalesce(${column}, ${last(direction)})`,
    type: 'timestamptz',
    ties: 'desc',
  }) as const;

const { created, updated, title, popularity, milestone_due, label_priority, priority } = issueOrders;

/** The orders of every list of merge requests, by the names that `sort` has for them. */
export const mergeRequestOrders = {
  created,
  updated,
  title,
  popularity,
  milestone_due,
  label_priority,
  priority,
  merged_at: dated('i.merged_at'),
  closed_at: dated('i.closed_at'),
} as const;
