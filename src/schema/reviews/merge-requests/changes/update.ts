import type { Context } from '../../../../context.ts';
import { Moved, NotFound } from '../../../../errors.ts';
import {
  setMergeRequestMetadata,
  updateMergeRequest as mayUpdate,
  writes,
  type Facts,
} from '../../../../policy/index.ts';
import { builder } from '../../../engine/builder.ts';
import { Problems } from '../../../engine/input.ts';
import { mutation } from '../../../engine/mutation.ts';
import { facts, lookUp } from '../../../places/place/look-up.ts';
import {
  assigneeIdOf,
  checkAssignees,
  checkDescription,
  checkTitle,
  labelNames,
  milestoneIdOf,
  requirePerson,
} from '../../../planning/issues/changes/input.ts';
import { crossReferences, referencesIn } from '../../../planning/notes/text.ts';
import { planForReview } from '../../../planning/quick-actions/reviews.ts';
import { mayMerge } from '../../merging/merge.ts';
import { changeMergeRequest } from './apply.ts';
import type { MergeRequestChange } from './change.ts';
import { checkBranch, checkReviewers, mayCollaborate, mayRemoveSource } from './input.ts';
import {
  lookUpMergeRequest,
  mayOnMergeRequest,
  prefetchNamed,
  requireMergeRequestRight,
  type SeenMergeRequest,
} from '../look-up.ts';
import { mergeRequestPayload } from './payload.ts';
import { findProjectOfMergeRequests } from '../statements/reading.ts';

const MergeRequestNewState = builder.enumType('MergeRequestNewState', {
  values: { OPEN: { value: 'OPENED' }, CLOSED: {} } as const,
});

/** What the viewer is in the source; undefined if it is gone or out of sight. */
async function inSource(
  context: Context,
  { mergeRequest: { sourceProjectId, projectId }, facts: known }: SeenMergeRequest,
): Promise<Facts | undefined> {
  if (sourceProjectId === null) return undefined;
  if (sourceProjectId === projectId) return known;
  try {
    return facts(await lookUp(context, findProjectOfMergeRequests, 'Project', String(sourceProjectId)));
  } catch (error) {
    if (error instanceof NotFound && !(error instanceof Moved)) return undefined;
    throw error;
  }
}

interface AskedOfSource {
  readonly removeSourceBranch?: boolean | null | undefined;
  readonly allowCollaboration?: boolean | null | undefined;
}

/** The changes that concern the source branch: those that the viewer may not make are left out. */
async function sourceChange(
  context: Context,
  seen: SeenMergeRequest,
  { removeSourceBranch: removes, allowCollaboration: allows }: AskedOfSource,
): Promise<Pick<MergeRequestChange, 'removesSource' | 'allowsCollaboration'>> {
  if (removes == null && allows == null) return {};
  const source = await inSource(context, seen);
  if (!source) return {};
  const { sourceProjectId, projectId } = seen.mergeRequest;
  const sides = { source, target: seen.facts, isFork: sourceProjectId !== projectId };
  return {
    removesSource: removes != null && mayRemoveSource(context, sides) ? removes : undefined,
    allowsCollaboration: allows != null && mayCollaborate(context, sides) ? allows : undefined,
  };
}

/** What changes: the input of the mutation. */
export interface AskedChange extends AskedOfSource {
  readonly projectPath: string;
  readonly iid: string;
  readonly title?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly targetBranch?: string | null | undefined;
  readonly state?: 'OPENED' | 'CLOSED' | null | undefined;
  readonly milestoneId?: string | null | undefined;
  readonly assigneeIds?: readonly string[] | null | undefined;
  readonly reviewerIds?: readonly string[] | null | undefined;
  readonly labels?: readonly string[] | null | undefined;
  readonly addLabels?: readonly string[] | null | undefined;
  readonly removeLabels?: readonly string[] | null | undefined;
  readonly locked?: boolean | null | undefined;
  readonly squash?: boolean | null | undefined;
  readonly mergeAfter?: Date | null | undefined;
}

