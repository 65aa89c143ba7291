import { autoStopSettings, deploymentTiers, environmentStates } from '../../../values/ci/environments.ts';
import { upper } from '../../engine/declared.ts';
import { listRoute } from '../../engine/list-route.ts';
import type { Declaration, Parameter, Values } from '../../engine/parameters.ts';
import { NoContent, recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import {
  Environment,
  listedEnvironmentFields,
  ShownEnvironment,
  shownEnvironmentFields,
  type ListedEnvironmentData,
  type ShownEnvironmentData,
} from './record.ts';

const tag = 'Environments';
const path = '/api/v4/projects/:id/environments';

/** The text is as clients know it. */
const missing = { Environment: '404 Not found' };

const environmentId: Parameter = {
  name: 'environment_id',
  type: 'integer',
  required: true,
  description: 'Its number in the instance.',
};

const settings: readonly Declaration[] = [
  { name: 'external_url', type: 'string', description: 'Where people see it.' },
  { rule: 'generated', of: ['slug'] },
  { name: 'tier', type: 'string', allowed: deploymentTiers, description: 'What it is for.' },
  { name: 'description', type: 'string', description: 'At most 10,000 characters.' },
  {
    name: 'auto_stop_setting',
    type: 'string',
    allowed: autoStopSettings,
    description: 'Whether stopping by itself needs a job that stops it.',
  },
];

const settingsOf = (values: Values) => ({
  externalUrl: values.external_url,
  tier: upper(values.tier),
  description: values.description,
  autoStopSetting: upper(values.auto_stop_setting),
});

/** An operation on one environment, below its project or at the root. */
const stopRoute = (at: string, within: (values: Values) => object) =>
  route<{ environmentStop: { environment: ListedEnvironmentData } }>({
    method: 'POST',
    path: `${at}/:environment_id/stop`,
    summary: 'Stop an environment',
    tag,
    parameters: [
      environmentId,
      { name: 'force', type: 'boolean', default: false, description: 'Whether without the job that stops it.' },
    ],
    operation: `mutation ($input: EnvironmentStopInput!) {
      environmentStop(input: $input) { environment { ${listedEnvironmentFields} } }
    }`,
    variables: (values) => ({ input: { ...within(values), id: values.environment_id, force: values.force } }),
    missing,
    record: recordOf(Environment, ({ environmentStop }) => environmentStop.environment),
    refusals: [404],
    dialect: 'version 4',
  });

export const environmentRoutes: readonly AnyRoute[] = [
  listRoute<ListedEnvironmentData>({
    path,
    summary: 'List the environments of a project',
    tag,
    of: 'Environment',
    parameters: [
      { name: 'name', type: 'string', description: 'Only the one with this name.' },
      { name: 'search', type: 'string', description: 'Only those with this in their name; at least 3 characters.' },
      { rule: 'not together', of: ['name', 'search'] },
      { name: 'states', type: 'string', allowed: environmentStates, description: 'Only those in this state.' },
    ],
    field: 'environments',
    args: { project: 'ID!', name: 'String', search: 'String', states: '[String!]' },
    selection: listedEnvironmentFields,
    variables: ({ id, name, search, states }) => ({
      project: id,
      name,
      search,
      states: states == null ? undefined : [states],
    }),
    record: Environment,
  }),
  route<{ environment: ShownEnvironmentData }>({
    method: 'GET',
    path: `${path}/:environment_id`,
    summary: 'Get an environment',
    tag,
    parameters: [environmentId],
    operation: `query ($project: ID!, $id: EnvironmentID!) { environment(project: $project, id: $id) { ${shownEnvironmentFields} } }`,
    variables: ({ id, environment_id: environment }) => ({ project: id, id: environment }),
    missing,
    record: recordOf(ShownEnvironment, ({ environment }) => environment),
    refusals: [404],
    dialect: 'version 4',
  }),
  route<{ environmentCreate: { environment: ListedEnvironmentData } }>({
    method: 'POST',
    path,
    summary: 'Make an environment',
    tag,
    parameters: [{ name: 'name', type: 'string', required: true, description: 'Its name.' }, ...settings],
    example: { name: 'review/fix-foo' },
    operation: `mutation ($input: EnvironmentCreateInput!) {
      environmentCreate(input: $input) { environment { ${listedEnvironmentFields} } }
    }`,
    variables: (values) => ({ input: { projectPath: values.id, name: values.name ?? '', ...settingsOf(values) } }),
    status: 201,
    record: recordOf(Environment, ({ environmentCreate }) => environmentCreate.environment),
    refusals: [404],
    dialect: 'version 4',
  }),
  route<{ environmentUpdate: { environment: ListedEnvironmentData } }>({
    method: 'PUT',
    path: `${path}/:environment_id`,
    summary: 'Change an environment',
    tag,
    parameters: [
      environmentId,
      { name: 'name', type: 'string', description: 'Another name. The slug stays.' },
      ...settings,
    ],
    operation: `mutation ($input: EnvironmentUpdateInput!) {
      environmentUpdate(input: $input) { environment { ${listedEnvironmentFields} } }
    }`,
    variables: (values) => ({
      input: {
        projectPath: values.id,
        id: values.environment_id,
        name: values.name === null ? '' : values.name,
        ...settingsOf(values),
      },
    }),
    missing,
    record: recordOf(Environment, ({ environmentUpdate }) => environmentUpdate.environment),
    refusals: [404],
    dialect: 'version 4',
  }),
  stopRoute(path, ({ id }) => ({ projectPath: id })),
  stopRoute('/api/v4/environments', () => ({})),
  route<unknown>({
    method: 'DELETE',
    path: `${path}/:environment_id`,
    summary: 'Delete a stopped environment',
    tag,
    parameters: [environmentId],
    operation: 'mutation ($input: EnvironmentDeleteInput!) { environmentDelete(input: $input) { deletedDatabaseId } }',
    variables: ({ id, environment_id: environment }) => ({ input: { projectPath: id, id: environment } }),
    status: 204,
    missing,
    record: NoContent,
    refusals: [404],
    dialect: 'version 4',
  }),
];
