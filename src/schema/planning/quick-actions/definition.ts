import type { Condition } from '../../../policy/index.ts';
import type { IssueChange } from '../issues/changes/change.ts';
import type { SeenIssue } from '../issues/look-up.ts';
import type { Target } from '../issues/changes/move.ts';
import type { DurationStyle } from '../time-tracking/duration.ts';

/** What a command is: its right, what its argument names, and what it does. */

/** The issue before the commands. */
export interface IssueBefore {
  readonly state: 'OPENED' | 'CLOSED';
  readonly labels: readonly { readonly id: number; readonly title: string }[];
  readonly assignee: { readonly id: number; readonly username: string } | null;
  readonly milestone: { readonly title: string } | null;
  readonly timeEstimate: number;
  readonly timeSpent: number;
}

/** What a command refers to. */
interface Names {
  /** In lower case. */
  readonly users: readonly string[];
  readonly labels: readonly string[];
  readonly milestones: readonly string[];
  readonly emoji: readonly string[];
  /** References to issues, and projects: as they were written. */
  readonly issues: readonly string[];
  readonly projects: readonly string[];
  /** Of branches that are to be made; empty: one that is named after the issue. */
  readonly branches: readonly string[];
}

/** Ids by name, the issue, and how durations are written. */
export interface Known {
  readonly settings: DurationStyle;
  readonly before: IssueBefore;
  readonly actor: { readonly id: number; readonly username: string };
  readonly users: ReadonlyMap<string, number>;
  readonly labels: ReadonlyMap<string, number>;
  readonly milestones: ReadonlyMap<string, number>;
  /** The names under which emoji are stored. */
  readonly emoji: ReadonlyMap<string, string>;
  /** The issue that the text is about, if that exists already and other commands than those of its own are asked. */
  readonly self: SeenIssue | undefined;
  /** Issues that the person reads, and projects where they may move this one. */
  readonly issues: ReadonlyMap<string, SeenIssue>;
  readonly projects: ReadonlyMap<string, Target>;
  /** Branches that they may make. */
  readonly branches: ReadonlyMap<string, string>;
}

/** What is done besides changing the issue itself. */
export type Deed =
  | { readonly kind: 'estimate'; readonly seconds: number }
  | { readonly kind: 'spend'; readonly seconds: number; readonly day: string | undefined }
  | { readonly kind: 'reset spent' }
  | { readonly kind: 'subscribe'; readonly subscribed: boolean }
  | { readonly kind: 'award'; readonly name: string }
  | { readonly kind: 'duplicate'; readonly self: SeenIssue; readonly original: SeenIssue }
  | { readonly kind: 'move'; readonly self: SeenIssue; readonly target: Target }
  | { readonly kind: 'clone'; readonly self: SeenIssue; readonly target: Target; readonly withNotes: boolean }
  | { readonly kind: 'branch'; readonly self: SeenIssue; readonly branch: string }
  | { readonly kind: 'todo' }
  | { readonly kind: 'done' };

export interface Outcome {
  /** What is said of it. */
  readonly message: string;
  /** As clients see it: GitLab's keys. */
  readonly changes: Readonly<Record<string, unknown>>;
  readonly change?: IssueChange;
  readonly deed?: Deed;
}

export interface Definition {
  readonly right: Condition;
  /** What its argument names. */
  readonly names?: (argument: string) => Partial<Names>;
  /** Undefined: it has no effect. */
  readonly read: (argument: string, known: Known) => Outcome | undefined;
}
