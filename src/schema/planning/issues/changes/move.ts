import type { Context } from '../../../../context.ts';
import type { Sql } from '../../../../database/index.ts';
import { NotFound, PlainBadRequest } from '../../../../errors.ts';
import { record } from '../../../../events/record.ts';
import { readMarkdown } from '../../../../markdown/markdown.ts';
import { adminIssue, mayChange, writes } from '../../../../policy/index.ts';
import { longestDescription, longestNote } from '../../../../values/text/lengths.ts';
import { mutation } from '../../../engine/mutation.ts';
import { facts, lookUp } from '../../../places/place/look-up.ts';
import { publishIssue, publishTodos } from '../../live/publish.ts';
import { moveNote, writeSystemNotes } from '../../notes/system.ts';
import { writeResourceEvents } from '../../notes/resource-events.ts';
import { creationOf, requirePerson } from './input.ts';
import { lookUpIssue, mayOnIssue, prefetchNamed, type SeenIssue } from '../look-up.ts';
import { issuePayload } from './payload.ts';
import { copyBelongings, findReferringNotes, lockCopied, markMoved, storeBodies } from '../statements/move.ts';
import { findProjectOfIssues } from '../statements/reading.ts';

/** Moving and cloning: a new issue is made in another project, with what belongs to it. */

export interface Target {
  readonly id: number;
  readonly full_path: string;
}

const numbered = new Set(['issue', 'mergeRequest']);

