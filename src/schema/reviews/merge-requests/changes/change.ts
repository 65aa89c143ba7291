import type { ItemPart } from '../../../../changes/index.ts';
import type { Context } from '../../../../context.ts';
import type { Sql } from '../../../../database/index.ts';
import { AlreadyOpen, NotFound, PlainUnprocessable } from '../../../../errors.ts';
import { record } from '../../../../events/record.ts';
import { isDraft, withDraft } from '../../../../values/text/draft-title.ts';
import { isSame } from '../../../planning/issues/changes/change.ts';
import { readTexts } from '../../../planning/issues/changes/input.ts';
import { labelsAfter, type LabelChange } from '../../../planning/labels/choose.ts';
import { labelAndMilestoneEvents, writeResourceEvents } from '../../../planning/notes/resource-events.ts';
import {
  assigneeNote,
  autoMergeDroppedNote,
  descriptionNotes,
  draftNote,
  lockNote,
  reviewerNote,
  targetBranchNote,
  titleNote,
  writeSystemNotes,
  type SystemNote,
} from '../../../planning/notes/system.ts';
import { mergeWhenDue } from '../../merging/when-due.ts';
import { sameBranch } from './input.ts';
import { findOpen } from '../statements/create.ts';
import type { MergeRequestRecord } from '../statements/reading.ts';
import { lockMergeRequest, updateMergeRequest, type LockedMergeRequest } from '../statements/write.ts';

/** A change of a merge request. What is undefined stays as it is. */
export interface MergeRequestChange extends LabelChange {
  readonly title?: string | undefined;
  readonly description?: string | null | undefined;
  /** What the title is to say. */
  readonly draft?: boolean | undefined;
  readonly state?: 'OPENED' | 'CLOSED' | undefined;
  readonly targetBranch?: string | undefined;
  readonly assigneeId?: number | null | undefined;
  readonly reviewerId?: number | null | undefined;
  readonly milestoneId?: number | null | undefined;
  readonly discussionLocked?: boolean | undefined;
  readonly squash?: boolean | undefined;
  readonly removesSource?: boolean | undefined;
  readonly allowsCollaboration?: boolean | undefined;
  readonly mergeAfter?: Date | null | undefined;
  /** Whether the actor may merge it. If not, another `mergeAfter` ends an automatic merge, which someone set who may. */
  readonly mayMerge?: boolean | undefined;
}

/** The merge request that is changed. */
export interface Changed {
  readonly id: number;
  readonly projectId: number;
}

/** What a change did: who got to-dos, which parts differ, and whether its branches, or its description, are new to it. */
export interface Effect {
  readonly todoOwners: readonly number[];
  readonly parts: readonly ItemPart[];
  readonly isNew: boolean;
  readonly isDescribed: boolean;
}

/**
 * Changes a merge request, with its notes, resource events and domain events. `follow` comes after the commit. One that was
 * merged is neither closed nor reopened.
 * @param actor null if no one is known: then the notes are its author's
 * @throws NotFound if it was deleted in the meantime, AlreadyOpen if another one of its branches is open,
 *   PlainUnprocessable for its source as its target
 */
