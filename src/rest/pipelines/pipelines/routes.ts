import { ciStatuses } from '../../../values/ci/statuses.ts';
import { pipelineSources } from '../../../values/ci/pipeline-sources.ts';
import { moment, upper } from '../../engine/declared.ts';
import { listRoute, ordering } from '../../engine/list-route.ts';
import type { Parameter } from '../../engine/parameters.ts';
import { NoContent, recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import {
  Pipeline,
  PipelineBasic,
  pipelineBasicFields,
  pipelineFields,
  type PipelineBasicData,
  type PipelineData,
} from './record.ts';

const tag = 'Pipelines';
const path = '/api/v4/projects/:id/pipelines';

/** The text is as clients know it. */
const missing = { Pipeline: '404 Not found', Commit: '404 Not found' };

const pipelineId: Parameter = { name: 'pipeline_id', type: 'integer', required: true, description: 'Its number.' };

const order = ordering(
  { id: 'id', status: 'status', ref: 'ref', updated_at: 'updated_at', user_id: 'user_id' },
  'id',
  'desc',
);

const filters: readonly Parameter[] = [
  {
    name: 'scope',
    type: 'string',
    allowed: ['running', 'pending', 'finished', 'branches', 'tags'],
    description: 'Only these; `branches` and `tags` are the latest of each that is there.',
  },
  { name: 'status', type: 'string', allowed: ciStatuses, description: 'Only those with this status.' },
  { name: 'ref', type: 'string', description: 'Only those of this branch or tag.' },
  { name: 'sha', type: 'string', description: 'Only those of this commit.' },
  { name: 'yaml_errors', type: 'boolean', description: 'Only those whose configuration is wrong, or isn’t.' },
  { name: 'username', type: 'string', description: 'Only those that this person started.' },
  { name: 'name', type: 'string', description: 'Only those with this name.' },
  { name: 'source', type: 'string', allowed: pipelineSources, description: 'Only those made for this reason.' },
  moment('updated_after', 'Only those updated later.'),
  moment('updated_before', 'Only those updated earlier.'),
  moment('created_after', 'Only those created later.'),
  moment('created_before', 'Only those created earlier.'),
  ...order.parameters,
];

export const pipelineRoutes: readonly AnyRoute[] = [
  listRoute<PipelineBasicData>({
    path,
    summary: 'List the pipelines of a project',
    tag,
    of: 'Pipeline',
    parameters: filters,
    field: 'pipelines',
    args: {
      project: 'ID!',
      scope: 'PipelineScopeEnum',
      status: 'PipelineStatusEnum',
      ref: 'String',
      sha: 'String',
      yamlErrors: 'Boolean',
      username: 'String',
      name: 'String',
      source: 'String',
      updatedAfter: 'Time',
      updatedBefore: 'Time',
      createdAfter: 'Time',
      createdBefore: 'Time',
      sort: 'String',
    },
    selection: pipelineBasicFields,
    variables: ({ id, scope, status, ref, sha, username, name, source, ...values }) => ({
      project: id,
      scope: upper(scope),
      status: upper(status),
      ref,
      sha,
      username,
      name,
      source,
      yamlErrors: values.yaml_errors,
      updatedAfter: values.updated_after,
      updatedBefore: values.updated_before,
      createdAfter: values.created_after,
      createdBefore: values.created_before,
      ...order.variables(values),
    }),
    record: PipelineBasic,
  }),
  route<{ latestPipeline: PipelineData }>({
    method: 'GET',
    path: `${path}/latest`,
    summary: 'Get the latest pipeline of a branch or tag',
    tag,
    parameters: [{ name: 'ref', type: 'string', description: 'The default branch if omitted.' }],
    operation: `query ($project: ID!, $ref: String) { latestPipeline(project: $project, ref: $ref) { ${pipelineFields} } }`,
    variables: ({ id, ref }) => ({ project: id, ref }),
    missing,
    record: recordOf(Pipeline, ({ latestPipeline }) => latestPipeline),
    refusals: [404],
    dialect: 'version 4',
  }),
  route<{ pipeline: PipelineData }>({
    method: 'GET',
    path: `${path}/:pipeline_id`,
    summary: 'Get a pipeline',
    tag,
    parameters: [pipelineId],
    operation: `query ($project: ID!, $id: CiPipelineID!) { pipeline(project: $project, id: $id) { ${pipelineFields} } }`,
    variables: ({ id, pipeline_id: pipeline }) => ({ project: id, id: pipeline }),
    missing,
    record: recordOf(Pipeline, ({ pipeline }) => pipeline),
    refusals: [404],
    dialect: 'version 4',
  }),
  route<{ pipelineCancel: { pipeline: PipelineData } }>({
    method: 'POST',
    path: `${path}/:pipeline_id/cancel`,
    summary: 'Cancel a pipeline',
    tag,
    parameters: [pipelineId],
    operation: `mutation ($input: PipelineCancelInput!) { pipelineCancel(input: $input) { pipeline { ${pipelineFields} } } }`,
    variables: ({ id, pipeline_id: pipeline }) => ({ input: { projectPath: id, id: pipeline } }),
    missing,
    record: recordOf(Pipeline, ({ pipelineCancel }) => pipelineCancel.pipeline),
    refusals: [404],
    dialect: 'version 4',
  }),
  route<{ pipelineRetry: { pipeline: PipelineData } }>({
    method: 'POST',
    path: `${path}/:pipeline_id/retry`,
    summary: 'Retry what failed or was canceled in a pipeline',
    tag,
    parameters: [pipelineId],
    operation: `mutation ($input: PipelineRetryInput!) { pipelineRetry(input: $input) { pipeline { ${pipelineFields} } } }`,
    variables: ({ id, pipeline_id: pipeline }) => ({ input: { projectPath: id, id: pipeline } }),
    status: 201,
    missing,
    record: recordOf(Pipeline, ({ pipelineRetry }) => pipelineRetry.pipeline),
    refusals: [404],
    dialect: 'version 4',
  }),
  route<{ pipelineMetadataUpdate: { pipeline: PipelineData } }>({
    method: 'PUT',
    path: `${path}/:pipeline_id/metadata`,
    summary: 'Name a pipeline',
    tag,
    parameters: [pipelineId, { name: 'name', type: 'string', required: true, description: 'Its name.' }],
    example: { name: 'Nightly' },
    operation: `mutation ($input: PipelineMetadataUpdateInput!) {
      pipelineMetadataUpdate(input: $input) { pipeline { ${pipelineFields} } }
    }`,
    variables: ({ id, pipeline_id: pipeline, name }) => ({
      input: { projectPath: id, id: pipeline, name: name ?? '' },
    }),
    missing,
    record: recordOf(Pipeline, ({ pipelineMetadataUpdate }) => pipelineMetadataUpdate.pipeline),
    refusals: [404],
    dialect: 'version 4',
  }),
  route<{ pipelineDestroy: unknown }>({
    method: 'DELETE',
    path: `${path}/:pipeline_id`,
    summary: 'Delete a pipeline',
    tag,
    parameters: [pipelineId],
    operation: 'mutation ($input: PipelineDestroyInput!) { pipelineDestroy(input: $input) { deletedDatabaseId } }',
    variables: ({ id, pipeline_id: pipeline }, { unmodifiedSince }) => ({
      input: { projectPath: id, id: pipeline, unmodifiedSince },
    }),
    conditional: true,
    status: 204,
    missing,
    record: NoContent,
    refusals: [404],
    dialect: 'version 4',
  }),
];
