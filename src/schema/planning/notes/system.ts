import type { Sql } from '../../../database/index.ts';
import { idOf, kindOf, type ItemId } from './item.ts';
import { humanDuration, type DurationStyle } from '../time-tracking/duration.ts';
import { insertSystemNotes } from './statements/system.ts';

/** What the system notes about an issue or a merge request: its texts are GitLab's. */
export interface SystemNote {
  readonly body: string;
  /** What it says, for its icon. */
  readonly action: string;
  /** The issue that the text names: who doesn't read it, doesn't see the note. */
  readonly referrerId?: number;
}

/** Writes notes of the system, in the transaction of the change that they tell. @returns their ids, in the same order */
export async function writeSystemNotes(
  sql: Sql,
  { projectId, authorId, ...item }: ItemId & { readonly projectId: number; readonly authorId: number },
  notes: readonly SystemNote[],
): Promise<readonly number[]> {
  if (notes.length === 0) return [];
  const written = await sql.rows(insertSystemNotes[kindOf(item)], [
    idOf(item),
    projectId,
    authorId,
    notes.map(({ body }) => body),
    notes.map(({ action }) => action),
    notes.map(({ referrerId }) => referrerId ?? null),
  ]);
  // Ids grow as rows are written.
  return written.map(({ id }) => id).toSorted((one, other) => one - other);
}

/** Two texts, with marks around the words that differ. */
function marked(before: string, after: string): readonly [string, string] {
  const [old, now] = [before.split(/(?<=\s)|(?=\s)/), after.split(/(?<=\s)|(?=\s)/)];
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start++;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const within = (words: readonly string[], sign: '-' | '+') => {
    const changed = words.slice(start, words.length - end).join('');
    const inner = changed === '' ? '' : `{${sign}${changed}${sign}}`;
    return `${words.slice(0, start).join('')}${inner}${words.slice(words.length - end).join('')}`;
  };
  return [within(old, '-'), within(now, '+')];
}

export function titleNote(before: string, after: string): SystemNote {
  const [old, now] = marked(before, after);
  return { body: `changed title from **${old}** to **${now}**`, action: 'title' };
}

const taskLine = /^(\s*(?:>\s*)*(?:[-*+]|\d{1,9}[.)])\s+)\[([ xX])\](\s.*|)$/gm;

/** Notes of a changed description. If only checkboxes differ: one for each of them. */
export function descriptionNotes(before: string | null, after: string | null): SystemNote[] {
  const [old, now] = [before ?? '', after ?? ''];
  const unchecked = (text: string) => text.replaceAll(taskLine, '$1[ ]$3');
  if (unchecked(old) === unchecked(now)) {
    const states = (text: string) =>
      [...text.matchAll(taskLine)].map(([, , box, label]) => ({ box: box !== ' ', label: label!.trim() }));
    const was = states(old);
    const changed = states(now).filter(({ box }, index) => was[index]?.box !== box);
    if (changed.length > 0)
      return changed.map(({ box, label }) => ({
        body: `marked the task **${label}** as ${box ? 'completed' : 'incomplete'}`,
        action: 'task',
      }));
  }
  return [{ body: 'changed the description', action: 'description' }];
}

/** @param before usernames, null for no one */
export function assigneeNote(before: string | null, after: string | null): SystemNote {
  const parts = [after !== null && `assigned to @${after}`, before !== null && `unassigned @${before}`];
  return { body: parts.filter((one) => one !== false).join(' and '), action: 'assignee' };
}

/** @param before usernames, null for no one */
export function reviewerNote(before: string | null, after: string | null): SystemNote {
  const parts = [
    after !== null && `requested review from @${after}`,
    before !== null && `removed review request for @${before}`,
  ];
  return { body: parts.filter((one) => one !== false).join(' and '), action: 'reviewer' };
}

export const targetBranchNote = (before: string, after: string): SystemNote => ({
  body: `changed target branch from \`${before}\` to \`${after}\``,
  action: 'branch',
});

/** A merge request doesn't merge by itself any more. */
export const autoMergeDroppedNote = (
  why:
    | 'source branch was updated'
    | 'target branch was changed'
    | 'merge request was closed'
    | 'merge time was changed',
): SystemNote => ({ body: `aborted the automatic merge because ${why}`, action: 'merge' });

export const draftNote = (draft: boolean): SystemNote => ({
  body: `marked this merge request as **${draft ? 'draft' : 'ready'}**`,
  action: 'title',
});

export const confidentialNote = (confidential: boolean): SystemNote =>
  confidential
    ? { body: 'made the issue confidential', action: 'confidential' }
    : { body: 'made the issue visible to everyone', action: 'visible' };

const longDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** @param day as in `2026-06-28` */
export const dueDateNote = (day: string | null): SystemNote => ({
  body: day === null ? 'removed due date' : `changed due date to ${longDay.format(new Date(`${day}T00:00:00Z`))}`,
  action: 'due_date',
});

export const lockNote = (locked: boolean, subject: 'issue' | 'merge request' = 'issue'): SystemNote =>
  locked
    ? { body: `locked this ${subject}`, action: 'locked' }
    : { body: `unlocked this ${subject}`, action: 'unlocked' };

/** @param seconds zero: removed */
export const estimateNote = (seconds: number, style: DurationStyle): SystemNote => ({
  body: seconds === 0 ? 'removed time estimate' : `changed time estimate to ${humanDuration(seconds, style)}`,
  action: 'time_tracking',
});

export function spentNote(seconds: number, style: DurationStyle, day?: string): SystemNote {
  const time = humanDuration(seconds, style);
  const at = day === undefined ? '' : ` at ${day}`;
  return { body: `${seconds < 0 ? 'subtracted' : 'added'} ${time} of time spent${at}`, action: 'time_tracking' };
}

export const removedSpentNote: SystemNote = { body: 'removed time spent', action: 'time_tracking' };

/** An entry of spent time was removed. @param day when it was spent */
export const deletedTimeNote = (seconds: number, style: DurationStyle, day: string): SystemNote => ({
  body: `deleted ${seconds < 0 ? '-' : ''}${humanDuration(seconds, style)} of spent time from ${day}`,
  action: 'time_tracking',
});

/** @param reference to the other issue, as seen from this one */
export const linkNote = (reference: string, referrerId: number): SystemNote => ({
  body: `marked this issue as related to ${reference}`,
  action: 'relate',
  referrerId,
});
export const unlinkNote = (reference: string, referrerId: number): SystemNote => ({
  body: `removed the relation with ${reference}`,
  action: 'unrelate',
  referrerId,
});

/** @param way `to` in the note on the source, `from` in that on the new issue */
export const moveNote = (
  act: 'moved' | 'cloned',
  way: 'to' | 'from',
  reference: string,
  referrerId: number,
): SystemNote => ({
  body: `${act} ${way} ${reference}`,
  action: act,
  referrerId,
});