/** Changes a merge request as the viewer. @throws NotFound, Forbidden, BadRequest, InvalidFields */
export async function updateMergeRequest(context: Context, input: AskedChange): Promise<{ id: number }> {
  const seen = await lookUpMergeRequest(context, { project: input.projectPath, iid: input.iid });
  requireMergeRequestRight(context, seen, mayUpdate);
  const actor = requirePerson(context);
  const problems = new Problems();
  if (input.title !== undefined) checkTitle(problems, input.title ?? '');
  checkDescription(problems, input.description ?? null);
  checkAssignees(problems, input.assigneeIds);
  checkReviewers(problems, input.reviewerIds);
  if (input.targetBranch !== undefined) checkBranch(problems, 'targetBranch', input.targetBranch ?? '');
  problems.refuse();
  const { milestoneId, assigneeIds, reviewerIds } = input;
  const plan = input.description
    ? await planForReview(context, { ...seen.mergeRequest, facts: seen.facts }, input.description)
    : undefined;
  const change: MergeRequestChange = {
    title: input.title?.trim(),
    description: plan ? plan.text : input.description,
    state: input.state ?? undefined,
    targetBranch: input.targetBranch ?? undefined,
    squash: input.squash ?? undefined,
    mergeAfter: input.mergeAfter,
    mayMerge: input.mergeAfter === undefined ? undefined : await mayMerge(context, seen),
    ...(mayOnMergeRequest(context, seen, setMergeRequestMetadata) && {
      discussionLocked: input.locked ?? undefined,
      milestoneId: milestoneId === undefined ? undefined : milestoneIdOf(milestoneId),
      assigneeId: assigneeIds === undefined ? undefined : assigneeIdOf(assigneeIds),
      reviewerId: reviewerIds === undefined ? undefined : assigneeIdOf(reviewerIds),
      labels: labelNames(input.labels, undefined),
      addLabels: labelNames(input.addLabels, undefined),
      removeLabels: labelNames(input.removeLabels, undefined),
    }),
    ...(await sourceChange(context, seen, input)),
  };
  const references = referencesIn(change.title, change.description);
  const refer = await crossReferences(context, { ...seen.mergeRequest, kind: 'MergeRequest' }, actor, references);
  if (!plan) await changeMergeRequest(context, actor, seen.mergeRequest, change, refer);
  else {
    await context.database.transaction(async (sql) => {
      await plan.within(sql, change);
      await refer?.(sql);
    });
    await plan.after();
  }
  return { id: seen.mergeRequest.id };
}

mutation('mergeRequestUpdate', {
  payload: mergeRequestPayload,
  description:
    'Changes a merge request, closes or reopens it. Omitted fields stay as they are. For its author, its assignee and developers; labels, people and milestone are for members of the target, and what you may not change is left out.',
  admission: { class: 'token', scopes: writes },
  prefetch: prefetchNamed,
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path or id of the target.' }),
    iid: t.string({ required: true }),
    title: t.string({ description: 'One that begins with `Draft:` says that it isn’t ready.' }),
    description: t.string({ description: 'As Markdown. Null: none. Commands in it are carried out.' }),
    targetBranch: t.string(),
    state: t.field({ type: MergeRequestNewState }),
    milestoneId: t.id({ description: 'Null: none.' }),
    assigneeIds: t.field({ type: ['UserID'], description: 'At most one. Null or empty: no one.' }),
    reviewerIds: t.field({ type: ['UserID'], description: 'At most one. Null or empty: no one.' }),
    labels: t.stringList({ description: 'The titles of all labels that it has afterwards. Missing ones are made.' }),
    addLabels: t.stringList({ description: 'Titles. Missing ones are made.' }),
    removeLabels: t.stringList({ description: 'Titles.' }),
    locked: t.boolean({ description: 'Whether only members comment.' }),
    squash: t.boolean({ description: 'Whether its commits become one when it is merged.' }),
    mergeAfter: t.field({
      type: 'Time',
      description:
        'The moment before which it isn’t merged. Null: none. Changed by a person who may not merge, it ends an automatic merge.',
    }),
    removeSourceBranch: t.boolean({ description: 'Whether the source branch is removed once it is merged.' }),
    allowCollaboration: t.boolean({ description: 'Whether members of the target may push to the branch of a fork.' }),
  }),
  resolve: (context, input) => updateMergeRequest(context, input),
});