/** References of a text to issues and merge requests of its own project, as they are read elsewhere. */
function rewritten(text: string, path: string, longest: number): string {
  const own = new Set(
    readMarkdown(text)
      .references.filter(({ kind, project }) => numbered.has(kind) && project === null)
      .map((reference) => reference.text),
  );
  if (own.size === 0) return text;
  const changed = text.replaceAll(/(?<![\w/&#!.-])[#!]\d{1,10}(?!\w)/g, (one) =>
    own.has(one) ? `${path}${one}` : one,
  );
  return changed.length > longest ? text : changed;
}

/** The same in the notes of a copy. */
async function rewriteNotes(sql: Sql, copied: number, path: string): Promise<void> {
  const notes = await sql.rows(findReferringNotes, [copied]);
  const changed = notes
    .map(({ id, body }) => ({ id, before: body, body: rewritten(body, path, longestNote) }))
    .filter(({ before, body }) => body !== before);
  if (changed.length > 0) await sql.rows(storeBodies, [changed.map(({ id }) => id), changed.map(({ body }) => body)]);
}

/** A copy of an issue that was made, and the people who got to-dos with it. */
export interface Copied {
  readonly id: number;
  readonly todoOwners: readonly number[];
}

interface Copy {
  readonly act: 'moved' | 'cloned';
  readonly withNotes: boolean;
}

/** Makes the copy of an issue. */
async function copy(
  sql: Sql,
  actor: number,
  { issue }: SeenIssue,
  target: Target,
  { act, withNotes }: Copy,
): Promise<Copied & { readonly wasOpen: boolean }> {
  const [source] = await sql.rows(lockCopied, [issue.id, target.id]);
  // Two moves of the same issue at once: the second one comes too late.
  if (!source || (act === 'moved' && source.moved_to_id !== null)) throw new NotFound('Issue');
  const isElsewhere = target.id !== issue.projectId;
  const { statement, values } = creationOf(
    target.id,
    act === 'moved' ? source.author_id : actor,
    {
      title: source.title,
      description:
        isElsewhere && source.description !== null
          ? rewritten(source.description, issue.projectPath, longestDescription)
          : source.description,
      type: source.type,
      severity: source.severity,
      confidential: source.confidential,
      discussionLocked: source.discussion_locked,
      dueDate: source.due_date,
      milestoneId: source.milestone_id,
      assigneeId: source.assignee_id,
      labels: source.labels,
      createdAt: act === 'moved' ? source.created_at : undefined,
    },
    actor,
  );
  const [made] = await sql.rows(statement, values);
  if (!made) throw new NotFound('Project');
  await sql.rows(copyBelongings, [issue.id, made.id, target.id, withNotes, act === 'moved']);
  if (withNotes && isElsewhere) await rewriteNotes(sql, made.id, issue.projectPath);
  const to = `${target.full_path}#${made.iid}`;
  const from = `${issue.projectPath}#${issue.iid}`;
  const { id: issueId, projectId } = issue;
  await writeSystemNotes(sql, { issueId, projectId, authorId: actor }, [moveNote(act, 'to', to, made.id)]);
  await writeSystemNotes(sql, { issueId: made.id, projectId: target.id, authorId: actor }, [
    moveNote(act, 'from', from, issueId),
  ]);
  return { ...made, wasOpen: source.state === 'OPENED' };
}

/** Moves an issue, in the transaction of a larger change. @throws NotFound */
export async function moveWithin(sql: Sql, actor: number, seen: SeenIssue, target: Target): Promise<Copied> {
  const { id: issueId, projectId } = seen.issue;
  const made = await copy(sql, actor, seen, target, { act: 'moved', withNotes: true });
  await sql.rows(markMoved, [issueId, made.id, actor]);
  if (made.wasOpen) await writeResourceEvents(sql, { issueId, userId: actor }, [{ kind: 'STATE', action: 'CLOSED' }]);
  await record(sql, 'issue.moved', { actorId: actor, projectId, subjectId: issueId, ids: { targetId: made.id } });
  return made;
}

/** Clones an issue, in the transaction of a larger change. @throws NotFound */
export async function cloneWithin(
  sql: Sql,
  actor: number,
  seen: SeenIssue,
  target: Target,
  withNotes: boolean,
): Promise<Copied> {
  const { id: subjectId, projectId } = seen.issue;
  const made = await copy(sql, actor, seen, target, { act: 'cloned', withNotes });
  await record(sql, 'issue.cloned', { actorId: actor, projectId, subjectId, ids: { targetId: made.id } });
  return made;
}

/** The project where an issue goes to. @throws NotFound, PlainBadRequest with this text if the viewer lacks a right */
export async function targetOf(context: Context, seen: SeenIssue, given: string, refusal: string): Promise<Target> {
  const target = await lookUp(context, findProjectOfIssues, 'Project', given);
  const mayThere = mayChange(adminIssue, context.viewer, facts(target), target.archived);
  if (seen.isArchived || !mayOnIssue(context, seen, adminIssue) || !mayThere) throw new PlainBadRequest(refusal);
  return target;
}

mutation('issueMove', {
  payload: issuePayload,
  description: 'Moves an issue to another project: closes it, and creates a copy there. For planners of both.',
  admission: { class: 'token', scopes: writes },
  prefetch: prefetchNamed,
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path or id of the project.' }),
    iid: t.string({ required: true }),
    targetProjectPath: t.id({ required: true, description: 'Full path or id of the other project.' }),
  }),
  resolve: async (context, { projectPath: project, iid, targetProjectPath }) => {
    const seen = await lookUpIssue(context, { project, iid });
    const target = await targetOf(
      context,
      seen,
      targetProjectPath,
      'Cannot move issue due to insufficient permissions!',
    );
    const { id: issueId, projectId } = seen.issue;
    if (target.id === projectId) throw new PlainBadRequest('Cannot move issue to project it originates from!');
    if (seen.issue.movedToId !== null) throw new PlainBadRequest('Cannot move issue due to insufficient permissions!');
    const actor = requirePerson(context);
    const { id, todoOwners } = await context.database.transaction((sql) => moveWithin(sql, actor, seen, target));
    publishIssue(context, issueId);
    publishTodos(context, todoOwners, id);
    return { id };
  },
});

mutation('issueClone', {
  payload: issuePayload,
  description: 'Copies an issue to a project, which may be its own. For planners of both.',
  admission: { class: 'token', scopes: writes },
  prefetch: prefetchNamed,
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path or id of the project.' }),
    iid: t.string({ required: true }),
    targetProjectPath: t.id({ required: true, description: 'Full path or id of the project of the copy.' }),
    withNotes: t.boolean({ defaultValue: false, description: 'Whether to copy comments.' }),
  }),
  resolve: async (context, { projectPath: project, iid, targetProjectPath, withNotes }) => {
    const seen = await lookUpIssue(context, { project, iid });
    const target = await targetOf(
      context,
      seen,
      targetProjectPath,
      'Cannot clone issue due to insufficient permissions!',
    );
    const actor = requirePerson(context);
    const { id, todoOwners } = await context.database.transaction((sql) =>
      cloneWithin(sql, actor, seen, target, withNotes ?? false),
    );
    publishIssue(context, seen.issue.id);
    publishTodos(context, todoOwners, id);
    return { id };
  },
});
