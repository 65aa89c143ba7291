import type { Context } from '../../../context.ts';
import { resolveCommit } from '../../../git/objects/index.ts';
import { builder } from '../../engine/builder.ts';
import { projectById } from '../../places/place/read.ts';
import { requireStorage } from '../../repository/storage/mark.ts';
import type { PipelineRecord } from './statements/reading.ts';
import { Pipeline } from './types.ts';

/** The commit that the branch or tag of a pipeline is at; undefined if it is gone. */
export async function headOf(
  context: Context,
  { projectId, ref, tag }: Pick<PipelineRecord, 'projectId' | 'ref' | 'tag'>,
): Promise<string | undefined> {
  const project = await projectById(context, projectId);
  if (!project || project.defaultBranch === null) return undefined;
  await requireStorage(context);
  return (await resolveCommit(context.git.repository(projectId), ref, tag ? 'tag' : 'branch'))?.id;
}

builder.objectField(Pipeline, 'latest', (t) =>
  t.boolean({
    description: 'Whether its branch or tag is still at its commit.',
    resolve: async (pipeline, _args, context) => (await headOf(context, pipeline)) === pipeline.sha,
  }),
);
