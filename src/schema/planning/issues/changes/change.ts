import type { ItemPart } from '../../../../changes/index.ts';
import type { Context } from '../../../../context.ts';
import type { Sql } from '../../../../database/index.ts';
import { NotFound } from '../../../../errors.ts';
import { record } from '../../../../events/record.ts';
import { labelsAfter, type LabelChange } from '../../labels/choose.ts';
import { publishIssue, publishTodos } from '../../live/publish.ts';
import { labelAndMilestoneEvents, writeResourceEvents, type ResourceEvent } from '../../notes/resource-events.ts';
import {
  assigneeNote,
  confidentialNote,
  descriptionNotes,
  dueDateNote,
  lockNote,
  titleNote,
  writeSystemNotes,
  type SystemNote,
} from '../../notes/system.ts';
import { readTexts } from './input.ts';
import { lockIssue, updateIssue, type LockedIssue } from '../statements/write.ts';

/** A change of an issue. What is undefined stays as it is. */
export interface IssueChange extends LabelChange {
  readonly title?: string | undefined;
  readonly description?: string | null | undefined;
  readonly state?: 'OPENED' | 'CLOSED' | undefined;
  readonly type?: string | undefined;
  readonly severity?: string | undefined;
  readonly assigneeId?: number | null | undefined;
  readonly milestoneId?: number | null | undefined;
  readonly dueDate?: string | null | undefined;
  readonly confidential?: boolean | undefined;
  readonly discussionLocked?: boolean | undefined;
  readonly createdAt?: Date | undefined;
  readonly updatedAt?: Date | undefined;
  /** The merge request that closes it by being merged. */
  readonly closedBy?: number | undefined;
}

/** The issue that is changed. */
export interface Changed {
  readonly id: number;
  readonly projectId: number;
}

/**
 * Changes an issue in one transaction, with its notes, resource events and domain events.
 * @throws NotFound if it was deleted in the meantime
 */
export async function changeIssue(context: Context, actor: number, issue: Changed, change: IssueChange): Promise<void> {
  announce(context, actor, issue, await context.database.transaction((sql) => changeWithin(sql, actor, issue, change)));
}

/** What a change did, for those who watch: which parts of the issue it changed, and who got to-dos. */
export interface Effect {
  readonly parts: readonly ItemPart[];
  readonly todoOwners: readonly number[];
}

/** Publishes a change, after its commit. @param effect undefined if nothing changed */
export function announce(context: Context, actor: number, { id }: Changed, effect: Effect | undefined): void {
  if (!effect) return;
  publishIssue(context, id, effect.parts);
  publishTodos(context, [actor, ...effect.todoOwners], id);
}

/** The same, in the transaction of a larger change: `announce` its effect after the commit. @throws NotFound */
export async function changeWithin(
  sql: Sql,
  actor: number,
  { id, projectId }: Changed,
  change: IssueChange,
): Promise<Effect | undefined> {
  const [before] = await sql.rows(lockIssue, [id]);
  if (!before) throw new NotFound('Issue');
  const labelIds = await labelsAfter(sql, projectId, before.label_ids, change);
  const after = { ...before, ...definedOf(change), label_ids: labelIds };
  // Setting labels again counts as a change, as it does in GitLab.
  if (isSame(before, after) && !change.labels && !change.createdAt && !change.updatedAt) return undefined;
  const { tasks, mentioned, addressed } = readTexts(after.title, after.description);
  const known = new Set(readTexts(before.title, before.description).mentioned);
  const newNames = mentioned.filter((name) => !known.has(name));
  const isFurtherHidden = after.confidential && (!before.confidential || before.assignee_id !== after.assignee_id);
  const [stored] = await sql.rows(updateIssue[newNames.length > 0 || isFurtherHidden ? 'full' : 'plain'], [
    id,
    projectId,
    actor,
    after.title,
    after.description,
    after.type,
    after.severity,
    after.state,
    after.assignee_id,
    after.milestone_id,
    labelIds,
    after.due_date,
    after.confidential,
    after.discussion_locked,
    tasks.count,
    tasks.completed,
    change.createdAt ?? null,
    change.updatedAt ?? null,
    newNames,
    addressed,
    settling.some((key) => String(before[key]) !== String(after[key])) ||
      (before.state === 'OPENED' && after.state === 'CLOSED'),
    before.assignee_id,
    isFurtherHidden,
  ]);
  const { todoOwners, mentioned: newlyMentioned, ...kept } = stored!;
  const now: LockedIssue = { ...after, ...kept };
  await writeSystemNotes(sql, { issueId: id, projectId, authorId: actor }, notesOf(before, now));
  await writeResourceEvents(sql, { issueId: id, userId: actor }, resourceEventsOf(before, now));
  const what = { actorId: actor, projectId, subjectId: id };
  if (before.state !== now.state && now.state === 'CLOSED')
    await record(sql, 'issue.closed', {
      ...what,
      changed: change.closedBy === undefined ? {} : { mergeRequestId: change.closedBy },
    });
  else if (before.state !== now.state) await record(sql, 'issue.reopened', what);
  if (!isSame({ ...before, state: now.state }, now))
    await record(sql, 'issue.updated', { ...what, changed: changedIds(before, now, newlyMentioned) });
  const parts = (Object.keys(partOf) as (keyof typeof partOf)[]).filter(
    (key) => String(before[key]) !== String(now[key]),
  );
  return { parts: parts.map((key) => partOf[key]), todoOwners };
}

