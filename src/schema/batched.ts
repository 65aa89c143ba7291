import DataLoader from 'dataloader';
import type { Context } from '../context.ts';

/**
 * Reads something about many records with one statement: all that one request asks
 * for in the same breath.
 * @param read what there is, by id; what isn't in it is undefined
 */
export function batched<Value>(
  read: (context: Context, ids: readonly number[]) => Promise<ReadonlyMap<number, Value>>,
): (context: Context, id: number) => Promise<Value | undefined> {
  const loaders = new WeakMap<Context, DataLoader<number, Value | undefined>>();
  return (context, id) => {
    let loader = loaders.get(context);
    if (!loader) {
      // Nothing is kept: a mutation may have changed it meanwhile.
      loader = new DataLoader(async (ids) => {
        const found = await read(context, [...new Set(ids)]);
        return ids.map((one) => found.get(one));
      }, { cache: false });
      loaders.set(context, loader);
    }
    return loader.load(id);
  };
}
