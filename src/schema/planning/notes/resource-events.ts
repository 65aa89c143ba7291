import type { Sql } from '../../../database/index.ts';
import { idOf, kindOf, type ItemId } from './item.ts';
import { insertResourceEvents } from './statements/system.ts';

/** A change of the labels, the milestone or the state of an issue or a merge request. */
export type ResourceEvent =
  | { readonly kind: 'LABEL'; readonly action: 'ADD' | 'REMOVE'; readonly labelId: number }
  | { readonly kind: 'MILESTONE'; readonly action: 'ADD' | 'REMOVE'; readonly milestoneId: number }
  | { readonly kind: 'STATE'; readonly action: 'CLOSED' | 'REOPENED' | 'MERGED' };

/** Writes resource events, in the transaction of the change. */
export async function writeResourceEvents(
  sql: Sql,
  { userId, ...item }: ItemId & { readonly userId: number },
  events: readonly ResourceEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await sql.rows(insertResourceEvents[kindOf(item)], [
    idOf(item),
    userId,
    events.map(({ kind }) => kind),
    events.map(({ action }) => action),
    events.map((one) => (one.kind === 'LABEL' ? one.labelId : null)),
    events.map((one) => (one.kind === 'MILESTONE' ? one.milestoneId : null)),
  ]);
}

/** What of an issue or a merge request these events tell. */
interface Sorted {
  readonly label_ids: readonly number[];
  readonly milestone_id: number | null;
}

/** The events of a change of labels and milestone. */
export function labelAndMilestoneEvents(before: Sorted, after: Sorted): ResourceEvent[] {
  const events: ResourceEvent[] = [];
  const label = (action: 'ADD' | 'REMOVE', ids: readonly number[], others: readonly number[]) =>
    ids.filter((id) => !others.includes(id)).forEach((labelId) => events.push({ kind: 'LABEL', action, labelId }));
  label('ADD', after.label_ids, before.label_ids);
  label('REMOVE', before.label_ids, after.label_ids);
  if (before.milestone_id !== after.milestone_id) {
    if (after.milestone_id !== null) events.push({ kind: 'MILESTONE', action: 'ADD', milestoneId: after.milestone_id });
    else events.push({ kind: 'MILESTONE', action: 'REMOVE', milestoneId: before.milestone_id! });
  }
  return events;
}
