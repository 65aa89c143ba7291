import type { Feature, FeatureLevel } from '../values/attributes/project-features.ts';
import { isAdministrator, type Viewer } from './viewer.ts';

/**
 * A policy: a tree of conditions. It is evaluated on a loaded record (`holds`) and compiled to a SQL condition
 * for lists (`toSql`). Both use the same tree, so that a list never shows what a single look-up hides.
 */
export type Condition =
  | { readonly any: readonly Condition[] }
  | { readonly all: readonly Condition[] }
  | { readonly feature: Feature; readonly at: Readonly<Record<FeatureLevel, Condition>> }
  | { readonly fact: 'administrator' }
  | { readonly fact: 'signedIn' }
  | { readonly fact: 'seesInternal' }
  | { readonly fact: 'premium' }
  | { readonly fact: 'publicJobs' }
  | { readonly fact: 'visibility'; readonly is: Visibility }
  | { readonly fact: 'accessLevel'; readonly atLeast: number; readonly below?: number }
  | { readonly fact: 'author' }
  | { readonly fact: 'assignee' }
  | { readonly fact: 'ordinary' }
  | { readonly fact: 'snippetVisibility'; readonly is: Visibility };

export type Visibility = 'PRIVATE' | 'INTERNAL' | 'PUBLIC';

/** The facts about a project or a group that a condition reads. */
export interface Facts {
  readonly visibility: Visibility;
  /** The viewer's highest role in the place or above it; 0 for none. */
  readonly accessLevel: number;
  /** The levels of the project's features that the condition reads. */
  readonly levels?: { readonly [Name in Feature]?: FeatureLevel | undefined };
  /** Whether everyone who sees the project sees its jobs, if the condition reads it. */
  readonly publicJobs?: boolean;
  /** The issue, if the condition is about one. */
  readonly issue?: IssueFacts;
  /** The merge request, if the condition is about one. */
  readonly mergeRequest?: MergeRequestFacts;
  /** The snippet, if the condition is about one. */
  readonly snippet?: SnippetFacts;
}

/** The facts about an issue that a condition reads. */
export interface IssueFacts {
  readonly authorId: number;
  readonly assigneeId: number | null;
  readonly confidential: boolean;
}

/** The facts about a merge request that a condition reads. */
interface MergeRequestFacts {
  readonly authorId: number;
  readonly assigneeId: number | null;
}

/** The facts about a snippet that a condition reads. */
interface SnippetFacts {
  readonly authorId: number;
  readonly visibility: Visibility;
}

export const any = (...conditions: Condition[]): Condition => ({ any: conditions });
export const all = (...conditions: Condition[]): Condition => ({ all: conditions });
export const administrator: Condition = { fact: 'administrator' };
export const signedIn: Condition = { fact: 'signedIn' };
/** A person who isn't external. */
export const seesInternal: Condition = { fact: 'seesInternal' };
/** A person on the higher tier. */
export const premium: Condition = { fact: 'premium' };
/** Everyone who sees the project sees its jobs. */
export const publicJobs: Condition = { fact: 'publicJobs' };
export const visibility = (is: Visibility): Condition => ({ fact: 'visibility', is });
export const accessLevel = (atLeast: number): Condition => ({ fact: 'accessLevel', atLeast });
/** A role that has a right which some higher ones don't have. */
export const accessLevelFrom = (atLeast: number, below: number): Condition => ({ fact: 'accessLevel', atLeast, below });
/** A condition that depends on the level of a feature of the project. */
export const atLevel = (feature: Feature, at: Readonly<Record<FeatureLevel, Condition>>): Condition => ({
  feature,
  at,
});
/** The viewer wrote the issue, the merge request or the snippet. */
export const author: Condition = { fact: 'author' };
/** The issue or the merge request is assigned to the viewer. */
export const assignee: Condition = { fact: 'assignee' };
/** The issue isn't confidential. */
export const ordinary: Condition = { fact: 'ordinary' };
export const snippetVisibility = (is: Visibility): Condition => ({ fact: 'snippetVisibility', is });

/** Whether the condition holds for this viewer and this loaded record. */
export function holds(condition: Condition, viewer: Viewer, facts: Facts): boolean {
  if ('any' in condition) return condition.any.some((part) => holds(part, viewer, facts));
  if ('all' in condition) return condition.all.every((part) => holds(part, viewer, facts));
  if ('feature' in condition) {
    const level = facts.levels?.[condition.feature];
    // Not "disabled": a look-up that doesn't read the level would hide everything without an error.
    if (level === undefined) throw new TypeError(`The level of the feature ${condition.feature} wasn't read.`);
    return holds(condition.at[level], viewer, facts);
  }
  switch (condition.fact) {
    case 'administrator':
      return isAdministrator(viewer);
    case 'signedIn':
      return viewer.person !== null;
    case 'seesInternal':
      return viewer.person?.external === false;
    case 'premium':
      return viewer.person?.premium === true;
    case 'publicJobs':
      if (facts.publicJobs === undefined) throw new TypeError('Whether the jobs are public wasn’t read.');
      return facts.publicJobs;
    case 'visibility':
      return facts.visibility === condition.is;
    case 'accessLevel':
      return facts.accessLevel >= condition.atLeast && facts.accessLevel < (condition.below ?? Infinity);
    case 'author':
      return (
        viewer.person !== null && (facts.issue ?? facts.mergeRequest ?? facts.snippet)?.authorId === viewer.person.id
      );
    case 'assignee':
      return viewer.person !== null && (facts.issue ?? facts.mergeRequest)?.assigneeId === viewer.person.id;
    case 'ordinary':
      return facts.issue?.confidential === false;
    case 'snippetVisibility':
      return facts.snippet?.visibility === condition.is;
  }
}

