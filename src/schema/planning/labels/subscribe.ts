import { Forbidden } from '../../../errors.ts';
import { writes } from '../../../policy/index.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { labelName, labelPayload } from './input.ts';
import { availableLabels, labelById, namedLabel } from './read.ts';
import { subscribe, unsubscribe } from './statements/changes.ts';
import type { LabelRow } from './statements/list.ts';

mutation('labelSetSubscription', {
  description:
    'Subscribes you to a label, or unsubscribes you. A label of a group is subscribed to for the project that is named.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({ ...labelName(t), subscribedState: t.boolean({ required: true }) }),
  payload: (t: FieldsOf<{ label: LabelRow; changed: boolean }>) => ({
    ...labelPayload(t as FieldsOf<{ label: LabelRow }>),
    changed: t.exposeBoolean('changed', { description: 'Whether this call changed anything.' }),
  }),
  resolve: async (context, { subscribedState, ...name }) => {
    const { person } = context.viewer;
    if (!person) throw new Forbidden('Only a person has subscriptions.');
    const { label, place } = await namedLabel(context, name, availableLabels);
    const project = place.scope === 'project' && label.projectId === null ? place.id : null;
    const changed = await context.database.rows(subscribedState ? subscribe : unsubscribe, [
      person.id,
      label.id,
      project,
    ]);
    return { label: await labelById(context.database, context, label.id, place), changed: changed.length > 0 };
  },
});
