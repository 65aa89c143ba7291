import type { Context } from '../../../../context.ts';
import { takenIn, type Sql } from '../../../../database/index.ts';
import { AlreadyOpen, BadRequest, Forbidden, NotFound, PlainUnprocessable } from '../../../../errors.ts';
import {
  adminLabel,
  createMergeRequest,
  holds,
  mayChange,
  openMergeRequest as openMergeRequestFrom,
  setMergeRequestMetadata,
  writes,
  type Facts,
} from '../../../../policy/index.ts';
import { isDraft, withDraft } from '../../../../values/text/draft-title.ts';
import { Problems } from '../../../engine/input.ts';
import { mutation } from '../../../engine/mutation.ts';
import { facts, lookUp, prefetchPlace } from '../../../places/place/look-up.ts';
import {
  assigneeIdOf,
  checkAssignees,
  checkDescription,
  checkTitle,
  labelIdsOf,
  milestoneIdOf,
  readTexts,
  requirePerson,
  titlesOf,
} from '../../../planning/issues/changes/input.ts';
import { planForNewReview, type NewReviewPlan } from '../../../planning/quick-actions/reviews.ts';
import { crossReferences, referencesIn, type WritesReferences } from '../../../planning/notes/text.ts';
import { publishTodos } from '../../../planning/live/publish.ts';
import { refreshVersion } from '../../versions/refresh.ts';
import { checkBranch, checkReviewers, mayCollaborate, mayRemoveSource, sameBranch, squashes } from './input.ts';
import { mergeRequestPayload } from './payload.ts';
import { isRelated } from '../../../repository/repositories/relatives.ts';
import { findOpen, findProjectByNumber, insertMergeRequest } from '../statements/create.ts';
import { findProjectOfMergeRequests, type ProjectOfMergeRequests } from '../statements/reading.ts';

/** A new merge request. */
interface NewMergeRequest {
  readonly title: string;
  readonly description: string | null;
  readonly sourceBranch: string;
  readonly targetBranch: string;
  readonly milestoneId: number | null;
  readonly assigneeId: number | null;
  readonly reviewerId: number | null;
  readonly labels: readonly string[];
  readonly labelIds: readonly number[];
  readonly makesLabels: boolean;
  readonly squash: boolean;
  readonly removesSource: boolean | null;
  readonly allowsCollaboration: boolean;
  readonly mergeAfter: Date | null;
}

/**
 * The target: the source itself, or another project.
 * @throws Forbidden for one that is out of sight, as for one that the viewer sees and may not use; NotFound for a number
 *   that no project has: numbers are counted up, and tell nothing
 */
async function targetOf(
  context: Context,
  source: ProjectOfMergeRequests,
  given: string | null | undefined,
): Promise<ProjectOfMergeRequests> {
  if (given == null) return source;
  try {
    return await lookUp(context, findProjectOfMergeRequests, 'Project', given);
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    const [known] = /^\d+$/.test(given) ? await context.database.rows(findProjectByNumber, [given]) : [];
    throw known ? new Forbidden() : new NotFound('TargetProject');
  }
}

/** @throws PlainUnprocessable for branches that can't be merged into each other, AlreadyOpen */
async function checkBranches(
  { database }: Context,
  source: number,
  target: number,
  { sourceBranch, targetBranch }: NewMergeRequest,
): Promise<void> {
  if (source === target && sourceBranch === targetBranch) throw new PlainUnprocessable([sameBranch]);
  if (source !== target && !(await isRelated(database, source, target)))
    throw new PlainUnprocessable(['Source project is not a fork of the target project']);
  const [open] = await database.rows(findOpen, [source, sourceBranch, target, targetBranch]);
  if (open) throw new AlreadyOpen(open.iid);
}

/** A merge request that may be made: numbers of its projects and its author, and what is done with it. */
interface Checked {
  readonly source: number;
  readonly target: number;
  readonly author: number;
  readonly given: NewMergeRequest;
  readonly plan: NewReviewPlan | undefined;
  readonly refer: WritesReferences | undefined;
}

