import type { Context } from '../../context.ts';
import { InvalidFields } from '../../errors.ts';
import type { Visibility } from '../../policy/index.ts';

const openness: Record<Visibility, number> = { PRIVATE: 0, INTERNAL: 1, PUBLIC: 2 };

/** A fork shows nobody what its source hides. @throws InvalidFields */
export function refuseWider(wanted: Visibility, source: Visibility): void {
  if (openness[wanted] <= openness[source]) return;
  const text = `${wanted.toLowerCase()} is not allowed since the fork source project has lower visibility.`;
  throw new InvalidFields({ visibilityLevel: [text] });
}

/** The same for a fork that is there already; what it is, it may stay. @throws InvalidFields */
export async function refuseWidening({ database }: Context, id: number, wanted: Visibility): Promise<void> {
  const project = await database.prisma.project.findUnique({
    where: { id },
    select: { visibility: true, forkedFrom: { select: { visibility: true, deletingSince: true } } },
  });
  const source = project?.forkedFrom;
  if (source && source.deletingSince === null && wanted !== project.visibility) refuseWider(wanted, source.visibility);
}
