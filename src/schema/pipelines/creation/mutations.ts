import { runPipelines, writes } from '../../../policy/index.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { repositoryIn } from '../../repository/repositories/look-up.ts';
import type { PipelineRecord } from '../pipelines/read.ts';
import { Pipeline } from '../pipelines/types.ts';
import { createPipeline } from './create.ts';
import { VariableInput } from './input.ts';

/** Pipelines that people ask for. */

mutation('pipelineCreate', {
  description:
    'Makes a pipeline of a branch or tag by its configuration, and starts its first jobs. From Developer up; on a protected branch, who may push to it or merge into it.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path, global id or number.' }),
    ref: t.string({ required: true, description: 'A branch or tag.' }),
    variables: t.field({ type: [VariableInput], description: 'For its jobs. They win over those of the project.' }),
  }),
  payload: (t: FieldsOf<{ pipeline: PipelineRecord }>) => ({ pipeline: t.expose('pipeline', { type: Pipeline }) }),
  resolve: async (context, { projectPath, ref, variables }) => {
    const repository = await repositoryIn(context, projectPath, runPipelines);
    const given = (variables ?? []).map(({ key, value, variableType, raw }) => ({
      key,
      value,
      kind: variableType ?? 'env_var',
      raw: raw ?? false,
    }));
    const isPage = context.viewer.credential?.kind === 'session';
    const source = isPage ? 'web' : 'api';
    return { pipeline: await createPipeline(context, repository, { ref, source, variables: given }) };
  },
});