/** @throws AlreadyOpen, NotFound if the target was archived or removed meanwhile */
async function insert(context: Context, { source, target, author, given, plan, refer }: Checked): Promise<number> {
  const { database } = context;
  const { tasks, mentioned, addressed } = readTexts(given.title, given.description);
  const values = [
    target,
    author,
    given.title,
    given.description,
    isDraft(given.title),
    source,
    given.sourceBranch,
    given.targetBranch,
    given.milestoneId,
    given.assigneeId,
    given.reviewerId,
    given.labels,
    given.labelIds,
    given.makesLabels,
    given.squash,
    given.removesSource,
    given.allowsCollaboration,
    mentioned,
    addressed,
    tasks.count,
    tasks.completed,
    given.mergeAfter,
  ];
  try {
    const store = async (sql: Sql) => {
      const [made] = await sql.rows(insertMergeRequest[mentioned.length > 0 ? 'full' : 'plain'], values);
      if (!made) throw new NotFound('Project');
      await plan?.finish(sql, made.id);
      await refer?.(sql, made);
      return made;
    };
    const made = await (plan || refer ? database.transaction(store) : store(database));
    publishTodos(context, made.todoOwners, null);
    return made.id;
  } catch (error) {
    if (takenIn(error) !== 'merge_requests') throw error;
    const [open] = await database.rows(findOpen, [source, given.sourceBranch, target, given.targetBranch]);
    throw new AlreadyOpen(open?.iid ?? 0);
  }
}

/** The commands of its description, with the rights of its author in the target. */
const planOf = async (
  context: Context,
  source: ProjectOfMergeRequests,
  target: ProjectOfMergeRequests,
  authorId: number,
  { title, description, sourceBranch, targetBranch, assigneeId }: NewMergeRequest,
): Promise<NewReviewPlan | undefined> =>
  description === null
    ? undefined
    : await planForNewReview(
        context,
        {
          projectId: target.id,
          facts: { ...facts(target), mergeRequest: { authorId, assigneeId } },
          fresh: { title, sourceProjectId: source.id, sourceBranch, targetBranch },
        },
        description,
      );

/** A new merge request with what commands set: it begins with that, and no note mentions it. */
function withCommands(given: NewMergeRequest, { text, change }: NewReviewPlan): NewMergeRequest {
  const { title = given.title, draft, labels, addLabels } = change;
  const removed = new Set(change.removeLabels?.ids);
  const ids = [...(labels ? labels.ids : given.labelIds), ...(addLabels?.ids ?? [])];
  return {
    ...given,
    title: draft === undefined ? title : withDraft(title, draft),
    description: text,
    targetBranch: change.targetBranch ?? given.targetBranch,
    labels: labels ? [] : given.labels,
    labelIds: ids.filter((id) => !removed.has(id)),
    assigneeId: change.assigneeId === undefined ? given.assigneeId : change.assigneeId,
    reviewerId: change.reviewerId === undefined ? given.reviewerId : change.reviewerId,
    milestoneId: change.milestoneId === undefined ? given.milestoneId : change.milestoneId,
  };
}

/** What a new merge request is to be: the input of the mutation. */
export interface Asked extends Metadata {
  readonly projectPath: string;
  readonly title: string;
  readonly sourceBranch: string;
  readonly targetBranch: string;
  readonly targetProjectId?: string | null;
  readonly description?: string | null;
  readonly removeSourceBranch?: boolean | null;
  readonly allowCollaboration?: boolean | null;
  readonly squash?: boolean | null;
  readonly mergeAfter?: Date | null;
}

/**
 * Opens a merge request as the viewer.
 * @throws NotFound, Forbidden, BadRequest, InvalidFields, PlainUnprocessable, AlreadyOpen
 */
