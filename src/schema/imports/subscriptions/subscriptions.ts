import { builder } from '../../engine/builder.ts';
import { importing, NotTaken, type Batch } from '../origins/importing.ts';
import { storeSubscriptions, type Item } from './statements.ts';

const ImportedSubscription = builder.inputType('ImportedSubscription', {
  fields: (t) => ({ personKey: t.string({ required: true }), subscribed: t.boolean({ required: true }) }),
});

const kinds = { issue: 'issues', merge_request: 'mergeRequests' } as const;

const isItem = (given: string | undefined): given is Item => given !== undefined && given in kinds;

/** What a key names: `issue/7` or `merge_request/7`. */
function itemOf({ localOf }: Batch, key: string): { readonly item: Item; readonly id: number } {
  const [item, of] = key.split('/');
  const id = isItem(item) ? localOf(kinds[item], of) : undefined;
  if (!isItem(item) || id === undefined) throw new NotTaken('What it is about isn’t here.');
  return { item, id };
}

importing('subscriptions', {
  description: 'Imports who is subscribed to an issue or a merge request: key `issue/7` or `merge_request/7`.',
  record: (t) => ({
    stamp: t.string({ required: true, description: 'What it has as long as it isn’t changed.' }),
    people: t.field({ type: [ImportedSubscription], required: true, description: 'Those who were asked.' }),
  }),
  stamp: ({ stamp }) => stamp,
  refersTo: ({ key, people }) => {
    const [item, of] = key.split('/');
    return [
      ...(isItem(item) ? [[kinds[item], of] as const] : []),
      ...people.map(({ personKey }) => ['people', personKey] as const),
    ];
  },
  examine: (batch, { key, people }) => {
    const known = people.flatMap(({ personKey, subscribed }) => {
      const id = batch.localOf('people', personKey);
      return id === undefined ? [] : [{ id, subscribed }];
    });
    return Promise.resolve({ ...itemOf(batch, key), known });
  },
  store: async ({ sql }, _record, { item, id, known }) => {
    await sql.rows(storeSubscriptions[item], [
      id,
      known.map((one) => one.id),
      known.map(({ subscribed }) => subscribed),
    ]);
    return null;
  },
});
