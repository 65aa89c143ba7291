import { awardsField, type Award } from '../awards/award.ts';
import type { Site } from '../../site/layout/layout.tsx';
import { picturedFields, type Pictured } from '../../places/avatars/avatar.tsx';

/** A comment, or a note of the system about a change. */
export interface Note {
  readonly id: number;
  readonly body: string;
  readonly bodyHtml: string;
  readonly system: boolean;
  readonly internal: boolean;
  readonly createdAt: string;
  readonly lastEditedAt: string | null;
  /** Undefined: it takes none. */
  readonly awardEmoji?: { readonly nodes: readonly Award[] };
  readonly author: Pictured & { readonly username: string };
  /** Of a comment on a merge request: where it stands in the diff, where it was written, and whether that line is gone. */
  readonly position?: NotePosition | null;
  readonly originalPosition?: NotePosition | null;
  readonly outdated?: boolean;
}

/** A place in a diff. */
export interface NotePosition {
  readonly oldPath: string;
  readonly newPath: string;
  readonly oldLine: number | null;
  readonly newLine: number | null;
  readonly diffRefs: { readonly baseSha: string; readonly headSha: string; readonly startSha: string };
}

/** What operations select of a place in a diff. */
export const positionFields = '{ oldPath newPath oldLine newLine diffRefs { baseSha headSha startSha } }';

/** What operations select of a comment on a merge request besides. */
export const placedFields = `outdated position ${positionFields} originalPosition ${positionFields}`;

/** A comment with its replies. Of a long one, a page has the first note and the latest. */
export interface Thread {
  readonly key: string;
  /** Whether it is a comment that starts no thread. */
  readonly individualNote: boolean;
  readonly resolvable: boolean;
  readonly resolved: boolean;
  readonly resolvedBy: { readonly name: string; readonly username: string } | null;
  readonly allNotes: readonly Note[];
  /** How many notes it has. */
  readonly notes: { readonly count: number };
}

export const noteFields = `id: databaseId body bodyHtml system internal createdAt lastEditedAt author { ${picturedFields} username } ${awardsField}`;

/** Notes of a thread that a page with other threads shows: the first one and the latest. */
const shownNotes = 3;

/** The fewest notes that a page leaves out. It shows fewer than these itself: a link to them would cost a press. */
export const worthLeavingOut = 5;

/** Notes on a page of twenty threads. With as many it has about 90 kB. */
const mostNotes = 60;

/** What operations select of a thread besides its notes. */
export const threadStateFields = 'key individualNote resolvable resolved resolvedBy { name username }';

/** @param ofNotes what else to select of its notes */
export const threadFieldsWith = (ofNotes: string): string =>
  `${threadStateFields} notes(first: 1) { count } allNotes(most: $notes, whole: $whole) { ${noteFields} ${ofNotes} }`;

export const threadFields = threadFieldsWith('');

/** The variables of operations that select `threadFields`. */
export const notesDeclared = '$notes: Int, $whole: Int';

/** Their values. Pages of single threads are for people who are signed in: others see all notes at once. */
export const notesFor = ({ visitor }: Pick<Site, 'visitor'>): Readonly<Record<'notes' | 'whole', number | null>> =>
  visitor ? { notes: shownNotes, whole: shownNotes + worthLeavingOut - 1 } : { notes: null, whole: null };

/** The threads of a page. One that is hardly longer than its ends is shown whole, as long as there is room. */
export function fitting(threads: readonly Thread[], { visitor }: Pick<Site, 'visitor'>): readonly Thread[] {
  if (!visitor) return threads;
  let room = mostNotes - threads.reduce((sum, { allNotes }) => sum + Math.min(allNotes.length, shownNotes), 0);
  return threads.map((thread) => {
    const { allNotes } = thread;
    const more = allNotes.length - shownNotes;
    if (more <= 0) return thread;
    if (more <= room) {
      room -= more;
      return thread;
    }
    return { ...thread, allNotes: [allNotes[0]!, ...allNotes.slice(1 - shownNotes)] };
  });
}

/** How many replies of a thread a page leaves out. */
export const leftOutOf = ({ allNotes, notes }: Thread): number => notes.count - allNotes.length;

/** What a person typed into the form of a comment, with what is wrong with it in sentences. */
export interface CommentDraft {
  readonly body: string;
  readonly internal: boolean;
  readonly startsThread: boolean;
  /** The head of the merge request that they saw. */
  readonly head?: string | undefined;
  /** Whether they keep it for their review. */
  readonly review?: boolean;
  readonly errors: readonly string[];
}

/** Whether a page leaves out some of the comments: a script then follows links to those, for people who are signed in. */
export const isPart = (of: {
  readonly site: Pick<Site, 'visitor'>;
  readonly threads: readonly Thread[];
  readonly earlier: string | null;
  readonly later: string | null;
}): boolean =>
  of.site.visitor !== null &&
  (of.earlier !== null || of.later !== null || of.threads.some((thread) => leftOutOf(thread) > 0));