export async function changeWithin(
  sql: Sql,
  actor: number | null,
  { id, projectId }: Changed,
  change: MergeRequestChange,
): Promise<Effect | undefined> {
  const [before] = await sql.rows(lockMergeRequest, [id]);
  if (!before) throw new NotFound('MergeRequest');
  const labelIds = await labelsAfter(sql, projectId, before.label_ids, change);
  const after: LockedMergeRequest = { ...before, ...definedOf(before, change), label_ids: labelIds };
  // Setting labels again counts as a change, as it does in GitLab.
  if (isSame(before, after) && !change.labels) return undefined;
  const isMoved = before.target_branch !== after.target_branch;
  if (isMoved && before.source_project_id === projectId && before.source_branch === after.target_branch)
    throw new PlainUnprocessable([sameBranch]);
  if (after.state === 'OPENED' && (isMoved || before.state !== 'OPENED')) await refuseSecond(sql, id, projectId, after);
  const ended = endOfAutoMerge(before, after, change.mayMerge);
  const { tasks, mentioned, addressed } = readTexts(after.title, after.description);
  const known = new Set(readTexts(before.title, before.description).mentioned);
  const newNames = mentioned.filter((name) => !known.has(name));
  const [stored] = await sql.rows(updateMergeRequest[newNames.length > 0 ? 'full' : 'plain'], [
    id,
    projectId,
    actor,
    after.title,
    after.description,
    isDraft(after.title),
    after.state,
    after.target_branch,
    after.assignee_id,
    after.reviewer_id,
    after.milestone_id,
    labelIds,
    after.discussion_locked,
    after.squash,
    after.force_remove_source,
    after.allow_collaboration,
    tasks.count,
    tasks.completed,
    newNames,
    addressed,
    settling.some((key) => String(before[key]) !== String(after[key])) ||
      (before.state === 'OPENED' && after.state === 'CLOSED'),
    before.assignee_id,
    before.reviewer_id,
    after.merge_after,
    ended !== undefined,
  ]);
  const { todoOwners, mentioned: newlyMentioned, ...kept } = stored!;
  const now: LockedMergeRequest = { ...after, ...kept };
  await recordChange(sql, actor, { id, projectId }, before, now, { mentionedIds: newlyMentioned, ended });
  // It may have waited for this alone: another moment, also an earlier one and none, or that it is no draft any more.
  const isReady = isDraft(before.title) && !isDraft(now.title);
  if (before.auto_merge && !ended && (isReady || hasOtherMoment(before, now)))
    await mergeWhenDue(sql, id, now.merge_after);
  const isNew = now.state === 'OPENED' && (isMoved || before.state !== 'OPENED');
  const parts = (Object.keys(partsOf) as (keyof typeof partsOf)[]).filter(
    (key) => String(before[key]) !== String(now[key]),
  );
  return {
    todoOwners,
    parts: parts.map((key) => partsOf[key]),
    isNew,
    isDescribed: before.description !== now.description,
  };
}

/** What those who watch call the parts. */
const partsOf = {
  title: 'TITLE',
  description: 'DESCRIPTION',
  assignee_id: 'ASSIGNEES',
  reviewer_id: 'REVIEWERS',
  label_ids: 'LABELS',
  milestone_id: 'MILESTONE',
} as const satisfies { readonly [Key in keyof LockedMergeRequest]?: ItemPart };

/** Whether the moment before which it isn’t merged was changed or removed. */
const hasOtherMoment = (before: LockedMergeRequest, after: LockedMergeRequest): boolean =>
  before.merge_after?.getTime() !== after.merge_after?.getTime();

/** Why its automatic merge ends; undefined if that goes on, or there was none. */
function endOfAutoMerge(before: LockedMergeRequest, after: LockedMergeRequest, mayMerge = false) {
  if (!before.auto_merge) return undefined;
  if (before.target_branch !== after.target_branch) return 'target branch was changed';
  if (after.state === 'CLOSED') return 'merge request was closed';
  return hasOtherMoment(before, after) && !mayMerge ? 'merge time was changed' : undefined;
}

/** What happened because of a change. */
interface Following {
  readonly mentionedIds: readonly number[];
  /** Why its automatic merge ends. */
  readonly ended: ReturnType<typeof endOfAutoMerge>;
}

/** Writes what a change leaves behind: notes, resource events, domain events. */
async function recordChange(
  sql: Sql,
  actor: number | null,
  { id, projectId }: Changed,
  before: LockedMergeRequest,
  now: LockedMergeRequest,
  { mentionedIds, ended }: Following,
): Promise<void> {
  const author = actor ?? before.author_id;
  await writeSystemNotes(sql, { mergeRequestId: id, projectId, authorId: author }, notesOf(before, now, ended));
  const isClosed = now.state === 'CLOSED';
  const events = labelAndMilestoneEvents(before, now);
  if (before.state !== now.state) events.push({ kind: 'STATE', action: isClosed ? 'CLOSED' : 'REOPENED' });
  await writeResourceEvents(sql, { mergeRequestId: id, userId: author }, events);
  const what = { actorId: actor, projectId, subjectId: id };
  if (before.state !== now.state) await record(sql, isClosed ? 'merge_request.closed' : 'merge_request.reopened', what);
  const draft = isDraft(now.title);
  if (isDraft(before.title) !== draft)
    await record(sql, draft ? 'merge_request.drafted' : 'merge_request.readied', what);
  if (isSame({ ...before, state: now.state }, now)) return;
  const addedLabelIds = now.label_ids.filter((one) => !before.label_ids.includes(one));
  await record(sql, 'merge_request.updated', {
    ...what,
    changed: {
      ...(before.assignee_id !== now.assignee_id && {
        formerAssigneeId: before.assignee_id,
        assigneeId: now.assignee_id,
      }),
      ...(before.reviewer_id !== now.reviewer_id && {
        formerReviewerId: before.reviewer_id,
        reviewerId: now.reviewer_id,
      }),
      ...(before.milestone_id !== now.milestone_id && { milestoneId: now.milestone_id }),
      ...(addedLabelIds.length > 0 && { addedLabelIds }),
      ...(mentionedIds.length > 0 && { mentionedIds }),
    },
  });
}

