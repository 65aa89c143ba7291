import { causes, type CauseName, type Reason, type SubjectKind, type Via } from './causes.ts';

/**
 * Someone who may be notified, before anything is known of their settings. One person may be several. With `SUBSCRIPTION`, they
 * are one only if they subscribed to the subject or to one of its labels.
 */
interface Candidate {
  readonly userId: number;
  readonly via: Via;
  readonly reason: Reason | null;
}

/** Something that people may be notified of. */
export interface Occurrence {
  readonly cause: CauseName;
  /** Names it: a person is notified of it once. */
  readonly name: string;
  /** Where it happened: a project, or, for epics, a group. */
  readonly projectId: number | null;
  readonly groupId: number | null;
  /** What it is about: the issue or the snippet that was commented, for notes. Of a commit, the id is that of the comment. */
  readonly subject: { readonly kind: SubjectKind; readonly id: number };
  /** The person who did it, for the sender of the message. */
  readonly actorId: number | null;
  /** The person whose own activity it is; null if it is no one's. */
  readonly ownId: number | null;
  /** People whom it concerns by name, besides those who take part, watch and subscribed. */
  readonly candidates: readonly Candidate[];
  /** Labels whose subscribers are notified. */
  readonly labelIds: readonly number[];
  readonly noteId: number | null;
  /** Only for those who read internal notes. */
  readonly internal: boolean;
  /** Only for people of this time zone. */
  readonly zone: string | null;
  /** Further ids that the message needs. */
  readonly ids: HappenedHere['ids'];
}

/** A domain event in a project or a group, with what is needed of its subject now. */
export interface HappenedHere {
  readonly id: string;
  readonly kind: string;
  readonly actorId: number | null;
  readonly projectId: number | null;
  readonly groupId?: number | null;
  readonly subjectId: number;
  /** Single ids and lists of ids, by the names that the kind declares. */
  readonly ids: Readonly<Record<string, number | readonly number[] | null>>;
  /** Of an issue or a merge request: its author, assignee, reviewer and labels. Of a pipeline: who started it. */
  readonly authorId?: number | null;
  readonly assigneeId?: number | null;
  readonly reviewerId?: number | null;
  readonly labelIds?: readonly number[] | null;
  /** Of a note. */
  readonly internal?: boolean | null;
  /** Whether the person who did it has addresses, and none is confirmed. */
  readonly unconfirmed?: boolean;
}

const single = (value: number | readonly number[] | null | undefined): number | null =>
  typeof value === 'number' ? value : null;
const several = (value: number | readonly number[] | null | undefined): readonly number[] =>
  typeof value === 'object' && value !== null ? value : [];
const mentions = (ids: HappenedHere['ids']): Candidate[] =>
  several(ids.mentionedIds).map((userId) => ({ userId, via: 'MENTION', reason: 'MENTIONED' }));

/** The kind of subject of a cause; that of a note is what was commented. */
const kindOf = (cause: CauseName) => {
  const { about } = causes[cause];
  return about === 'Note' ? 'Issue' : about;
};

/** The causes of the ends of pipelines. */
const endOf = {
  'pipeline.failed': 'FAILED_PIPELINE',
  'pipeline.fixed': 'FIXED_PIPELINE',
  'pipeline.succeeded': 'SUCCESS_PIPELINE',
} as const;

/** What was commented. */
function commented(ids: HappenedHere['ids']): Occurrence['subject'] {
  const [issueId, mergeRequestId] = [single(ids.issueId), single(ids.mergeRequestId)];
  if (issueId !== null) return { kind: 'Issue', id: issueId };
  if (mergeRequestId !== null) return { kind: 'MergeRequest', id: mergeRequestId };
  return { kind: 'Snippet', id: single(ids.snippetId)! };
}

const taking = (userId: number, reason: Reason | null): Candidate => ({ userId, via: 'PARTICIPANT', reason });

/** What people are notified of a domain event: nothing, one thing, or, for a change of several things, several. */
export const occurrencesOf = (event: HappenedHere): Occurrence[] =>
  allOf(event).filter(({ cause }) => !event.unconfirmed || !causes[cause].confirmed);

