import { ModelProblem } from '../../engine/errors.ts';
import type { Parameter, Value } from '../../engine/parameters.ts';
import { recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { Pipeline, pipelineFields, type PipelineData } from '../pipelines/record.ts';

/** Starting pipelines by the token of a trigger. */

/** @throws ModelProblem unless it is an object of texts */
function variablesIn(given: Value): { key: string; value: string }[] {
  const entries = Object.entries((given ?? {}) as Readonly<Record<string, unknown>>);
  if (!entries.every(([, value]) => typeof value === 'string'))
    throw new ModelProblem('variables needs to be a map of key-valued strings');
  return entries.map(([key, value]) => ({ key, value: value as string }));
}

const parameters: readonly Parameter[] = [
  { name: 'ref', type: 'string', required: true, notBlank: true, description: 'A branch or tag.' },
  { name: 'token', type: 'string', required: true, description: 'Of a trigger, or of a job that runs.' },
  { name: 'variables', type: 'object', description: 'Texts by their names, for the jobs.' },
];

const start = (path: string, summary: string, own: readonly Parameter[]) =>
  route<{ pipelineTriggerRun: { pipeline: PipelineData } }>({
    method: 'POST',
    path,
    summary,
    tag: 'Triggers',
    parameters: own,
    operation: `mutation ($input: PipelineTriggerRunInput!) {
      pipelineTriggerRun(input: $input) { pipeline { ${pipelineFields} } }
    }`,
    variables: ({ id, ref, token, variables, payload }) => ({
      input: { projectPath: id, ref, token: token ?? '', variables: variablesIn(variables), payload },
    }),
    auth: 'trigger',
    status: 201,
    // The texts are as clients know them.
    missing: { Trigger: '404 Not Found', Project: '404 Not Found' },
    record: recordOf(Pipeline, ({ pipelineTriggerRun }) => pipelineTriggerRun.pipeline),
    refusals: [404],
    dialect: 'version 4',
  });

export const triggerRunRoutes: readonly AnyRoute[] = [
  start('/api/v4/projects/:id/trigger/pipeline', 'Start a pipeline by a token', parameters),
  start(
    '/api/v4/projects/:id/ref/:ref/trigger/pipeline',
    'Start a pipeline of a branch or tag by a token',
    parameters.slice(1),
  ),
];