/** Whether another merge request of the same branches is open. */
export async function isAnotherOpen(
  { database }: Pick<Context, 'database'>,
  one: Pick<MergeRequestRecord, 'id' | 'sourceProjectId' | 'sourceBranch' | 'projectId' | 'targetBranch'>,
): Promise<boolean> {
  const { id, sourceProjectId, sourceBranch, projectId, targetBranch } = one;
  const [open] = await database.rows(findOpen, [sourceProjectId, sourceBranch, projectId, targetBranch]);
  return open !== undefined && open.id !== id;
}

/** @throws AlreadyOpen */
async function refuseSecond(sql: Sql, id: number, projectId: number, after: LockedMergeRequest): Promise<void> {
  const { source_project_id: source, source_branch: branch, target_branch: target } = after;
  const [open] = await sql.rows(findOpen, [source, branch, projectId, target]);
  if (open && open.id !== id) throw new AlreadyOpen(open.iid);
}

/** A person who changes one of these has dealt with the merge request: their to-dos about it are done. */
const settling = ['title', 'description', 'assignee_id', 'reviewer_id', 'milestone_id', 'label_ids'] as const;

/** The state after a change: only what is open is closed, and only what is closed is reopened. */
const stateAfter = (before: LockedMergeRequest['state'], asked: MergeRequestChange['state']) =>
  (asked === 'CLOSED' && before === 'OPENED') || (asked === 'OPENED' && before === 'CLOSED') ? asked : before;

/** The fields of the row that a change sets. */
function definedOf(before: LockedMergeRequest, change: MergeRequestChange): Partial<LockedMergeRequest> {
  const title = change.title ?? before.title;
  const fields: { readonly [Key in keyof LockedMergeRequest]?: LockedMergeRequest[Key] | undefined } = {
    title: change.draft === undefined ? title : withDraft(title, change.draft),
    description: change.description,
    state: stateAfter(before.state, change.state),
    // A merged one keeps the target that it was merged into.
    target_branch: before.state === 'MERGED' ? undefined : change.targetBranch,
    assignee_id: change.assigneeId,
    reviewer_id: change.reviewerId,
    milestone_id: change.milestoneId,
    discussion_locked: change.discussionLocked,
    squash: change.squash,
    force_remove_source: change.removesSource,
    allow_collaboration: change.allowsCollaboration,
    merge_after: change.mergeAfter,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function notesOf(before: LockedMergeRequest, after: LockedMergeRequest, ended: Following['ended']): SystemNote[] {
  const notes: SystemNote[] = [];
  const [wasDraft, draft] = [isDraft(before.title), isDraft(after.title)];
  if (wasDraft !== draft) notes.push(draftNote(draft));
  // A title that only says something else of that isn't another title.
  if (before.title !== after.title && withDraft(before.title, false) !== withDraft(after.title, false))
    notes.push(titleNote(before.title, after.title));
  if (before.description !== after.description) notes.push(...descriptionNotes(before.description, after.description));
  if (before.target_branch !== after.target_branch)
    notes.push(targetBranchNote(before.target_branch, after.target_branch));
  if (ended) notes.push(autoMergeDroppedNote(ended));
  if (before.assignee_id !== after.assignee_id) notes.push(assigneeNote(before.assignee, after.assignee));
  if (before.reviewer_id !== after.reviewer_id) notes.push(reviewerNote(before.reviewer, after.reviewer));
  if ((before.discussion_locked ?? false) !== (after.discussion_locked ?? false))
    notes.push(lockNote(after.discussion_locked ?? false, 'merge request'));
  return notes;
}
