import type { Context } from '../../../context.ts';
import { findProject } from '../../../database/access/places.ts';
import { BadRequest, NotFound } from '../../../errors.ts';
import { causeOf, causes, type CauseName } from '../../../notify/causes.ts';
import { dueIssue, occurrencesOf, type HappenedHere, type Occurrence } from '../../../notify/occurrence.ts';
import { isAdministrator, type Facts } from '../../../policy/index.ts';
import { toWireEvent, type EventName } from '../../../values/kinds/notification-events.ts';
import { userByReference } from '../../accounts/users/find.ts';
import { builder } from '../../engine/builder.ts';
import { partsOf } from '../../engine/global-id.ts';
import { refuseMany } from '../../engine/list.ts';
import { facts, lookUp } from '../../places/place/look-up.ts';
import { readTexts } from '../../planning/issues/changes/input.ts';
import { lookUpEpic } from '../../planning/epics/read.ts';
import { pipelineByGlobalId } from '../../pipelines/pipelines/read.ts';
import { lookUpIssue, lookUpIssueById, type SeenIssue } from '../../planning/issues/look-up.ts';
import { lookUpNote } from '../../planning/notes/read.ts';
import { mentionsIn } from '../../planning/notes/text.ts';
import { lookUpSnippet } from '../../planning/snippets/look-up.ts';
import { EventType } from '../../settings/notification-settings/events.ts';
import {
  lookUpMergeRequest,
  lookUpMergeRequestById,
  type SeenMergeRequest,
} from '../../reviews/merge-requests/look-up.ts';
import { mentionedPeople } from './statements/named.ts';

/**
 * Events that didn't happen: what people would be notified if one happened now. They are made into domain events and go the way
 * that those go, so that the answer is about what would really be sent.
 */

/** What a client asks about. */
export interface Asked {
  readonly event: EventName;
  readonly subject?: string | null | undefined;
  readonly project?: string | null | undefined;
  readonly iid?: string | null | undefined;
  readonly mergeRequestIid?: string | null | undefined;
  readonly actor?: string | null | undefined;
  readonly mentions?: readonly string[] | null | undefined;
  readonly internal?: boolean | null | undefined;
  readonly assignee?: string | null | undefined;
}

/** The arguments that say what a client asks about. */
export const askedArgs = builder.args((t) => ({
  event: t.field({ type: EventType, required: true }),
  subject: t.id({
    description:
      'The global id of what it happens to: an issue or a merge request; for a comment one of both, a snippet or the comment itself; for a moved project the project; for the end of a pipeline the pipeline; for a new epic the epic.',
  }),
  project: t.id({
    description: 'Instead of `subject`, or so that it has to be in there: id or full path of a project.',
  }),
  iid: t.string({ description: 'With `project`: the number of an issue.' }),
  mergeRequestIid: t.string({ description: 'With `project`: the number of a merge request.' }),
  actor: t.id({
    description:
      'Id or username of the person who does it. Default: for recipients you, for a decision someone who isn’t known. For recipients, only administrators name others. What is there already was done by its author.',
  }),
  mentions: t.stringList({
    description:
      'For a comment, a new issue, a new merge request or a new epic: usernames and paths of groups that its text mentions, too.',
  }),
  internal: t.boolean({ description: 'For a comment: whether it is internal.' }),
  assignee: t.id({
    description:
      'For `REASSIGN_ISSUE` and `REASSIGN_MERGE_REQUEST`: id or username of the person whom it is given to. Default: who has it now.',
  }),
}));

/** An event as it would happen, with what decides what the viewer may do in its project. */
export interface Imagined {
  readonly occurrence: Occurrence;
  readonly facts: Facts;
}

/** The ids of what a domain event is about. */
type About = Omit<HappenedHere, 'id' | 'kind'>;
type Ids = HappenedHere['ids'];

/** The occurrence that a domain event would be for people. @throws BadRequest if they wouldn't be notified of it */
function told(cause: CauseName, kind: string, about: About): Occurrence {
  const found = occurrencesOf({ id: '0', kind, ...about }).find((one) => one.cause === cause);
  if (!found) throw new BadRequest('Nothing would happen: no one is notified of it.');
  return found;
}

