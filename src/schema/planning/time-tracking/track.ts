import type { Context } from '../../../context.ts';
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
    await context.database.rows(setEstimate, [id, seconds, actor, estimateNote(seconds).body]);
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
    const { body } = spentNote(seconds, input.spentAt?.toISOString().slice(0, 10));
    const values = [id, seconds, actor, body, input.summary ?? null, input.spentAt ?? null];
    const [done] = await context.database.rows(addSpent, values);
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
    await context.database.rows(resetSpent, [id, actor, spentNote(null).body]);
    return { id };
  },
});
