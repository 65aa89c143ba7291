import { variableTypes } from '../../../values/ci/variables.ts';
import { listRoute } from '../../engine/list-route.ts';
import { Accepted, objectSchema, recordOf, type Record } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { writersOnly } from '../../repository/commits/writing.ts';
import { Pipeline, pipelineFields, type PipelineData } from '../pipelines/record.ts';

/** Pipelines that scripts ask for. */

interface GivenVariable {
  readonly key: string;
  readonly value: string;
  readonly variable_type?: string;
}

interface ManualVariableData {
  readonly variableType: string;
  readonly key: string;
  readonly value: string | null;
  readonly raw: boolean;
}

/** A variable that a pipeline was given. */
const PipelineVariable: Record<ManualVariableData> = {
  name: 'PipelineVariable',
  schema: objectSchema({
    variable_type: { type: 'string', enum: variableTypes },
    key: { type: 'string' },
    value: { type: ['string', 'null'] },
    raw: { type: 'boolean' },
  }),
  present: ({ variableType, key, value, raw }) => ({ variable_type: variableType.toLowerCase(), key, value, raw }),
};

export const creationRoutes: readonly AnyRoute[] = [
  route<{ pipelineCreate: { pipeline: PipelineData } }>({
    method: 'POST',
    path: '/api/v4/projects/:id/pipeline',
    summary: 'Create a pipeline',
    tag: 'Pipelines',
    parameters: [
      { name: 'ref', type: 'string', required: true, description: 'A branch or tag.' },
      {
        name: 'variables',
        type: 'objects',
        description: 'For its jobs.',
        of: [
          { name: 'key', type: 'string', required: true, description: 'Letters, digits and `_`.' },
          { name: 'value', type: 'string', required: true, verbatim: true, description: 'Its value.' },
          { name: 'variable_type', type: 'string', allowed: variableTypes, description: '`env_var` if omitted.' },
        ],
      },
    ],
    example: { ref: 'main' },
    operation: `mutation ($input: PipelineCreateInput!) { pipelineCreate(input: $input) { pipeline { ${pipelineFields} } } }`,
    variables: ({ id, ref, variables }) => ({
      input: {
        projectPath: id,
        ref: ref ?? '',
        variables: ((variables ?? []) as unknown as readonly GivenVariable[]).map(
          ({ key, value, variable_type: type }) => ({
            key,
            value: value ?? '',
            variableType: (type ?? 'env_var').toUpperCase(),
          }),
        ),
      },
    }),
    guard: writersOnly,
    status: 201,
    record: recordOf(Pipeline, ({ pipelineCreate }) => pipelineCreate.pipeline),
    refusals: [404],
    dialect: 'version 4',
  }),
  route<{ mergeRequestPipelineCreate: { pipeline: PipelineData | { readonly status?: undefined } } }>({
    method: 'POST',
    path: '/api/v4/projects/:id/merge_requests/:merge_request_iid/pipelines',
    summary: 'Create a pipeline of a merge request',
    tag: 'Pipelines',
    parameters: [
      { name: 'merge_request_iid', type: 'integer', required: true, description: 'Its number.' },
      { name: 'async', type: 'boolean', description: 'Whether to answer without the pipeline, with status 202.' },
    ],
    operation: `mutation ($input: MergeRequestPipelineCreateInput!, $shown: Boolean!) {
      mergeRequestPipelineCreate(input: $input) { pipeline { __typename ... @include(if: $shown) { ${pipelineFields} } } }
    }`,
    variables: ({ id, merge_request_iid: iid, async: unseen }) => ({
      input: { projectPath: id, iid: String(iid) },
      shown: unseen !== true,
    }),
    instead: {
      when: ({ mergeRequestPipelineCreate: { pipeline } }) => pipeline.status === undefined,
      record: Accepted,
    },
    missing: { MergeRequest: '404 Not found' },
    record: recordOf(Pipeline, ({ mergeRequestPipelineCreate }) => mergeRequestPipelineCreate.pipeline as PipelineData),
    refusals: [404],
    dialect: 'version 4',
  }),
  listRoute<ManualVariableData>({
    path: '/api/v4/projects/:id/pipelines/:pipeline_id/variables',
    summary: 'List the variables that a pipeline was given',
    tag: 'Pipelines',
    of: 'Variable',
    size: 100,
    parameters: [{ name: 'pipeline_id', type: 'integer', required: true, description: 'The number of the pipeline.' }],
    within: { field: 'pipeline', args: { project: 'ID!', id: 'CiPipelineID!' } },
    field: 'manualVariables',
    selection: 'variableType key value raw',
    variables: ({ id, pipeline_id: pipeline }) => ({ project: id, id: pipeline }),
    missing: { Pipeline: '404 Not found' },
    record: PipelineVariable,
  }),
];
