import { isAdministrator, type Viewer } from './viewer.ts';

/**
 * A policy: a tree of conditions. It is evaluated on a loaded record (`holds`) and compiled to a SQL condition
 * for lists (`toSql`). Both use the same tree, so that a list never shows what a single look-up hides.
 */
export type Condition =
  | { readonly any: readonly Condition[] }
  | { readonly all: readonly Condition[] }
  | { readonly fact: 'administrator' }
  | { readonly fact: 'signedIn' }
  | { readonly fact: 'seesInternal' }
  | { readonly fact: 'visibility'; readonly is: Visibility }
  | { readonly fact: 'accessLevel'; readonly atLeast: number }
  | { readonly fact: 'author' }
  | { readonly fact: 'assignee' }
  | { readonly fact: 'ordinary' };

export type Visibility = 'PRIVATE' | 'INTERNAL' | 'PUBLIC';

/** The facts about a project or a group that a condition reads. */
export interface Facts {
  readonly visibility: Visibility;
  /** The viewer's highest role in the place or above it; 0 for none. */
  readonly accessLevel: number;
  /** The issue, if the condition is about one. */
  readonly issue?: IssueFacts;
}

/** The facts about an issue that a condition reads. */
export interface IssueFacts {
  readonly authorId: number;
  readonly assigneeId: number | null;
  readonly confidential: boolean;
}

export const any = (...conditions: Condition[]): Condition => ({ any: conditions });
export const all = (...conditions: Condition[]): Condition => ({ all: conditions });
export const administrator: Condition = { fact: 'administrator' };
export const signedIn: Condition = { fact: 'signedIn' };
/** A person who isn't external. */
export const seesInternal: Condition = { fact: 'seesInternal' };
export const visibility = (is: Visibility): Condition => ({ fact: 'visibility', is });
export const accessLevel = (atLeast: number): Condition => ({ fact: 'accessLevel', atLeast });
/** The viewer wrote the issue. */
export const author: Condition = { fact: 'author' };
/** The issue is assigned to the viewer. */
export const assignee: Condition = { fact: 'assignee' };
/** The issue isn't confidential. */
export const ordinary: Condition = { fact: 'ordinary' };

/** Whether the condition holds for this viewer and this loaded record. */
export function holds(condition: Condition, viewer: Viewer, facts: Facts): boolean {
  if ('any' in condition) return condition.any.some((part) => holds(part, viewer, facts));
  if ('all' in condition) return condition.all.every((part) => holds(part, viewer, facts));
  switch (condition.fact) {
    case 'administrator':
      return isAdministrator(viewer);
    case 'signedIn':
      return viewer.person !== null;
    case 'seesInternal':
      return viewer.person?.external === false;
    case 'visibility':
      return facts.visibility === condition.is;
    case 'accessLevel':
      return facts.accessLevel >= condition.atLeast;
    case 'author':
      return viewer.person !== null && facts.issue?.authorId === viewer.person.id;
    case 'assignee':
      return viewer.person !== null && facts.issue?.assigneeId === viewer.person.id;
    case 'ordinary':
      return facts.issue?.confidential === false;
  }
}

/** SQL expressions for the facts. */
export interface Columns {
  readonly visibility: string;
  /** The viewer's level, null for none; for lists, a function: the SQL condition for a level of at least `atLeast`. */
  readonly accessLevel: string | ((atLeast: number) => string);
  /** For conditions about issues. */
  readonly issue?: IssueColumns;
}

/** SQL expressions for the facts about an issue. */
interface IssueColumns {
  readonly authorId: string;
  readonly assigneeId: string;
  readonly confidential: string;
  /** The viewer's id. Not used if nobody is signed in. */
  readonly viewerId: string;
}

/**
 * The condition as SQL. Facts about the viewer become constants, so the text
 * differs only between anonymous, a person, an external person and an administrator.
 */
export function toSql(condition: Condition, viewer: Viewer, columns: Columns): string {
  if ('any' in condition) return join(condition.any, 'or', 'false');
  if ('all' in condition) return join(condition.all, 'and', 'true');
  switch (condition.fact) {
    case 'administrator':
      return String(isAdministrator(viewer));
    case 'signedIn':
      return String(viewer.person !== null);
    case 'seesInternal':
      return String(viewer.person?.external === false);
    case 'visibility':
      return `${columns.visibility} = '${condition.is}'`;
    case 'accessLevel':
      if (typeof columns.accessLevel === 'function') return columns.accessLevel(condition.atLeast);
      return `coalesce(${columns.accessLevel}, 0) >= ${condition.atLeast}`;
    case 'author':
      return isViewer(columns.issue?.authorId);
    case 'assignee':
      return isViewer(columns.issue?.assigneeId);
    case 'ordinary':
      return columns.issue ? `not ${columns.issue.confidential}` : 'false';
  }

  function isViewer(column: string | undefined): string {
    if (viewer.person === null || column === undefined) return 'false';
    return `coalesce(${column} = ${columns.issue!.viewerId}, false)`;
  }

  function join(parts: readonly Condition[], word: 'and' | 'or', empty: string): string {
    if (parts.length === 0) return empty;
    return `(${parts.map((part) => toSql(part, viewer, columns)).join(` ${word} `)})`;
  }
}
