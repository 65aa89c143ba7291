import DataLoader from 'dataloader';
import type { Context } from '../../context.ts';

const loaders = new WeakMap<Context, DataLoader<number, string | null>>();

/** The name of an application that events tell of; null once it is gone. One statement for a whole page. */
export function applicationName(context: Context, id: number): Promise<string | null> {
  let loader = loaders.get(context);
  if (!loader) {
    loader = new DataLoader(async (ids) => {
      const found = await context.database.prisma.application.findMany({ where: { id: { in: [...ids] } }, select: { id: true, name: true } });
      const names = new Map(found.map(({ id: one, name }) => [one, name]));
      return ids.map((one) => names.get(one) ?? null);
    });
    loaders.set(context, loader);
  }
  return loader.load(id);
}
