import type { Context } from '../../../context.ts';
import { isAdministrator, manageGroupMembers, manageProjectMembers, seePlace, toSql } from '../../../policy/index.ts';

/** SQL expressions for the inputs of the visibility rule. */
interface PlaceColumns {
  readonly visibility: string;
  readonly accessLevel: string;
}

interface SeenBy {
  /** A suffix for the name of a statement that has the rules: each viewer whose SQL differs has another one. */
  readonly variant: string;
  /** The visibility rule as SQL. */
  readonly visible: (columns: PlaceColumns) => string;
  /** Whether the viewer manages the members of the group `n` or the project `p`, as SQL. @param accessLevel of their role */
  readonly manages: (scope: 'group' | 'project', accessLevel: string) => string;
}

/** The rules for lists, for this viewer. */
export function seenBy({ viewer }: Context): SeenBy {
  // The operator is an administrator without an account.
  const who = viewer.person === null ? 'anonymous' : viewer.person.external ? 'external' : 'person';
  return {
    variant: `${isAdministrator(viewer) ? 'all_' : ''}${who}`,
    visible: (columns) => toSql(seePlace, viewer, columns),
    manages: (scope, accessLevel) =>
      scope === 'group'
        ? toSql(manageGroupMembers, viewer, { visibility: 'n.visibility', accessLevel })
        : toSql(manageProjectMembers, viewer, { visibility: 'p.visibility', accessLevel }),
  };
}