/** @param actorId the person who does it; null: someone who isn’t known. @throws NotFound, Moved, Forbidden, BadRequest */
export async function imagine(context: Context, asked: Asked, actorId: number | null): Promise<Imagined> {
  const { event, mentions } = asked;
  const cause = causeOf(event);
  if (cause === undefined) throw new BadRequest(`\`${toWireEvent(event)}\` doesn’t happen here yet.`);
  if (mentions?.length && !mentioning.includes(event))
    throw new BadRequest('Only a comment, a new issue, a new merge request and a new epic mention people.');
  if (asked.assignee != null && event !== 'REASSIGN_ISSUE' && event !== 'REASSIGN_MERGE_REQUEST')
    throw new BadRequest('`assignee` is for `reassign_issue` and `reassign_merge_request` only.');
  if (event === 'MOVED_PROJECT') return await movedProject(context, asked, actorId);
  if (causes[cause].about === 'Pipeline') return await ofPipeline(context, asked, cause);
  if (event === 'NEW_EPIC') return await newEpic(context, asked);
  if (event === 'NEW_NOTE') return await newNote(context, asked, actorId);
  if (causes[cause].about === 'MergeRequest') return await ofMergeRequest(context, asked, cause, actorId);
  return await ofIssue(context, asked, cause, actorId);
}

/** Events with a text that mentions people. */
const mentioning: readonly EventName[] = ['NEW_NOTE', 'NEW_ISSUE', 'NEW_MERGE_REQUEST', 'NEW_EPIC'];

/** Ids of the people whom a text mentions. @param names in any case, with or without the sign */
async function mentionedBy(
  { database }: Context,
  names: readonly string[],
  writer: number | null,
  project: number | null,
): Promise<readonly number[]> {
  refuseMany(names.length, 'people');
  const wanted = [...new Set(names.map((name) => name.replace(/^@/, '').toLowerCase()))];
  if (wanted.length === 0) return [];
  return (await database.rows(mentionedPeople, [wanted, writer, project])).map(({ id }) => id);
}

/**
 * Ids of the people whom a client lets a text mention, too. Who is meant by the name of a group depends on what the writer sees,
 * which only administrators may find out of others.
 */
function alsoMentioned(
  context: Context,
  { mentions }: Asked,
  author: number | null,
  project: number | null,
): Promise<readonly number[]> {
  const { viewer } = context;
  const writer = (isAdministrator(viewer) ? author : null) ?? viewer.person?.id ?? null;
  return mentionedBy(context, mentions ?? [], writer, project);
}

/** Ids of the people whom the text of something that is there mentions, or is to mention, too. */
async function mentionedIn(
  context: Context,
  names: readonly string[],
  asked: Asked,
  author: number,
  project: number | null,
): Promise<readonly number[]> {
  const written = await mentionedBy(context, names, author, project);
  return [...written, ...(await alsoMentioned(context, asked, author, project))];
}

const needed = (what: string) => new BadRequest(`\`subject\` is the global id of ${what}.`);

/** The project that the subject has to be in, if one is named. @throws NotFound with the kind of the subject */
async function requireInProject(context: Context, { project }: Asked, projectId: number, kind: string): Promise<void> {
  if (project == null) return;
  const { id } = await lookUp(context, findProject, 'Project', project);
  if (id !== projectId) throw new NotFound(kind);
}

async function movedProject(context: Context, { subject, project }: Asked, actorId: number | null): Promise<Imagined> {
  const given = subject ?? project;
  if (given == null) throw needed('a project');
  const row = await lookUp(context, findProject, 'Project', given);
  const about = { actorId, projectId: row.id, subjectId: row.id, ids: {} };
  return { facts: facts(row), occurrence: told('MOVED_PROJECT', 'project.renamed', about) };
}

/** An epic that is there, as if it were opened now. Groups have epics: there is no project. */
async function newEpic(context: Context, asked: Asked): Promise<Imagined> {
  const { subject, project } = asked;
  if (project != null) throw new BadRequest('`new_epic` happens in groups: ask with `subject` and without `project`.');
  const { type, id } = subject == null ? { type: '', id: 0 } : partsOf(subject);
  if (type !== 'Epic') throw needed('an epic');
  const { epic, facts } = await lookUpEpic(context, id);
  const { authorId, groupId, title, description } = epic;
  const mentionedIds = await mentionedIn(context, readTexts(title, description).mentioned, asked, authorId, null);
  const about = { actorId: authorId, projectId: null, groupId, subjectId: epic.id, ids: { mentionedIds }, authorId };
  return { facts, occurrence: told('NEW_EPIC', 'epic.created', about) };
}