export async function openMergeRequest(context: Context, input: Asked): Promise<{ id: number }> {
  const source = await lookUp(context, findProjectOfMergeRequests, 'Project', input.projectPath);
  const inSource = facts(source);
  if (!mayChange(openMergeRequestFrom, context.viewer, inSource, source.archived)) throw new Forbidden();
  const target = await targetOf(context, source, input.targetProjectId);
  const inTarget = facts(target);
  if (!mayChange(createMergeRequest, context.viewer, inTarget, target.archived)) throw new Forbidden();
  const author = requirePerson(context);
  if (input.labels && input.labelIds) throw new BadRequest('Name labels by their titles or by their ids, not both.');
  const sides = { source: inSource, target: inTarget, isFork: source.id !== target.id };
  const given: NewMergeRequest = {
    title: input.title.trim(),
    description: input.description ?? null,
    sourceBranch: input.sourceBranch,
    targetBranch: input.targetBranch,
    squash: squashes(input.squash, target.rules),
    removesSource: mayRemoveSource(context, sides) ? (input.removeSourceBranch ?? null) : null,
    allowsCollaboration: input.allowCollaboration === true && mayCollaborate(context, sides),
    mergeAfter: input.mergeAfter ?? null,
    ...metadataOf(context, inTarget, input),
  };
  await checkBranches(context, source.id, target.id, given);
  const problems = new Problems();
  checkTitle(problems, input.title);
  checkDescription(problems, given.description);
  checkAssignees(problems, input.assigneeIds);
  checkReviewers(problems, input.reviewerIds);
  checkBranch(problems, 'sourceBranch', input.sourceBranch);
  checkBranch(problems, 'targetBranch', input.targetBranch);
  problems.refuse();
  const plan = await planOf(context, source, target, author, given);
  const made = plan ? withCommands(given, plan) : given;
  // A command chose another target.
  if (made.targetBranch !== given.targetBranch) await checkBranches(context, source.id, target.id, made);
  const place = {
    kind: 'MergeRequest',
    id: 0,
    iid: null,
    projectId: target.id,
    projectPath: target.full_path,
  } as const;
  const refer = await crossReferences(context, place, author, referencesIn(made.title, made.description));
  const id = await insert(context, { source: source.id, target: target.id, author, given: made, plan, refer });
  await refreshVersion(context, id);
  return { id };
}

mutation('mergeRequestCreate', {
  payload: mergeRequestPayload,
  description:
    'Opens a merge request for a branch. Labels, people and milestone are for members of the target; others’ are left out.',
  admission: { class: 'token', scopes: writes },
  prefetch: ({ input }) =>
    prefetchPlace(findProjectOfMergeRequests, 'Project', (input as { projectPath?: unknown } | undefined)?.projectPath),
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path or id of the project of the source branch.' }),
    title: t.string({ required: true, description: 'One that begins with `Draft:` says that it isn’t ready.' }),
    sourceBranch: t.string({ required: true }),
    targetBranch: t.string({ required: true }),
    targetProjectId: t.field({ type: 'ProjectID', description: 'The target; by default the project itself.' }),
    description: t.string({ description: 'As Markdown. Commands in it are carried out.' }),
    labels: t.stringList({ description: 'Titles. Labels that are missing are made, if you may make labels.' }),
    labelIds: t.field({ type: ['LabelID'], description: 'Instead of `labels`.' }),
    milestoneId: t.field({ type: 'MilestoneID' }),
    assigneeIds: t.field({ type: ['UserID'], description: 'At most one.' }),
    reviewerIds: t.field({ type: ['UserID'], description: 'At most one.' }),
    removeSourceBranch: t.boolean({ description: 'Whether the source branch is removed once it is merged.' }),
    allowCollaboration: t.boolean({ description: 'Whether members of the target may push to the branch of a fork.' }),
    squash: t.boolean({ description: 'Whether its commits become one. By default as the target proposes.' }),
    mergeAfter: t.field({ type: 'Time', description: 'The moment before which it isn’t merged.' }),
  }),
  resolve: (context, input) => openMergeRequest(context, input),
});

interface Metadata {
  readonly labels?: readonly string[] | null;
  readonly labelIds?: readonly string[] | null;
  readonly milestoneId?: string | null;
  readonly assigneeIds?: readonly string[] | null;
  readonly reviewerIds?: readonly string[] | null;
}

/** What members of the target set; nothing for others. */
function metadataOf({ viewer }: Context, inTarget: Facts, given: Metadata) {
  const taken = holds(setMergeRequestMetadata, viewer, inTarget) ? given : {};
  return {
    milestoneId: milestoneIdOf(taken.milestoneId ?? null),
    assigneeId: assigneeIdOf(taken.assigneeIds),
    reviewerId: assigneeIdOf(taken.reviewerIds),
    labels: titlesOf(taken.labels ?? []),
    labelIds: labelIdsOf(taken.labelIds ?? []),
    makesLabels: holds(adminLabel, viewer, inTarget),
  };
}
