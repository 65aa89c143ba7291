import type { Parameter } from '../../engine/parameters.ts';
import { ErrorTrackingSettings, type ErrorTrackingData } from './record.ts';
import type { Record as WireRecord } from '../../engine/record.ts';
import { route, type AnyRoute, type Guard } from '../../engine/route.ts';

const path = '/api/v4/projects/:id/error_tracking/settings';
const tag = 'Error tracking settings';
const selection = 'active projectName trackerExternalUrl apiUrl';
const readOperation = `query ($id: ID!) { errorTrackingSettings(project: $id) { ${selection} } }`;

interface Read {
  readonly errorTrackingSettings: ErrorTrackingData;
}

const record = <Data>(find: (data: Data) => Read): WireRecord<Data> => ({
  ...ErrorTrackingSettings,
  present: (data) => ErrorTrackingSettings.present(find(data).errorTrackingSettings),
});

/** Checks access first: a client without access must not see parameter errors. */
const guard: Guard = {
  operation: readOperation,
  variables: ({ id }) => ({ id }),
  before: 'every problem',
  except: 'Error Tracking Setting',
};

const active: Parameter = {
  name: 'active',
  type: 'boolean',
  required: true,
  notBlank: true,
  description: 'Whether error tracking is on.',
};
const integrated: Parameter = {
  name: 'integrated',
  type: 'boolean',
  description: 'The gateway has no integrated tracker: `true` is refused.',
};

export const errorTrackingSettingsRoutes: AnyRoute[] = [
  route<Read>({
    method: 'GET',
    path,
    summary: 'Get the error tracking settings of a project (maintainers and above)',
    tag,
    parameters: [],
    operation: readOperation,
    variables: ({ id }) => ({ id }),
    record: record((data) => data),
    dialect: 'version 4',
  }),
  route<{ updateErrorTrackingSettings: Read }>({
    method: 'PATCH',
    path,
    summary: 'Turn error tracking of a project on or off',
    tag,
    parameters: [active, integrated],
    example: { active: true },
    operation: `mutation ($input: UpdateErrorTrackingSettingsInput!) {
      updateErrorTrackingSettings(input: $input) { errorTrackingSettings { ${selection} } }
    }`,
    variables: ({ id, active: on, integrated: own }) => ({ input: { project: id, active: on, integrated: own } }),
    guard,
    record: record((data) => data.updateErrorTrackingSettings),
    dialect: 'version 4',
  }),
  route<{ configureErrorTracking: Read }>({
    method: 'PUT',
    path,
    summary: 'Configure error tracking of a project',
    tag,
    parameters: [
      active,
      integrated,
      {
        name: 'api_url',
        type: 'string',
        description: 'API URL of the project in the tracker. Required the first time.',
      },
      {
        name: 'project_name',
        type: 'string',
        description: 'Name of the project in the tracker; taken from the URL if empty.',
      },
    ],
    example: { active: true, api_url: 'https://tracker.example.com/api/0/projects/demo/storefront' },
    operation: `mutation ($input: ConfigureErrorTrackingInput!) {
      configureErrorTracking(input: $input) { errorTrackingSettings { ${selection} } }
    }`,
    variables: (values) => ({
      input: {
        project: values.id,
        active: values.active,
        integrated: values.integrated,
        apiUrl: values.api_url,
        projectName: values.project_name,
      },
    }),
    guard,
    record: record((data) => data.configureErrorTracking),
    dialect: 'version 4',
  }),
];
