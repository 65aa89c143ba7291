import { writes } from '../../../policy/index.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { lookUpMergeRequest } from '../../reviews/merge-requests/look-up.ts';
import type { PipelineRecord } from '../pipelines/read.ts';
import { Pipeline } from '../pipelines/types.ts';
import { createForMergeRequest } from './of-merge-requests.ts';

/** Pipelines of merge requests that people ask for. */

mutation('mergeRequestPipelineCreate', {
  description:
    'Makes a pipeline for the head of an open merge request, of the jobs that ask for merge requests by their rules. From Developer up in the project of the source branch.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path, global id or number of the target.' }),
    iid: t.string({ required: true }),
  }),
  payload: (t: FieldsOf<{ pipeline: PipelineRecord }>) => ({ pipeline: t.expose('pipeline', { type: Pipeline }) }),
  resolve: async (context, { projectPath: project, iid }) => {
    const { mergeRequest } = await lookUpMergeRequest(context, { project, iid });
    return { pipeline: await createForMergeRequest(context, mergeRequest.id) };
  },
});