/** SQL expressions for the facts. */
export interface Columns {
  readonly visibility: string;
  /** The viewer's level, null for none; for lists, a function: the SQL condition for a level of at least `atLeast`. */
  readonly accessLevel: string | ((atLeast: number) => string);
  /** For conditions about jobs: whether everyone who sees the project sees them. */
  readonly publicJobs?: string;
  /** For conditions that depend on features: the level of one. */
  readonly level?: (feature: Feature) => string;
  /** For conditions about issues. */
  readonly issue?: IssueColumns;
  /** For conditions about merge requests. */
  readonly mergeRequest?: Omit<IssueColumns, 'confidential'>;
  /** For conditions about snippets. */
  readonly snippet?: SnippetColumns;
}

/** SQL expressions for the facts about an issue. */
interface IssueColumns {
  readonly authorId: string;
  readonly assigneeId: string;
  readonly confidential: string;
  /** The viewer's id. Not used for anonymous requests. */
  readonly viewerId: string;
}

/** SQL expressions for the facts about a snippet. */
interface SnippetColumns {
  readonly authorId: string;
  readonly visibility: string;
  /** The viewer's id. Not used for anonymous requests. */
  readonly viewerId: string;
}

/**
 * Which of the texts of `toSql` a viewer gets: part of the name of a statement that has one, because a connection keeps one text
 * for each name. An administrator may be external, and gets that of administrators.
 */
export function variantOf(viewer: Viewer): 'administrator' | 'anonymous' | 'external' | 'person' {
  if (isAdministrator(viewer)) return 'administrator';
  if (viewer.person === null) return 'anonymous';
  return viewer.person.external ? 'external' : 'person';
}

/**
 * The condition as SQL. Facts about the viewer become constants, so the text
 * differs only between anonymous, a person, an external person and an administrator; where the condition reads the tier,
 * also by that.
 */
export function toSql(condition: Condition, viewer: Viewer, columns: Columns): string {
  if ('any' in condition) return join(condition.any, 'or', 'false');
  if ('all' in condition) return join(condition.all, 'and', 'true');
  if ('feature' in condition) {
    const { level } = columns;
    if (!level) throw new TypeError(`There is no column for the level of the feature ${condition.feature}.`);
    const part = (at: FeatureLevel) => toSql(condition.at[at], viewer, columns);
    return `case ${level(condition.feature)} when 'disabled' then ${part('disabled')} when 'private' then ${part('private')} else ${part('enabled')} end`;
  }
  const subject = columns.issue ?? columns.mergeRequest ?? columns.snippet;
  switch (condition.fact) {
    case 'administrator':
      return String(isAdministrator(viewer));
    case 'signedIn':
      return String(viewer.person !== null);
    case 'premium':
      return String(viewer.person?.premium === true);
    case 'seesInternal':
      return String(viewer.person?.external === false);
    case 'publicJobs':
      if (!columns.publicJobs) throw new TypeError('There is no column for whether the jobs are public.');
      return columns.publicJobs;
    case 'visibility':
      return `${columns.visibility} = '${condition.is}'`;
    case 'accessLevel':
      if (condition.below === undefined) return reachesLevel(condition.atLeast);
      return `(${reachesLevel(condition.atLeast)} and not ${reachesLevel(condition.below)})`;
    case 'author':
      return isViewer(subject?.authorId);
    case 'assignee':
      return isViewer((columns.issue ?? columns.mergeRequest)?.assigneeId);
    case 'ordinary':
      return columns.issue ? `not ${columns.issue.confidential}` : 'false';
    case 'snippetVisibility':
      return columns.snippet ? `${columns.snippet.visibility} = '${condition.is}'` : 'false';
  }

  function reachesLevel(level: number): string {
    if (typeof columns.accessLevel === 'function') return columns.accessLevel(level);
    return `coalesce(${columns.accessLevel}, 0) >= ${level}`;
  }

  function isViewer(column: string | undefined): string {
    if (viewer.person === null || column === undefined) return 'false';
    return `coalesce(${column} = ${subject!.viewerId}, false)`;
  }

  function join(parts: readonly Condition[], word: 'and' | 'or', empty: string): string {
    if (parts.length === 0) return empty;
    return `(${parts.map((part) => toSql(part, viewer, columns)).join(` ${word} `)})`;
  }
}
