import type { Context } from '../../../context.ts';
import { findSource } from './statements/forks.ts';
import type { Visibility } from '../../../policy/index.ts';
import { isWider, refuseVisibility } from '../place/visibility.ts';

/** Refuses a fork more visible than its source. @throws InvalidFields */
export function refuseWider(wanted: Visibility, source: Visibility): void {
  if (isWider(wanted, source)) refuseVisibility(wanted, 'since the fork source project has lower visibility');
}

/** Refuses to make an existing fork more visible than its source, unless it is already. @throws InvalidFields */
export async function refuseWidening({ database }: Context, id: number, wanted: Visibility): Promise<void> {
  const [row] = await database.rows(findSource, [id]);
  if (row && wanted !== row.own) refuseWider(wanted, row.visibility);
}