/** The parts of an issue that are watched one by one, by their columns. */
const partOf = {
  title: 'TITLE',
  description: 'DESCRIPTION',
  assignee_id: 'ASSIGNEES',
  label_ids: 'LABELS',
  milestone_id: 'MILESTONE',
  due_date: 'DATES',
} as const satisfies { readonly [Key in keyof LockedIssue]?: ItemPart };

/** The ids that a change is about, for its domain event. */
function changedIds(before: LockedIssue, after: LockedIssue, mentionedIds: readonly number[]) {
  const addedLabelIds = after.label_ids.filter((id) => !before.label_ids.includes(id));
  return {
    ...(before.assignee_id !== after.assignee_id && {
      formerAssigneeId: before.assignee_id,
      assigneeId: after.assignee_id,
    }),
    ...(before.milestone_id !== after.milestone_id && { milestoneId: after.milestone_id }),
    ...(addedLabelIds.length > 0 && { addedLabelIds }),
    ...(mentionedIds.length > 0 && { mentionedIds }),
  };
}

/** A person who changes one of these has dealt with the issue: their to-dos about it are done. */
const settling = ['title', 'description', 'assignee_id', 'milestone_id', 'label_ids'] as const;

/** The fields of the row that a change sets. */
function definedOf(change: IssueChange): Partial<LockedIssue> {
  const fields = {
    title: change.title,
    description: change.description,
    state: change.state,
    type: change.type,
    severity: change.severity,
    assignee_id: change.assigneeId,
    milestone_id: change.milestoneId,
    due_date: change.dueDate,
    confidential: change.confidential,
    discussion_locked: change.discussionLocked,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** A value as a text that only equal values have: that of a moment leaves milliseconds out by default. */
const textOf = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value));

/** Whether two states of a row have the same values. */
export const isSame = <Row extends object>(before: Row, after: Row): boolean =>
  (Object.keys(before) as (keyof Row)[]).every((key) => textOf(before[key]) === textOf(after[key]));

function notesOf(before: LockedIssue, after: LockedIssue): SystemNote[] {
  const notes: SystemNote[] = [];
  if (before.title !== after.title) notes.push(titleNote(before.title, after.title));
  if (before.description !== after.description) notes.push(...descriptionNotes(before.description, after.description));
  if (before.assignee_id !== after.assignee_id) notes.push(assigneeNote(before.assignee, after.assignee));
  if (before.due_date !== after.due_date) notes.push(dueDateNote(after.due_date));
  if (before.confidential !== after.confidential) notes.push(confidentialNote(after.confidential));
  if ((before.discussion_locked ?? false) !== (after.discussion_locked ?? false))
    notes.push(lockNote(after.discussion_locked ?? false));
  return notes;
}

function resourceEventsOf(before: LockedIssue, after: LockedIssue): ResourceEvent[] {
  const events = labelAndMilestoneEvents(before, after);
  if (before.state !== after.state)
    events.push({ kind: 'STATE', action: after.state === 'CLOSED' ? 'CLOSED' : 'REOPENED' });
  return events;
}
