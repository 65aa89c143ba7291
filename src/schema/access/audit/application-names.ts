import type { Context } from '../../../context.ts';
import { batched } from '../../engine/batched.ts';

const nameOf = batched(async ({ database: { prisma } }, ids) => {
  const found = await prisma.application.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, name: true },
  });
  return new Map(found.map(({ id, name }) => [id, name]));
});

/**
 * The current name of an application that audit events refer to; null if it was removed. One statement reads the
 * names of a whole page.
 */
export const applicationName = async (context: Context, id: number | null): Promise<string | null> =>
  id === null ? null : ((await nameOf(context, id)) ?? null);
