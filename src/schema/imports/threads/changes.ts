import { builder } from '../../engine/builder.ts';
import type { Batch, Reference } from '../origins/importing.ts';
import { authorOf } from '../people/persons.ts';
import { insertChange, type Item } from './statements.ts';

/** Changes of the labels, the milestone and the state of an issue or a merge request. They never change themselves. */

const ImportedChangeKind = builder.enumType('ImportedChangeKind', {
  values: ['LABEL', 'MILESTONE', 'STATE'] as const,
});

const ImportedChangeAction = builder.enumType('ImportedChangeAction', {
  values: ['ADD', 'REMOVE', 'CLOSED', 'REOPENED', 'MERGED'] as const,
});

export const ImportedChange = builder.inputType('ImportedChange', {
  fields: (t) => ({
    id: t.string({ required: true, description: 'Its id there, among those of its kind.' }),
    kind: t.field({ type: ImportedChangeKind, required: true }),
    action: t.field({ type: ImportedChangeAction, required: true }),
    labelKey: t.string({ description: 'Omitted: the label is gone.' }),
    milestoneKey: t.string({ description: 'Omitted: the milestone is gone.' }),
    authorKey: t.string(),
    createdAt: t.field({ type: 'Time', required: true }),
  }),
});

export type Change = typeof ImportedChange.$inferInput;

/** What identifies it among those of all kinds. */
const keyOf = ({ kind, id }: Change) => `${kind}/${id}`;

export const referencesOf = (changes: readonly Change[]): readonly Reference[] =>
  changes.flatMap((one) => [
    ['changes', keyOf(one)] as const,
    ['people', one.authorKey] as const,
    ['labels', one.labelKey] as const,
    ['milestones', one.milestoneKey] as const,
  ]);

/** Stores those that aren't here. @param itemId what was changed */
export async function storeChanges(batch: Batch, item: Item, itemId: number, changes: readonly Change[]) {
  for (const one of changes) {
    const key = keyOf(one);
    if (batch.localOf('changes', key) !== undefined) continue;
    const { kind, action, labelKey, milestoneKey, createdAt } = one;
    const [made] = await batch.sql.rows(insertChange[item], [
      await batch.keep('resource_events', one.id),
      itemId,
      await authorOf(batch, one.authorKey),
      kind,
      action,
      batch.localOf('labels', labelKey) ?? null,
      batch.localOf('milestones', milestoneKey) ?? null,
      createdAt,
    ]);
    batch.remember('changes', key, made!.id);
  }
}
