import { BadRequest } from '../../../errors.ts';
import { builder } from '../../engine/builder.ts';

/** The arguments that name one group, project or namespace. */
export const placeArgs = builder.args((t) => ({
  fullPath: t.id({ description: 'Full path, global id or number.' }),
  id: t.id({ deprecationReason: 'Use `fullPath`, which also takes ids.' }),
}));

/** @throws BadRequest for a request that names nothing */
export function nameOf({ fullPath, id }: { fullPath?: string | null; id?: string | null }): string {
  const name = fullPath ?? id;
  if (name == null) throw new BadRequest('`fullPath` is missing.');
  return name;
}
