import { createHash } from 'node:crypto';
import type { NotePosition } from './statements.ts';

/** Where comments stand in a diff. */

export type { NotePosition } from './statements.ts';

/** The commits that a diff lies between. */
export interface DiffCommits {
  readonly base: string;
  readonly start: string;
  readonly head: string;
}

/** A position with what identifies its line; null for a comment on a file. */
export interface Placed {
  readonly position: NotePosition;
  readonly lineCode: string | null;
}

/** What identifies a line of a diff: GitLab's form. */
export const lineCodeOf = (path: string, { old, new: now }: { readonly old: number; readonly new: number }): string =>
  `${createHash('sha1').update(path).digest('hex')}_${old}_${now}`;
