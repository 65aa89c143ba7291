import type { Context } from '../../../context.ts';
import { writes } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { lookUpMergeRequest, prefetchNamed } from '../merge-requests/look-up.ts';
import { mergeRequestPayload } from '../merge-requests/changes/payload.ts';
import { upToDate } from '../merge-requests/up-to-date.ts';
import type { MergeParams } from '../merge-requests/types.ts';
import { accept, mergeAccepted, requireMerging } from './merge.ts';
import { cancelAutoMerge, waitsForPipeline } from './auto-merge.ts';
import { requestRebase } from './rebase.ts';

const MergeStrategy = builder.enumType('MergeStrategyEnum', {
  values: {
    MERGE_WHEN_PIPELINE_SUCCEEDS: { description: 'Once the pipeline of the head succeeds.' },
  } as const,
});

interface Asked {
  readonly commitMessage?: string | null | undefined;
  readonly squashCommitMessage?: string | null | undefined;
  readonly squash?: boolean | null | undefined;
  readonly shouldRemoveSourceBranch?: boolean | null | undefined;
  readonly sha?: string | null | undefined;
}

/** What a call to merge says, without what it leaves out. */
const paramsOf = (asked: Asked): MergeParams => ({
  ...(asked.commitMessage && { message: asked.commitMessage }),
  ...(asked.squashCommitMessage && { squashMessage: asked.squashCommitMessage }),
  ...(asked.squash != null && { squash: asked.squash }),
  ...(asked.shouldRemoveSourceBranch != null && { removeSource: asked.shouldRemoveSourceBranch }),
  ...(asked.sha && { sha: asked.sha }),
});

mutation('mergeRequestAccept', {
  payload: mergeRequestPayload,
  description: 'Merges a merge request, or has it merged once its pipeline succeeds.',
  admission: { class: 'token', scopes: writes },
  prefetch: prefetchNamed,
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path or id of the target.' }),
    iid: t.string({ required: true }),
    sha: t.string({ description: 'The head that you saw: refused if there is another one by now.' }),
    strategy: t.field({ type: MergeStrategy, description: 'At once, if omitted.' }),
    commitMessage: t.string({ description: 'Of the merge commit.' }),
    squash: t.boolean({ description: 'Whether its commits become one; as it says itself, if omitted.' }),
    squashCommitMessage: t.string(),
    shouldRemoveSourceBranch: t.boolean({ description: 'As its author asked, if omitted.' }),
  }),
  resolve: async (context: Context, input) => {
    const name = { project: input.projectPath, iid: input.iid };
    const seen = await upToDate(context, name);
    await requireMerging(context, seen);
    const params = paramsOf(input);
    if (input.strategy == null || !(await waitsForPipeline(context, seen, params)))
      await mergeAccepted(context, await accept(context, seen, input.sha), params);
    return { id: seen.mergeRequest.id };
  },
});

mutation('mergeRequestCancelAutoMerge', {
  payload: (t: FieldsOf<{ id: number; cancelled: boolean }>) => ({
    ...mergeRequestPayload(t as FieldsOf<{ id: number }>),
    cancelled: t.exposeBoolean('cancelled', { description: 'Whether it was to be merged by itself.' }),
  }),
  description:
    'Stops a merge request from being merged once its pipeline succeeds. For its author, and for who may merge.',
  admission: { class: 'token', scopes: writes },
  prefetch: prefetchNamed,
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path or id of the target.' }),
    iid: t.string({ required: true }),
  }),
  resolve: async (context: Context, { projectPath: project, iid }) => {
    const seen = await lookUpMergeRequest(context, { project, iid });
    if (seen.isArchived || seen.mergeRequest.authorId !== context.viewer.person?.id)
      await requireMerging(context, seen);
    return { id: seen.mergeRequest.id, cancelled: await cancelAutoMerge(context, seen) };
  },
});

mutation('mergeRequestRebase', {
  payload: mergeRequestPayload,
  description: 'Rebases the source branch onto the target, in the background.',
  admission: { class: 'token', scopes: writes },
  prefetch: prefetchNamed,
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path or id of the target.' }),
    iid: t.string({ required: true }),
    skipCi: t.boolean({ description: 'Whether its pipeline is skipped.' }),
  }),
  resolve: async (context: Context, { projectPath: project, iid, skipCi }) => {
    const seen = await upToDate(context, { project, iid });
    await requestRebase(context, seen, skipCi ?? false);
    return { id: seen.mergeRequest.id };
  },
});
