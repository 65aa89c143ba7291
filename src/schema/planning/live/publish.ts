import type { ItemPart } from '../../../changes/index.ts';
import type { Context } from '../../../context.ts';

/** Publishes to everyone who watches a merge request that it changed. Call it after the commit. */
export function publishMergeRequest({ changes }: Context, id: number, parts: readonly ItemPart[] = []): void {
  for (const act of ['CHANGED', ...parts] as const)
    changes.publish({ personId: null, subject: 'MERGE_REQUEST', id, act });
}

/** Publishes to everyone who watches an issue that it changed. Call it after the commit. */
export function publishIssue({ changes }: Context, id: number, parts: readonly ItemPart[] = []): void {
  for (const act of ['CHANGED', ...parts] as const) changes.publish({ personId: null, subject: 'ISSUE', id, act });
}

/** Publishes to people that their to-dos about an issue changed; null: about several. Call it after the commit. */
export function publishTodos({ changes }: Context, people: readonly number[], issue: number | null): void {
  for (const personId of new Set(people)) changes.publish({ personId, subject: 'TODO', id: issue, act: 'CHANGED' });
}
