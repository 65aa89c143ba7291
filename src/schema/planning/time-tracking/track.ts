import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { BadRequest, InvalidFields } from '../../../errors.ts';
import { adminIssue, writes } from '../../../policy/index.ts';
import { mutation, type InputsOf } from '../../engine/mutation.ts';
import { requirePerson } from '../issues/input.ts';
import { lookUpIssue, prefetchNamed, requireIssueRight } from '../issues/look-up.ts';
import { issuePayload } from '../issues/payload.ts';
import { estimateNote, spentNote } from '../notes/system.ts';
import { readDuration } from './duration.ts';
import { addSpent, resetSpent, setEstimate } from './statements.ts';

/** Estimated and spent time of an issue. For reporters and above. */

const named = (t: InputsOf) => ({
  projectPath: t.id({ required: true, description: 'Full path or id of the project.' }),
  iid: t.string({ required: true }),
});

/** The issue that an input names, and the person who tracks its time. @throws NotFound, Forbidden */
async function tracked(context: Context, input: { readonly projectPath: string; readonly iid: string }) {
  const seen = await lookUpIssue(context, { project: input.projectPath, iid: input.iid });
  requireIssueRight(context, seen, adminIssue);
  return { id: seen.issue.id, actor: requirePerson(context) };
}

/** Sets the estimate, with its note. @param seconds zero: none */
export async function estimateTime(sql: Sql, issue: number, actor: number, seconds: number): Promise<void> {
  await sql.rows(setEstimate, [issue, seconds, actor, estimateNote(seconds).body]);
}

interface Spent {
  readonly seconds: number;
  readonly summary?: string | null | undefined;
  readonly at?: Date | null | undefined;
  /** As in `2026-06-28`, for the note. */
  readonly day?: string | undefined;
}

/** Adds spent time, or subtracts it, with its note. @returns whether it did: the sum is never negative or too large */
export async function spendTime(sql: Sql, issue: number, actor: number, spent: Spent): Promise<boolean> {
  const { seconds, day, summary, at = day === undefined ? null : new Date(`${day}T00:00:00Z`) } = spent;
  const values = [issue, seconds, actor, spentNote(seconds, day).body, summary ?? null, at];
  return (await sql.rows(addSpent, values)).length > 0;
}

/** Removes all spent time, with a note. */
export async function removeSpentTime(sql: Sql, issue: number, actor: number): Promise<void> {
  await sql.rows(resetSpent, [issue, actor, spentNote(null).body]);
}

const shared = {
  payload: issuePayload,
  admission: { class: 'token', scopes: writes },
  prefetch: prefetchNamed,
} as const;

mutation('issueSetTimeEstimate', {
  ...shared,
  description: 'Sets the estimated time of an issue.',
  input: (t) => ({
    ...named(t),
    duration: t.string({ required: true, description: 'For example `1w 2d 3h`. `0`: none.' }),
  }),
  resolve: async (context, input) => {
    const { id, actor } = await tracked(context, input);
    const seconds = readDuration(input.duration);
    if (seconds === undefined || seconds < 0)
      throw new BadRequest('Time estimate must have a valid format and be greater than or equal to zero.');
    await estimateTime(context.database, id, actor, seconds);
    return { id };
  },
});

mutation('issueAddSpentTime', {
  ...shared,
  description: 'Adds time that was spent on an issue.',
  input: (t) => ({
    ...named(t),
    duration: t.string({ required: true, description: 'For example `3h30m`; with `-`, it is subtracted.' }),
    summary: t.string({ description: 'What was done.' }),
    spentAt: t.field({ type: 'Time', description: 'Omitted: now.' }),
  }),
  resolve: async (context, input) => {
    const { id, actor } = await tracked(context, input);
    const seconds = readDuration(input.duration);
    if (!seconds) throw new InvalidFields({ 'timelogs.time_spent': ["can't be blank"] });
    if ((input.summary?.length ?? 0) > 255)
      throw new InvalidFields({ summary: ['is too long (maximum is 255 characters)'] });
    const done = await spendTime(context.database, id, actor, {
      seconds,
      summary: input.summary,
      at: input.spentAt ?? null,
      day: input.spentAt?.toISOString().slice(0, 10),
    });
    if (!done)
      throw new InvalidFields({
        base: [seconds < 0 ? 'Time to subtract exceeds the total time spent' : 'Total time spent is too long'],
      });
    return { id };
  },
});

mutation('issueResetSpentTime', {
  ...shared,
  description: 'Removes all time that was spent on an issue.',
  input: named,
  resolve: async (context, input) => {
    const { id, actor } = await tracked(context, input);
    await removeSpentTime(context.database, id, actor);
    return { id };
  },
});
