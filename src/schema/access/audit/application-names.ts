import type { Context } from '../../../context.ts';
import { batched } from '../../engine/batched.ts';

const nameOf = batched(async ({ database: { prisma } }, ids) => {
  const found = await prisma.application.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, name: true },
  });
  return new Map(found.map(({ id, name }) => [id, name]));
});

/** The name of an application that events refer to, as it is now; null once it is gone. One statement for a whole page. */
export const applicationName = async (context: Context, id: number | null): Promise<string | null> =>
  id === null ? null : ((await nameOf(context, id)) ?? null);
