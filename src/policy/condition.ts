import { isAdministrator, type Viewer } from './viewer.ts';

/**
 * A policy is a condition tree. The same tree is read twice: over a record that
 * is already loaded (`holds`), and as a SQL condition for lists (`toSql`), so a
 * list can never show what a single look-up would hide.
 */
export type Condition =
  | { readonly any: readonly Condition[] }
  | { readonly all: readonly Condition[] }
  | { readonly fact: 'administrator' }
  | { readonly fact: 'signedIn' }
  | { readonly fact: 'visibility'; readonly is: Visibility }
  | { readonly fact: 'accessLevel'; readonly atLeast: number };

export type Visibility = 'PRIVATE' | 'INTERNAL' | 'PUBLIC';

/** What a condition needs to know of a project or a group. */
export interface Facts {
  readonly visibility: Visibility;
  /** The viewer's own highest role here or above, 0 for none. */
  readonly accessLevel: number;
}

export const any = (...conditions: Condition[]): Condition => ({ any: conditions });
export const all = (...conditions: Condition[]): Condition => ({ all: conditions });
export const administrator: Condition = { fact: 'administrator' };
export const signedIn: Condition = { fact: 'signedIn' };
export const visibility = (is: Visibility): Condition => ({ fact: 'visibility', is });
export const accessLevel = (atLeast: number): Condition => ({ fact: 'accessLevel', atLeast });

/** Whether the condition holds for this viewer and this loaded record. */
export function holds(condition: Condition, viewer: Viewer, facts: Facts): boolean {
  if ('any' in condition) return condition.any.some((part) => holds(part, viewer, facts));
  if ('all' in condition) return condition.all.every((part) => holds(part, viewer, facts));
  switch (condition.fact) {
    case 'administrator':
      return isAdministrator(viewer);
    case 'signedIn':
      return viewer.person !== null;
    case 'visibility':
      return facts.visibility === condition.is;
    case 'accessLevel':
      return facts.accessLevel >= condition.atLeast;
  }
}

/** SQL expressions for the facts. */
export interface Columns {
  readonly visibility: string;
  /** May be null for none. A list, which can't ask row by row, gives the condition for a level at least this high. */
  readonly accessLevel: string | ((atLeast: number) => string);
}

/**
 * The condition as SQL. What is known of the viewer is folded in, so the text
 * differs only between nobody, a person and an administrator.
 */
export function toSql(condition: Condition, viewer: Viewer, columns: Columns): string {
  if ('any' in condition) return join(condition.any, 'or', 'false');
  if ('all' in condition) return join(condition.all, 'and', 'true');
  switch (condition.fact) {
    case 'administrator':
      return String(isAdministrator(viewer));
    case 'signedIn':
      return String(viewer.person !== null);
    case 'visibility':
      return `${columns.visibility} = '${condition.is}'`;
    case 'accessLevel':
      if (typeof columns.accessLevel === 'function') return columns.accessLevel(condition.atLeast);
      return `coalesce(${columns.accessLevel}, 0) >= ${condition.atLeast}`;
  }

  function join(parts: readonly Condition[], word: 'and' | 'or', empty: string): string {
    if (parts.length === 0) return empty;
    return `(${parts.map((part) => toSql(part, viewer, columns)).join(` ${word} `)})`;
  }
}