/** A pipeline that is there, as if it ended now. */
async function ofPipeline(context: Context, asked: Asked, cause: CauseName): Promise<Imagined> {
  const { subject } = asked;
  if (subject == null || partsOf(subject).type !== 'Ci::Pipeline') throw needed('a pipeline');
  const { repository, pipeline } = await pipelineByGlobalId(context, subject);
  const { id, projectId, userId } = pipeline;
  await requireInProject(context, asked, projectId, 'Pipeline');
  const kinds = { FAILED_PIPELINE: 'pipeline.failed', FIXED_PIPELINE: 'pipeline.fixed' } as const;
  const kind = kinds[cause as keyof typeof kinds] ?? 'pipeline.succeeded';
  const about = { actorId: null, projectId, subjectId: id, ids: {}, authorId: userId };
  return { facts: repository.facts, occurrence: told(cause, kind, about) };
}

/** The issue that is asked about. @throws NotFound, BadRequest */
async function issueOf(context: Context, asked: Asked): Promise<SeenIssue> {
  const { subject, project, iid } = asked;
  if (subject == null) {
    if (project == null || iid == null) throw needed('an issue');
    return await lookUpIssue(context, { project, iid });
  }
  const { type } = partsOf(subject);
  if (type !== 'Issue' && type !== 'WorkItem') throw needed('an issue');
  const seen = await lookUpIssueById(context, subject);
  await requireInProject(context, asked, seen.issue.projectId, 'Issue');
  return seen;
}

/** The merge request that is asked about. @throws NotFound, Forbidden, BadRequest */
async function mergeRequestOf(context: Context, asked: Asked): Promise<SeenMergeRequest> {
  const { subject, project, mergeRequestIid: iid } = asked;
  if (subject == null) {
    if (project == null || iid == null) throw needed('a merge request');
    return await lookUpMergeRequest(context, { project, iid });
  }
  if (partsOf(subject).type !== 'MergeRequest') throw needed('a merge request');
  const seen = await lookUpMergeRequestById(context, subject);
  await requireInProject(context, asked, seen.mergeRequest.projectId, 'MergeRequest');
  return seen;
}

/** A comment that is there, or one that someone would write. */
async function newNote(context: Context, asked: Asked, actorId: number | null): Promise<Imagined> {
  const { subject, internal } = asked;
  const { type = '' } = subject == null ? {} : partsOf(subject);
  const note = (about: Omit<About, 'subjectId'>, subjectId = 0) =>
    told('NEW_NOTE', 'note.created', { ...about, subjectId });
  if (type === 'Note' || type === 'DiscussionNote') {
    const { seen, note: there } = await lookUpNote(context, { id: subject! });
    await requireInProject(context, asked, there.projectId, 'Note');
    if (there.system) throw new BadRequest('No one is notified of notes that the system writes.');
    const { projectId, authorId, issueId, mergeRequestId, snippetId } = there;
    const mentionedIds = await mentionedIn(context, mentionsIn(there.body).names, asked, authorId, projectId);
    const ids: Ids = { issueId, mergeRequestId, snippetId, mentionedIds };
    return {
      facts: seen.facts,
      occurrence: note({ actorId: authorId, projectId, ids, internal: there.internal }, there.id),
    };
  }
  if (type === 'Snippet' || type === 'ProjectSnippet' || type === 'PersonalSnippet') {
    const seen = await lookUpSnippet(context, subject!);
    const { id: snippetId, projectId } = seen.snippet;
    if (projectId === null) throw new BadRequest('Comments are only on snippets of projects.');
    await requireInProject(context, asked, projectId, 'Snippet');
    const mentionedIds = await alsoMentioned(context, asked, actorId, projectId);
    const ids: Ids = { issueId: null, snippetId, mentionedIds };
    return { facts: seen.facts, occurrence: note({ actorId, projectId, ids, internal: internal ?? false }) };
  }
  if (type === 'MergeRequest' || (type === '' && asked.iid == null && asked.mergeRequestIid != null)) {
    const seen = await mergeRequestOf(context, asked);
    const { id: mergeRequestId, projectId } = seen.mergeRequest;
    const mentionedIds = await alsoMentioned(context, asked, actorId, projectId);
    const ids: Ids = { issueId: null, mergeRequestId, snippetId: null, mentionedIds };
    return { facts: seen.facts, occurrence: note({ actorId, projectId, ids, internal: internal ?? false }) };
  }
  if (type !== '' && type !== 'Issue' && type !== 'WorkItem')
    throw needed('an issue, a merge request, a snippet or a comment');
  const seen = await issueOf(context, asked);
  const { id: issueId, projectId } = seen.issue;
  const mentionedIds = await alsoMentioned(context, asked, actorId, projectId);
  const ids: Ids = { issueId, snippetId: null, mentionedIds };
  return { facts: seen.facts, occurrence: note({ actorId, projectId, ids, internal: internal ?? false }) };
}