function allOf(event: HappenedHere): Occurrence[] {
  const { id, actorId, projectId, groupId = null, subjectId, ids } = event;
  const of = (cause: CauseName, more: Partial<Occurrence> = {}): Occurrence => ({
    cause,
    name: `event ${id} ${cause}`,
    projectId,
    groupId,
    subject: { kind: kindOf(cause), id: subjectId },
    actorId,
    ownId: actorId,
    candidates: [],
    labelIds: [],
    noteId: null,
    internal: false,
    zone: null,
    ids: {},
    ...more,
  });
  switch (event.kind) {
    case 'note.created': {
      const subject = commented(ids);
      const internal = event.internal ?? false;
      return [of('NEW_NOTE', { subject, noteId: subjectId, internal, candidates: mentions(ids) })];
    }
    case 'commit.commented': {
      const authors = several(ids.authorIds).map((userId) => taking(userId, null));
      const subject = { kind: 'Commit', id: subjectId } as const;
      return [of('NEW_NOTE', { subject, candidates: [...mentions(ids), ...authors] })];
    }
    case 'merge_request.reviewed': {
      const subject = { kind: 'MergeRequest', id: subjectId } as const;
      return [of('NEW_NOTE', { subject, candidates: mentions(ids), ids: { noteIds: several(ids.noteIds) } })];
    }
    case 'issue.created': {
      const { authorId = null, assigneeId, labelIds } = event;
      const assigned = assigneeId == null ? [] : [taking(assigneeId, 'ASSIGNED')];
      return [
        of('NEW_ISSUE', { ownId: authorId, candidates: [...mentions(ids), ...assigned], labelIds: labelIds ?? [] }),
      ];
    }
    case 'merge_request.created': {
      const { authorId = null, assigneeId, reviewerId, labelIds } = event;
      const asked = [
        ...mentions(ids),
        ...(assigneeId == null ? [] : [taking(assigneeId, 'ASSIGNED')]),
        ...(reviewerId == null ? [] : [taking(reviewerId, 'REVIEW_REQUESTED')]),
      ];
      return [of('NEW_MERGE_REQUEST', { ownId: authorId, candidates: asked, labelIds: labelIds ?? [] })];
    }
    case 'merge_request.pushed':
      return [of('PUSH_TO_MERGE_REQUEST', { ids: { commitsNoteId: single(ids.noteId) } })];
    case 'merge_request.closed':
      return [of('CLOSE_MERGE_REQUEST')];
    case 'merge_request.reopened':
      return [of('REOPEN_MERGE_REQUEST')];
    case 'merge_request.merged':
      // Who had it merge by itself learns that it was.
      return [of('MERGE_MERGE_REQUEST', { ownId: 'waitedForId' in ids ? null : actorId })];
    case 'merge_request.drafted':
      return [of('DRAFTED')];
    case 'merge_request.readied':
      return [of('READIED')];
    case 'merge_request.resolved':
      return [of('THREADS_RESOLVED')];
    case 'merge_request.unmergeable': {
      // Its author and the person who has it merge by itself, and no one did it.
      const whom = new Set([event.authorId ?? null, single(ids.waitedForId)]);
      const candidates = [...whom].filter((one) => one !== null).map((userId) => taking(userId, null));
      return [of('UNMERGEABLE', { actorId: null, ownId: null, candidates })];
    }
    case 'merge_request.approved':
      return [of('APPROVED')];
    case 'merge_request.unapproved':
      return [of('UNAPPROVED')];
    case 'merge_request.updated':
      return changes(event, of);
    case 'epic.created':
      return [of('NEW_EPIC', { candidates: mentions(ids) })];
    case 'issue.closed':
      return [
        of('CLOSE_ISSUE', 'mergeRequestId' in ids ? { ids: { mergeRequestId: single(ids.mergeRequestId) } } : {}),
      ];
    case 'issue.reopened':
      return [of('REOPEN_ISSUE')];
    case 'issue.updated':
      return changes(event, of);
    case 'issue.moved':
      return [of('ISSUE_MOVED', { ids: { targetId: single(ids.targetId) } })];
    case 'issue.cloned':
      return [of('ISSUE_CLONED', { ids: { targetId: single(ids.targetId) } })];
    case 'pipeline.failed':
    case 'pipeline.fixed':
    case 'pipeline.succeeded': {
      // Its own person only, and no one did it.
      const { authorId = null } = event;
      const candidates: Candidate[] = authorId === null ? [] : [{ userId: authorId, via: 'SETTING', reason: null }];
      return [of(endOf[event.kind], { actorId: null, ownId: null, candidates })];
    }
    case 'project.renamed':
    case 'project.transferred':
      return [of('MOVED_PROJECT', { ownId: null })];
    default:
      return [];
  }
}

