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