/** What happens to an issue itself. */
async function ofIssue(context: Context, asked: Asked, cause: CauseName, actorId: number | null): Promise<Imagined> {
  const seen = await issueOf(context, asked);
  const { id, projectId, authorId, assigneeId, title, description, labelIds, dueDate } = seen.issue;
  const about = (ids: Ids = {}): About => ({ actorId, projectId, subjectId: id, ids });
  const facts = seen.facts;
  switch (cause) {
    case 'NEW_ISSUE': {
      const names = readTexts(title, description).mentioned;
      const mentionedIds = await mentionedIn(context, names, asked, authorId, projectId);
      const about = {
        actorId: authorId,
        projectId,
        subjectId: id,
        ids: { mentionedIds },
        authorId,
        assigneeId,
        labelIds,
      };
      return { facts, occurrence: told(cause, 'issue.created', about) };
    }
    case 'REASSIGN_ISSUE': {
      const to = asked.assignee == null ? assigneeId : (await userByReference(context, asked.assignee)).id;
      const formerAssigneeId = to === assigneeId ? null : assigneeId;
      return { facts, occurrence: told(cause, 'issue.updated', about({ formerAssigneeId, assigneeId: to })) };
    }
    case 'ISSUE_DUE':
      return { facts, occurrence: dueIssue({ id, projectId, authorId }, dueDate ?? '', null) };
    default:
      return {
        facts,
        occurrence: told(cause, cause === 'CLOSE_ISSUE' ? 'issue.closed' : 'issue.reopened', about()),
      };
  }
}

/** What happens to a merge request itself, by the kinds of domain events. */
const kindsOfMergeRequests: Partial<Record<CauseName, string>> = {
  PUSH_TO_MERGE_REQUEST: 'merge_request.pushed',
  CLOSE_MERGE_REQUEST: 'merge_request.closed',
  REOPEN_MERGE_REQUEST: 'merge_request.reopened',
  MERGE_MERGE_REQUEST: 'merge_request.merged',
};

async function ofMergeRequest(
  context: Context,
  asked: Asked,
  cause: CauseName,
  actorId: number | null,
): Promise<Imagined> {
  const { mergeRequest: one, facts } = await mergeRequestOf(context, asked);
  const { id, projectId, authorId, assigneeId, reviewerId, title, description, labelIds } = one;
  const about = (ids: Ids = {}): About => ({ actorId, projectId, subjectId: id, ids });
  if (cause === 'NEW_MERGE_REQUEST') {
    const names = readTexts(title, description).mentioned;
    const mentionedIds = await mentionedIn(context, names, asked, authorId, projectId);
    const opened = { ...about({ mentionedIds }), actorId: authorId, authorId, assigneeId, reviewerId, labelIds };
    return { facts, occurrence: told(cause, 'merge_request.created', opened) };
  }
  if (cause === 'REASSIGN_MERGE_REQUEST') {
    const to = asked.assignee == null ? assigneeId : (await userByReference(context, asked.assignee)).id;
    const formerAssigneeId = to === assigneeId ? null : assigneeId;
    const ids = { formerAssigneeId, assigneeId: to };
    return { facts, occurrence: told(cause, 'merge_request.updated', about(ids)) };
  }
  return { facts, occurrence: told(cause, kindsOfMergeRequests[cause]!, about()) };
}
