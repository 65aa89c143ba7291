import type { Context } from '../../../context.ts';
import { resolveCommit } from '../../../git/objects/index.ts';
import { batchedByName } from '../../engine/batched.ts';
import { builder } from '../../engine/builder.ts';
import { projectById } from '../../places/place/read.ts';
import { requireStorage } from '../../repository/storage/mark.ts';
import type { PipelineRecord } from './statements/reading.ts';
import { Pipeline } from './types.ts';

type Ref = Pick<PipelineRecord, 'projectId' | 'ref' | 'tag'>;

const keyOf = ({ projectId, tag, ref }: Ref): string => `${projectId} ${tag} ${ref}`;

async function readHead(context: Context, { projectId, ref, tag }: Ref): Promise<string | undefined> {
  const project = await projectById(context, projectId);
  if (!project || project.defaultBranch === null) return undefined;
  return (await resolveCommit(context.git.repository(projectId), ref, tag ? 'tag' : 'branch'))?.id;
}

/**
 * The commit that the branch or tag of a pipeline is at; undefined if it is gone. Each branch of a list of pipelines is
 * asked for once, and all of them together.
 */
export const headOf = batchedByName(async (context: Context, refs: readonly Ref[]) => {
  await requireStorage(context);
  const heads = new Map<string, Promise<string | undefined>>();
  for (const ref of refs) if (!heads.has(keyOf(ref))) heads.set(keyOf(ref), readHead(context, ref));
  return await Promise.all(refs.map((ref) => heads.get(keyOf(ref))));
});

builder.objectField(Pipeline, 'latest', (t) =>
  t.boolean({
    description: 'Whether its branch or tag is still at its commit.',
    resolve: async (pipeline, _args, context) => (await headOf(context, pipeline)) === pipeline.sha,
  }),
);
