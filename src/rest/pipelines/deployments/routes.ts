import { deploymentStatuses, reportedDeployments } from '../../../values/ci/environments.ts';
import { moment, upper } from '../../engine/declared.ts';
import { listRoute, ordering } from '../../engine/list-route.ts';
import type { Parameter } from '../../engine/parameters.ts';
import { NoContent, recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { listedMergeRequests } from '../../reviews/merge-requests/list.ts';
import { Deployment, deploymentFields, type DeploymentData } from './record.ts';

const tag = 'Deployments';
const path = '/api/v4/projects/:id/deployments';

/** The text is as clients know it. */
const missing = { Deployment: '404 Not found' };

const deploymentId: Parameter = {
  name: 'deployment_id',
  type: 'integer',
  required: true,
  description: 'Its number in the instance.',
};

const order = ordering(
  {
    id: 'id',
    iid: 'iid',
    created_at: 'created_at',
    updated_at: 'updated_at',
    finished_at: 'finished_at',
    ref: 'ref',
  },
  'id',
  'asc',
);

const status: Parameter = {
  name: 'status',
  type: 'string',
  required: true,
  allowed: reportedDeployments,
  description: 'How far it is.',
};

export const deploymentRoutes: readonly AnyRoute[] = [
  listRoute<DeploymentData>({
    path,
    summary: 'List the deployments of a project',
    tag,
    of: 'Deployment',
    parameters: [
      ...order.parameters,
      moment('updated_after', 'Only those updated then or later; needs `order_by=updated_at`.'),
      moment('updated_before', 'Only those updated then or earlier; needs `order_by=updated_at`.'),
      moment('finished_after', 'Only those finished then or later; needs `order_by=finished_at&status=success`.'),
      moment('finished_before', 'Only those finished then or earlier; needs `order_by=finished_at&status=success`.'),
      { name: 'environment', type: 'string', description: 'Only those to the environment with this name.' },
      { name: 'status', type: 'string', allowed: deploymentStatuses, description: 'Only those with this status.' },
    ],
    field: 'deployments',
    args: {
      project: 'ID!',
      environment: 'String',
      statuses: '[DeploymentStatus!]',
      updatedAfter: 'Time',
      updatedBefore: 'Time',
      finishedAfter: 'Time',
      finishedBefore: 'Time',
      sort: 'String',
    },
    selection: deploymentFields,
    variables: ({ id, environment, status: only, ...values }) => ({
      project: id,
      environment,
      statuses: only == null ? undefined : [upper(only)],
      updatedAfter: values.updated_after,
      updatedBefore: values.updated_before,
      finishedAfter: values.finished_after,
      finishedBefore: values.finished_before,
      ...order.variables(values),
    }),
    record: Deployment,
  }),
  route<{ deployment: DeploymentData }>({
    method: 'GET',
    path: `${path}/:deployment_id`,
    summary: 'Get a deployment',
    tag,
    parameters: [deploymentId],
    operation: `query ($project: ID!, $id: ID!) { deployment(project: $project, id: $id) { ${deploymentFields} } }`,
    variables: ({ id, deployment_id: deployment }) => ({ project: id, id: deployment }),
    missing,
    record: recordOf(Deployment, ({ deployment }) => deployment),
    refusals: [404],
    dialect: 'version 4',
  }),
  route<{ deploymentCreate: { deployment: DeploymentData } }>({
    method: 'POST',
    path,
    summary: 'Report a deployment',
    tag,
    parameters: [
      {
        name: 'environment',
        type: 'string',
        required: true,
        description: 'The name of its environment, which is made if there is none.',
      },
      { name: 'sha', type: 'string', required: true, description: 'The commit.' },
      { name: 'ref', type: 'string', required: true, description: 'The branch or tag.' },
      { name: 'tag', type: 'boolean', required: true, description: 'Whether `ref` is a tag.' },
      status,
    ],
    example: { environment: 'production', sha: 'a91957a858320c0e17f3a0eca7cfacbff50ea29a', ref: 'main', tag: false },
    operation: `mutation ($input: DeploymentCreateInput!) {
      deploymentCreate(input: $input) { deployment { ${deploymentFields} } }
    }`,
    variables: ({ id, environment, sha, ref, tag: isTag, status: reported }) => ({
      input: {
        projectPath: id,
        environment: environment ?? '',
        sha: sha ?? '',
        ref: ref ?? '',
        tag: isTag === true,
        status: upper(reported),
      },
    }),
    status: 201,
    record: recordOf(Deployment, ({ deploymentCreate }) => deploymentCreate.deployment),
    refusals: [404],
    dialect: 'version 4',
  }),
  route<{ deploymentUpdate: { deployment: DeploymentData } }>({
    method: 'PUT',
    path: `${path}/:deployment_id`,
    summary: 'Report how a deployment went on',
    tag,
    parameters: [deploymentId, status],
    operation: `mutation ($input: DeploymentUpdateInput!) {
      deploymentUpdate(input: $input) { deployment { ${deploymentFields} } }
    }`,
    variables: ({ id, deployment_id: deployment, status: reported }) => ({
      input: { projectPath: id, id: deployment, status: upper(reported) },
    }),
    missing,
    record: recordOf(Deployment, ({ deploymentUpdate }) => deploymentUpdate.deployment),
    refusals: [404],
    dialect: 'version 4',
  }),
  route<unknown>({
    method: 'DELETE',
    path: `${path}/:deployment_id`,
    summary: 'Delete a deployment',
    tag,
    parameters: [deploymentId],
    operation: 'mutation ($input: DeploymentDeleteInput!) { deploymentDelete(input: $input) { deletedDatabaseId } }',
    variables: ({ id, deployment_id: deployment }) => ({ input: { projectPath: id, id: deployment } }),
    status: 204,
    missing,
    record: NoContent,
    refusals: [404],
    dialect: 'version 4',
  }),
  listRoute({
    ...listedMergeRequests,
    path: `${path}/:deployment_id/merge_requests`,
    summary: 'List the merge requests that a deployment brought to its environment',
    tag,
    parameters: [deploymentId],
    within: { field: 'deployment', args: { project: 'ID!', id: 'ID!' } },
    field: 'mergeRequests',
    variables: ({ id, deployment_id: deployment }) => ({ project: id, id: deployment, details: false, html: false }),
    missing,
  }),
];