/** Each change of an issue or a merge request that someone is notified of. */
function changes(
  { kind, subjectId, ids, assigneeId }: HappenedHere,
  make: (cause: CauseName, more?: Partial<Occurrence>) => Occurrence,
): Occurrence[] {
  const isIssue = kind === 'issue.updated';
  const subject = { kind: isIssue ? 'Issue' : 'MergeRequest', id: subjectId } as const;
  const of = (cause: CauseName, more: Partial<Occurrence>) => make(cause, { subject, ...more });
  const found: Occurrence[] = [];
  if ('assigneeId' in ids) {
    const [former, now] = [single(ids.formerAssigneeId), single(ids.assigneeId)];
    const more = { candidates: handed(former, now, 'ASSIGNED'), ids: { formerAssigneeId: former, assigneeId: now } };
    found.push(of(isIssue ? 'REASSIGN_ISSUE' : 'REASSIGN_MERGE_REQUEST', more));
  }
  if ('reviewerId' in ids) {
    const [former, now] = [single(ids.formerReviewerId), single(ids.reviewerId)];
    const candidates = handed(former, now, 'REVIEW_REQUESTED');
    // A message names them as it names assignees.
    found.push(of('REVIEWER_CHANGED', { candidates, ids: { formerAssigneeId: former, assigneeId: now } }));
  }
  if ('milestoneId' in ids) found.push(of('MILESTONE_CHANGED', { ids: { milestoneId: single(ids.milestoneId) } }));
  const labelIds = several(ids.addedLabelIds);
  if (labelIds.length > 0) found.push(of('RELABELLED', { labelIds }));
  // As for a new one: that it is assigned to a person says more than that it mentions them, and a subscription counts at
  // every level.
  const candidates = mentions(ids).flatMap((one): Candidate[] => [
    one,
    { ...one, via: 'SUBSCRIPTION', reason: 'SUBSCRIBED' },
    ...(one.userId === assigneeId ? [taking(assigneeId, 'ASSIGNED')] : []),
  ]);
  if (candidates.length > 0) found.push(of('MENTIONED', { candidates }));
  return found;
}

/** Both whom something was taken from and whom it was given to. */
const handed = (former: number | null, now: number | null, reason: Reason): Candidate[] => [
  ...(former === null ? [] : [{ userId: former, via: 'MENTION', reason: null } as const]),
  ...(now === null ? [] : [{ userId: now, via: 'MENTION', reason } as const]),
];

/** That a project has another path because a group above it has, or the person whose it is. */
export const movedAlong = ({ id, actorId }: HappenedHere, projectId: number): Occurrence => ({
  ...occurrencesOf({ id, kind: 'project.renamed', actorId, projectId, subjectId: projectId, ids: {} })[0]!,
  name: `event ${id} MOVED_PROJECT ${projectId}`,
});

/**
 * That an issue is due. It is no one's own activity: its author, who is shown as the sender, is notified, too.
 * @param due the day
 * @param zone only people of this time zone are notified
 */
export const dueIssue = (
  { id, projectId, authorId }: { readonly id: number; readonly projectId: number; readonly authorId: number },
  due: string,
  zone: string | null,
): Occurrence => ({
  cause: 'ISSUE_DUE',
  name: `issue ${id} due ${due}`,
  projectId,
  groupId: null,
  subject: { kind: 'Issue', id },
  actorId: authorId,
  ownId: null,
  candidates: [],
  labelIds: [],
  noteId: null,
  internal: false,
  zone,
  ids: {},
});
