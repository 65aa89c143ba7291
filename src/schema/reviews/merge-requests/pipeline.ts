import type { Context } from '../../../context.ts';
import { holds, readPipelines } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { nestedList } from '../../engine/list.ts';
import { noRows } from '../../engine/page.ts';
import { projectById } from '../../places/place/read.ts';
import { factsOf } from '../../places/projects/permissions.ts';
import { filterArgs, filterOf } from '../../pipelines/pipelines/filter.ts';
import { pipelinesOfMergeRequest } from '../../pipelines/pipelines/of-merge-requests.ts';
import { headPipeline, pipelineById } from '../../pipelines/pipelines/read.ts';
import { Pipeline } from '../../pipelines/pipelines/types.ts';
import type { HeadPipelineStatus } from './status.ts';
import { MergeRequest, type ShownMergeRequest } from './types.ts';

/** The pipelines of merge requests: those of the source branch. */

type Ends = Pick<
  ShownMergeRequest,
  'id' | 'projectId' | 'sourceProjectId' | 'sourceBranch' | 'headSha' | 'headPipelineId'
>;

/** The pipeline of its head: the newest of the source branch for that commit. */
async function pipelineOf(context: Context, one: Ends) {
  const { sourceProjectId: projectId, sourceBranch: ref, headSha: sha, headPipelineId: known } = one;
  if (projectId === null || sha === null || known === null) return null;
  if (known !== undefined) return (await pipelineById(context, known)) ?? null;
  return (await headPipeline(context, { projectId, ref, sha, tag: false })) ?? null;
}

/** The status of the pipeline of its head, in upper case; null without one. It decides for every viewer. */
export const headPipelineStatusOf = async (context: Context, one: Ends): Promise<HeadPipelineStatus> =>
  (await pipelineOf(context, one))?.status.toUpperCase() ?? null;

/** Whether the viewer, who reads the merge request, reads the pipelines of its source. */
async function reads(context: Context, { sourceProjectId }: Ends): Promise<boolean> {
  const project = sourceProjectId === null ? null : await projectById(context, sourceProjectId);
  return project !== null && holds(readPipelines, context.viewer, await factsOf(context, project));
}

builder.objectField(MergeRequest, 'headPipeline', (t) =>
  t.field({
    type: Pipeline,
    nullable: true,
    description: 'The pipeline of its head; null without one, and if you don’t read it.',
    resolve: async (one, _args, context) => {
      const pipeline = await pipelineOf(context, one);
      return pipeline !== null && (await reads(context, one)) ? pipeline : null;
    },
  }),
);

nestedList(MergeRequest, 'pipelines', {
  type: Pipeline,
  nullable: true,
  description: 'The pipelines of its versions, the newest first; null if you don’t read them.',
  orders: { id: { column: 'pl.id', type: 'int' } },
  by: 'id_desc',
  args: () => filterArgs,
  rows: async (context, { ref, ...asked }, _info, one) => {
    // They went with the fork.
    if (one.sourceProjectId === null) return noRows;
    if (!(await reads(context, one))) return null;
    if (ref != null && ref !== one.sourceBranch) return noRows;
    const source = { id: one.sourceProjectId, hasRepository: one.headSha !== null };
    return pipelinesOfMergeRequest(source.id, one.sourceBranch, one.id, await filterOf(context, source, asked));
  },
});
