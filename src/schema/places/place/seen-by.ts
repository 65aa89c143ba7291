import type { Context } from '../../../context.ts';
import { isAdministrator, seePlace, toSql } from '../../../policy/index.ts';

/** SQL expressions for what the visibility rule asks of a place. */
export interface PlaceColumns {
  readonly visibility: string;
  readonly accessLevel: string;
}

/** The visibility rule for a list: its SQL for this viewer, and a name for that text among statements. */
export function seenBy({ viewer }: Context): { variant: string; visible: (columns: PlaceColumns) => string } {
  // The operator is an administrator and no person.
  const variant = `${isAdministrator(viewer) ? 'all_' : ''}${viewer.person ? 'person' : 'nobody'}`;
  return { variant, visible: (columns) => toSql(seePlace, viewer, columns) };
}
