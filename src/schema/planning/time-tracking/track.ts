import type { Context, PrefetchFor } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { BadRequest, InvalidFields } from '../../../errors.ts';
import { adminIssue, updateMergeRequest, writes } from '../../../policy/index.ts';
import { tooLong } from '../../../values/text/lengths.ts';
import { mutation, type InputsOf } from '../../engine/mutation.ts';
import {
  lookUpMergeRequest,
  prefetchNamed as prefetchMergeRequest,
  requireMergeRequestRight,
} from '../../reviews/merge-requests/look-up.ts';
import { mergeRequestPayload } from '../../reviews/merge-requests/changes/payload.ts';
import { requirePerson } from '../issues/changes/input.ts';
import { lookUpIssue, prefetchNamed, requireIssueRight } from '../issues/look-up.ts';
import { issuePayload } from '../issues/changes/payload.ts';
import { idOf, kindOf, type ItemId } from '../notes/item.ts';
import { estimateNote, removedSpentNote, spentNote } from '../notes/system.ts';
import { readDuration, type DurationStyle } from './duration.ts';
import { addSpent, resetSpent, setEstimate } from './statements.ts';

/** Estimated and spent time of issues, for planners and above, and of merge requests, for those who change them. */

const named = (t: InputsOf) => ({
  projectPath: t.id({ required: true, description: 'Full path or id of the project.' }),
  iid: t.string({ required: true }),
});

interface Named {
  readonly projectPath: string;
  readonly iid: string;
}

/** The issue that an input names, for those who track its time. @throws NotFound, Forbidden */
async function issueOf(context: Context, { projectPath: project, iid }: Named): Promise<ItemId> {
  const seen = await lookUpIssue(context, { project, iid });
  requireIssueRight(context, seen, adminIssue);
  return { issueId: seen.issue.id };
}

/** The same for a merge request. @throws NotFound, Forbidden */
async function mergeRequestOf(context: Context, { projectPath: project, iid }: Named): Promise<ItemId> {
  const seen = await lookUpMergeRequest(context, { project, iid });
  requireMergeRequestRight(context, seen, updateMergeRequest);
  return { mergeRequestId: seen.mergeRequest.id };
}

/** Who changes times, and how notes of it write durations. */
export interface Tracker {
  readonly actor: number;
  readonly settings: DurationStyle;
}

/** @throws Unauthenticated */
export const trackerOf = (context: Context): Tracker => ({ actor: requirePerson(context), settings: context.settings });

/** Sets the estimate, with its note. @param seconds zero: none */
export async function estimateTime(sql: Sql, item: ItemId, by: Tracker, seconds: number): Promise<void> {
  const { body } = estimateNote(seconds, by.settings);
  await sql.rows(setEstimate[kindOf(item)], [idOf(item), seconds, by.actor, body]);
}

interface Spent {
  readonly seconds: number;
  readonly summary?: string | null | undefined;
  readonly at?: Date | null | undefined;
  /** As in `2026-06-28`, for the note. */
  readonly day?: string | undefined;
}

/** Longest summary, in characters. */
const longestSummary = 255;

/** @throws InvalidFields */
export function checkSummary(summary: string): void {
  if ([...summary].length > longestSummary) throw new InvalidFields({ summary: [tooLong(longestSummary)] });
}

/** Why the sum can't be what it would become. @param seconds that were to be added */
export const wrongTotal = (seconds: number): string =>
  seconds < 0 ? 'Time to subtract exceeds the total time spent' : 'Total time spent is too long';

/** Adds spent time, or subtracts it, with its note. @returns the entry; undefined if the sum would be negative or too large */
export async function spendTime(sql: Sql, item: ItemId, by: Tracker, spent: Spent): Promise<number | undefined> {
  const { seconds, day, summary, at = day === undefined ? null : new Date(`${day}T00:00:00Z`) } = spent;
  const values = [idOf(item), seconds, by.actor, spentNote(seconds, by.settings, day).body, summary ?? null, at];
  return (await sql.rows(addSpent[kindOf(item)], values))[0]?.id;
}

/** Removes all spent time, with a note. */
export async function removeSpentTime(sql: Sql, item: ItemId, actor: number): Promise<void> {
  await sql.rows(resetSpent[kindOf(item)], [idOf(item), actor, removedSpentNote.body]);
}

/** The time mutations of one kind. @param find what an input names */
function tracking<Payload extends typeof issuePayload | typeof mergeRequestPayload>(
  kind: 'issue' | 'mergeRequest',
  words: string,
  payload: Payload,
  prefetch: PrefetchFor,
  find: (context: Context, input: Named) => Promise<ItemId>,
): void {
  const shared = {
    payload: payload as typeof issuePayload,
    admission: { class: 'token', scopes: writes },
    prefetch,
  } as const;

  mutation(`${kind}SetTimeEstimate`, {
    ...shared,
    description: `Sets the estimated time of ${words}.`,
    input: (t) => ({
      ...named(t),
      duration: t.string({ required: true, description: 'For example `1w 2d 3h`. `0`: none.' }),
    }),
    resolve: async (context, input) => {
      const item = await find(context, input);
      const seconds = readDuration(input.duration);
      if (seconds === undefined || seconds < 0)
        throw new BadRequest('Time estimate must have a valid format and be greater than or equal to zero.');
      await estimateTime(context.database, item, trackerOf(context), seconds);
      return { id: idOf(item) };
    },
  });

  mutation(`${kind}AddSpentTime`, {
    ...shared,
    description: `Adds time that was spent on ${words}.`,
    input: (t) => ({
      ...named(t),
      duration: t.string({ required: true, description: 'For example `3h30m`; with `-`, it is subtracted.' }),
      summary: t.string({ description: 'What was done.' }),
      spentAt: t.field({ type: 'Time', description: 'Omitted: now.' }),
    }),
    resolve: async (context, input) => {
      const item = await find(context, input);
      const seconds = readDuration(input.duration);
      if (!seconds) throw new InvalidFields({ 'timelogs.time_spent': ["can't be blank"] });
      checkSummary(input.summary ?? '');
      const done = await spendTime(context.database, item, trackerOf(context), {
        seconds,
        summary: input.summary,
        at: input.spentAt ?? null,
        day: input.spentAt?.toISOString().slice(0, 10),
      });
      if (done === undefined) throw new InvalidFields({ base: [wrongTotal(seconds)] });
      return { id: idOf(item) };
    },
  });

  mutation(`${kind}ResetSpentTime`, {
    ...shared,
    description: `Removes all time that was spent on ${words}.`,
    input: named,
    resolve: async (context, input) => {
      const item = await find(context, input);
      await removeSpentTime(context.database, item, requirePerson(context));
      return { id: idOf(item) };
    },
  });
}

tracking('issue', 'an issue', issuePayload, prefetchNamed, issueOf);
tracking('mergeRequest', 'a merge request', mergeRequestPayload, prefetchMergeRequest, mergeRequestOf);
