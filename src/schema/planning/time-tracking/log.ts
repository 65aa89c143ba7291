import type { Context } from '../../../context.ts';
import { BadRequest, Forbidden, NotFound } from '../../../errors.ts';
import { adminIssue, adminTimelog, holds, updateMergeRequest, writes, type Facts } from '../../../policy/index.ts';
import { globalId, idScalar, partsOf } from '../../engine/global-id.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { lookUpMergeRequestById, requireMergeRequestRight } from '../../reviews/merge-requests/look-up.ts';
import { requirePerson } from '../issues/changes/input.ts';
import { lookUpIssueById, requireIssueRight } from '../issues/look-up.ts';
import { kindOf, type ItemId } from '../notes/item.ts';
import { deletedTimeNote } from '../notes/system.ts';
import { readDuration } from './duration.ts';
import { deleteTimelog, readTimelogs, type TimelogRecord } from './statements.ts';
import { Timelog } from './timelogs.ts';
import { checkSummary, spendTime, trackerOf, wrongTotal } from './track.ts';

/** Single entries of spent time, by GitLab's mutations. */

const timelogIdOf = idScalar('TimelogID', 'Timelog');

/** What time is spent on, with what decides what the viewer may do there. */
interface Seen {
  readonly item: ItemId;
  readonly facts: Facts;
  readonly isArchived: boolean;
  /** @throws Forbidden unless the viewer tracks time there */
  readonly requireTracking: () => void;
}

/** @throws NotFound */
async function itemById(context: Context, given: string): Promise<Seen> {
  if (partsOf(given).type === 'MergeRequest') {
    const seen = await lookUpMergeRequestById(context, given);
    const requireTracking = () => requireMergeRequestRight(context, seen, updateMergeRequest);
    return { ...seen, item: { mergeRequestId: seen.mergeRequest.id }, requireTracking };
  }
  const seen = await lookUpIssueById(context, given);
  const requireTracking = () => requireIssueRight(context, seen, adminIssue);
  return { ...seen, item: { issueId: seen.issue.id }, requireTracking };
}

const payload = (t: FieldsOf<{ timelog: TimelogRecord }>) => ({
  timelog: t.field({ type: Timelog, resolve: ({ timelog }) => timelog }),
});

mutation('timelogCreate', {
  payload,
  description: 'Adds time that was spent on an issue or a merge request. For those who track its time.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    issuableId: t.field({ type: 'IssuableID', required: true }),
    timeSpent: t.string({ required: true, description: 'For example `1h 30m`; with `-`, it is subtracted.' }),
    spentAt: t.field({ type: 'Time', description: 'Omitted: now.' }),
    summary: t.string({ required: true, description: 'What was done.' }),
  }),
  resolve: async (context, { issuableId, timeSpent, spentAt, summary }) => {
    const { item, requireTracking } = await itemById(context, issuableId);
    requireTracking();
    const seconds = readDuration(timeSpent);
    if (!seconds) throw new BadRequest('Time spent must be formatted correctly. For example: 1h 30m.');
    if (spentAt && spentAt.getTime() > Date.now()) throw new BadRequest("Spent at can't be a future date and time.");
    checkSummary(summary);
    const id = await spendTime(context.database, item, trackerOf(context), {
      seconds,
      summary: summary || null,
      at: spentAt ?? null,
      day: spentAt?.toISOString().slice(0, 10),
    });
    if (id === undefined) throw new BadRequest(wrongTotal(seconds));
    const [timelog] = await context.database.rows(readTimelogs, [[id]]);
    return { timelog: timelog! };
  },
});

mutation('timelogDelete', {
  payload,
  description: 'Removes an entry of spent time. For who made it, and for maintainers.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({ id: t.field({ type: 'TimelogID', required: true }) }),
  resolve: async (context, { id }) => {
    const { database, viewer, settings } = context;
    const [timelog] = await database.rows(readTimelogs, [[timelogIdOf(id)]]);
    if (!timelog) throw new NotFound('Timelog');
    const { issueId, mergeRequestId, userId, seconds, spentAt } = timelog;
    const gid = issueId === null ? globalId('MergeRequest', mergeRequestId!) : globalId('Issue', issueId);
    const { item, facts, isArchived } = await itemById(context, gid);
    const person = requirePerson(context);
    if (isArchived || (userId !== person && !holds(adminTimelog, viewer, facts))) throw new Forbidden();
    const { body } = deletedTimeNote(seconds, settings, spentAt.toISOString().slice(0, 10));
    const [gone] = await database.rows(deleteTimelog[kindOf(item)], [timelog.id, person, body]);
    if (gone) return { timelog };
    // Either a concurrent request removed it, or later entries subtract what it added.
    const [still] = await database.rows(readTimelogs, [[timelog.id]]);
    throw still ? new BadRequest('Time to subtract exceeds the total time spent') : new NotFound('Timelog');
  },
});
