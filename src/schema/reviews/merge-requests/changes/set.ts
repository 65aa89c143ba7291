import type { InputFieldMap, InputShapeFromFields } from '@pothos/core';
import type { Context } from '../../../../context.ts';
import { NotFound } from '../../../../errors.ts';
import { setMergeRequestMetadata, updateMergeRequest, writes, type Condition } from '../../../../policy/index.ts';
import { idIn } from '../../../engine/global-id.ts';
import { mutation, type InputsOf } from '../../../engine/mutation.ts';
import { labelIdsOf, milestoneIdOf, requirePerson } from '../../../planning/issues/changes/input.ts';
import { MutationOperationMode, onePerson } from '../../../planning/issues/changes/one-person.ts';
import { publishTodos } from '../../../planning/live/publish.ts';
import { changeMergeRequest } from './apply.ts';
import type { MergeRequestChange } from './change.ts';
import { lookUpMergeRequest, prefetchNamed, requireMergeRequestRight, type SeenMergeRequest } from '../look-up.ts';
import { mergeRequestPayload } from './payload.ts';
import { requestReviewAgain } from '../statements/write.ts';

/** Mutations that set one attribute of a merge request, with GitLab's names. */

type Named = { readonly projectPath: string; readonly iid: string };
type Act<Input> = (context: Context, input: Input, seen: SeenMergeRequest, actor: number) => Promise<void>;

/** @param rule who may, of those who may change it at all */
function onMergeRequest<Fields extends InputFieldMap>(
  name: string,
  description: string,
  rule: Condition | undefined,
  fields: (t: InputsOf) => Fields,
  act: Act<InputShapeFromFields<Fields>>,
  deprecationReason?: string,
): void {
  mutation(name, {
    payload: mergeRequestPayload,
    description,
    ...(deprecationReason && { deprecationReason }),
    admission: { class: 'token', scopes: writes },
    prefetch: prefetchNamed,
    input: (t) => ({
      projectPath: t.id({ required: true, description: 'Full path or id of the target.' }),
      iid: t.string({ required: true }),
      ...fields(t),
    }),
    resolve: async (context, given) => {
      const input = given as unknown as Named & InputShapeFromFields<Fields>;
      const seen = await lookUpMergeRequest(context, { project: input.projectPath, iid: input.iid });
      requireMergeRequestRight(context, seen, updateMergeRequest);
      if (rule) requireMergeRequestRight(context, seen, rule);
      await act(context, input, seen, requirePerson(context));
      return { id: seen.mergeRequest.id };
    },
  });
}

/** A mutation that is a change. */
const setter = <Fields extends InputFieldMap>(
  name: string,
  description: string,
  rule: Condition | undefined,
  fields: (t: InputsOf) => Fields,
  changeOf: (
    context: Context,
    input: InputShapeFromFields<Fields>,
    seen: SeenMergeRequest,
  ) => MergeRequestChange | Promise<MergeRequestChange>,
  deprecationReason?: string,
): void =>
  onMergeRequest(
    name,
    description,
    rule,
    fields,
    async (context, input, seen, actor) =>
      changeMergeRequest(context, actor, seen.mergeRequest, await changeOf(context, input, seen)),
    deprecationReason,
  );

setter(
  'mergeRequestSetAssignees',
  'Assigns a person to a merge request, or removes them. It has at most one assignee.',
  setMergeRequestMetadata,
  (t) => ({
    assigneeUsernames: t.stringList({ required: true }),
    operationMode: t.field({ type: MutationOperationMode, defaultValue: 'REPLACE' }),
  }),
  async (context, { assigneeUsernames: names, operationMode: mode }, { mergeRequest: { assigneeId: now } }) => ({
    assigneeId: await onePerson(context, 'A merge request has at most one assignee.', { names, mode, now }),
  }),
);

setter(
  'mergeRequestSetReviewers',
  'Asks a person to review a merge request, or no longer. It has at most one reviewer.',
  setMergeRequestMetadata,
  (t) => ({
    reviewerUsernames: t.stringList({ required: true }),
    operationMode: t.field({ type: MutationOperationMode, defaultValue: 'REPLACE' }),
  }),
  async (context, { reviewerUsernames: names, operationMode: mode }, { mergeRequest: { reviewerId: now } }) => ({
    reviewerId: await onePerson(context, 'A merge request has at most one reviewer.', { names, mode, now }),
  }),
);

setter(
  'mergeRequestSetLabels',
  'Sets the labels of a merge request, adds some or removes some.',
  setMergeRequestMetadata,
  (t) => ({
    labelIds: t.field({ type: ['LabelID'], required: true }),
    operationMode: t.field({ type: MutationOperationMode, defaultValue: 'REPLACE' }),
  }),
  (_context, { labelIds, operationMode }) => {
    const labels = { titles: [], ids: labelIdsOf(labelIds) };
    if (operationMode === 'APPEND') return { addLabels: labels };
    return operationMode === 'REMOVE' ? { removeLabels: labels } : { labels };
  },
);

setter(
  'mergeRequestSetMilestone',
  'Sets the milestone of a merge request, or removes it.',
  setMergeRequestMetadata,
  (t) => ({ milestoneId: t.field({ type: 'MilestoneID', description: 'Omitted or null: none.' }) }),
  (_context, { milestoneId }) => ({ milestoneId: milestoneIdOf(milestoneId ?? null) }),
);

setter(
  'mergeRequestSetLocked',
  'Locks the discussion of a merge request, or unlocks it.',
  setMergeRequestMetadata,
  (t) => ({ locked: t.boolean({ required: true }) }),
  (_context, { locked }) => ({ discussionLocked: locked }),
);

setter(
  'mergeRequestSetDraft',
  'Says in its title that a merge request isn’t ready, or that it is.',
  undefined,
  (t) => ({ draft: t.boolean({ required: true }) }),
  (_context, { draft }) => ({ draft }),
);

setter(
  'mergeRequestSetWip',
  'Says in its title that a merge request isn’t ready, or that it is.',
  undefined,
  (t) => ({ wip: t.boolean({ required: true }) }),
  (_context, { wip }) => ({ draft: wip }),
  'Use `mergeRequestSetDraft`.',
);

onMergeRequest(
  'mergeRequestReviewerRereview',
  'Asks the reviewer of a merge request to look at it again.',
  setMergeRequestMetadata,
  (t) => ({ userId: t.field({ type: 'UserID', required: true }) }),
  async (context, { userId }, { mergeRequest: { id, projectId } }, actor) => {
    const [asked] = await context.database.rows(requestReviewAgain, [id, idIn(userId, 'User'), actor, projectId]);
    if (!asked) throw new NotFound('Reviewer');
    publishTodos(context, [asked.user_id], null);
  },
);
