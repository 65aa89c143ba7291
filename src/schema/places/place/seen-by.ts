import type { Context } from '../../../context.ts';
import { isAdministrator, seePlace, toSql } from '../../../policy/index.ts';

/** SQL expressions for the inputs of the visibility rule. */
export interface PlaceColumns {
  readonly visibility: string;
  readonly accessLevel: string;
}

/** The visibility rule for a list: its SQL for this viewer, and a suffix for the name of the statement that has it. */
export function seenBy({ viewer }: Context): { variant: string; visible: (columns: PlaceColumns) => string } {
  // The operator is an administrator without an account.
  const who = viewer.person === null ? 'anonymous' : viewer.person.external ? 'external' : 'person';
  const variant = `${isAdministrator(viewer) ? 'all_' : ''}${who}`;
  return { variant, visible: (columns) => toSql(seePlace, viewer, columns) };
}
