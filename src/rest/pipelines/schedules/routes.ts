import { variableTypes } from '../../../values/ci/variables.ts';
import { listRoute } from '../../engine/list-route.ts';
import type { Parameter, Values } from '../../engine/parameters.ts';
import { Created, NoContent, recordOf } from '../../engine/record.ts';
import { writersOnly } from '../../repository/commits/writing.ts';
import { route, type AnyRoute, type Guard } from '../../engine/route.ts';
import { PipelineBasic, pipelineBasicFields, type PipelineBasicData } from '../pipelines/record.ts';
import {
  Schedule,
  scheduleDetailFields,
  ScheduleDetails,
  scheduleFields,
  ScheduleVariable,
  scheduleVariableFields,
  type ScheduleData,
  type ScheduleDetailsData,
  type ScheduleVariableData,
} from './record.ts';

/** The schedules of a project. */

const tag = 'Pipeline schedules';
const path = '/api/v4/projects/:id/pipeline_schedules';
const single = `${path}/:pipeline_schedule_id`;
const dialect = 'version 4';

const scheduleId: Parameter = {
  name: 'pipeline_schedule_id',
  type: 'integer',
  required: true,
  description: 'Its number.',
};

const which = ({ id, pipeline_schedule_id: schedule }: Values) => ({ projectPath: id, id: schedule });
const asked = ({ id, pipeline_schedule_id: schedule }: Values) => ({ project: id, id: schedule });
const askedArgs = { project: 'ID!', id: 'CiPipelineScheduleID!' } as const;

/** A hidden project stays hidden, whatever is wrong with the parameters. */
const guard: Guard = {
  operation: 'query ($project: ID!) { pipelineSchedules(project: $project, first: 1) { count } }',
  variables: ({ id }) => ({ project: id }),
  before: 'every problem',
};

const attributes = (required: boolean): readonly Parameter[] => {
  const text = (name: string, description: string): Parameter => ({
    name,
    type: 'string',
    ...(required && { required }),
    description,
  });
  return [
    text('description', 'What it is for.'),
    text('ref', 'A branch or tag.'),
    text('cron', 'When: minute, hour, day of the month, month, day of the week. At most every ten minutes.'),
    { name: 'cron_timezone', type: 'string', description: 'The zone of these times: `Europe/Berlin`. By default UTC.' },
    { name: 'active', type: 'boolean', description: 'Whether it runs. By default it does.' },
  ];
};

const text = (given: unknown) => (given === null ? '' : given);

const attributesIn = (values: Values) => ({
  description: text(values.description),
  ref: text(values.ref),
  cron: text(values.cron),
  cronTimezone: values.cron_timezone,
  active: values.active,
});

type Changed<Name extends string> = Record<Name, { readonly pipelineSchedule: ScheduleDetailsData }>;

const schedules: readonly AnyRoute[] = [
  listRoute<ScheduleData>({
    path,
    summary: 'List the pipeline schedules of a project',
    tag,
    of: 'PipelineSchedule',
    parameters: [
      {
        name: 'scope',
        type: 'string',
        allowed: ['active', 'inactive'],
        description: 'Only those that run, or that don’t.',
      },
    ],
    field: 'pipelineSchedules',
    args: { project: 'ID!', status: 'PipelineScheduleStatus' },
    selection: scheduleFields,
    variables: ({ id, scope }) => ({ project: id, status: typeof scope === 'string' ? scope.toUpperCase() : scope }),
    record: Schedule,
  }),
  route<{ pipelineSchedule: ScheduleDetailsData }>({
    method: 'GET',
    path: single,
    summary: 'Get a pipeline schedule',
    tag,
    parameters: [scheduleId],
    operation: `query ($project: ID!, $id: CiPipelineScheduleID!) {
      pipelineSchedule(project: $project, id: $id) { ${scheduleDetailFields} }
    }`,
    variables: asked,
    guard,
    record: recordOf(ScheduleDetails, ({ pipelineSchedule }) => pipelineSchedule),
    refusals: [404],
    dialect,
  }),
  route<Changed<'pipelineScheduleCreate'>>({
    method: 'POST',
    path,
    summary: 'Make a pipeline schedule',
    tag,
    parameters: attributes(true),
    example: { description: 'Nightly', ref: 'main', cron: '0 3 * * *' },
    operation: `mutation ($input: PipelineScheduleCreateInput!) {
      pipelineScheduleCreate(input: $input) { pipelineSchedule { ${scheduleDetailFields} } }
    }`,
    variables: (values) => ({ input: { projectPath: values.id, ...attributesIn(values) } }),
    guard: writersOnly,
    status: 201,
    record: recordOf(ScheduleDetails, ({ pipelineScheduleCreate }) => pipelineScheduleCreate.pipelineSchedule),
    refusals: [404],
    dialect,
  }),
  route<Changed<'pipelineScheduleUpdate'>>({
    method: 'PUT',
    path: single,
    summary: 'Change a pipeline schedule',
    tag,
    parameters: [scheduleId, ...attributes(false)],
    operation: `mutation ($input: PipelineScheduleUpdateInput!) {
      pipelineScheduleUpdate(input: $input) { pipelineSchedule { ${scheduleDetailFields} } }
    }`,
    variables: (values) => ({ input: { ...which(values), ...attributesIn(values) } }),
    guard: writersOnly,
    record: recordOf(ScheduleDetails, ({ pipelineScheduleUpdate }) => pipelineScheduleUpdate.pipelineSchedule),
    refusals: [404],
    dialect,
  }),
  route<Changed<'pipelineScheduleTakeOwnership'>>({
    method: 'POST',
    path: `${single}/take_ownership`,
    summary: 'Make a pipeline schedule yours',
    tag,
    parameters: [scheduleId],
    operation: `mutation ($input: PipelineScheduleTakeOwnershipInput!) {
      pipelineScheduleTakeOwnership(input: $input) { pipelineSchedule { ${scheduleDetailFields} } }
    }`,
    variables: (values) => ({ input: which(values) }),
    guard: writersOnly,
    status: 201,
    record: recordOf(
      ScheduleDetails,
      ({ pipelineScheduleTakeOwnership }) => pipelineScheduleTakeOwnership.pipelineSchedule,
    ),
    refusals: [404],
    dialect,
  }),
  route<unknown>({
    method: 'POST',
    path: `${single}/play`,
    summary: 'Run a pipeline schedule now',
    tag,
    parameters: [scheduleId],
    operation: 'mutation ($input: PipelineSchedulePlayInput!) { pipelineSchedulePlay(input: $input) { errors } }',
    variables: (values) => ({ input: which(values) }),
    guard: writersOnly,
    status: 201,
    record: Created,
    refusals: [404],
    dialect,
  }),
  route<unknown>({
    method: 'DELETE',
    path: single,
    summary: 'Delete a pipeline schedule',
    tag,
    parameters: [scheduleId],
    operation: 'mutation ($input: PipelineScheduleDeleteInput!) { pipelineScheduleDelete(input: $input) { errors } }',
    variables: (values, { unmodifiedSince }) => ({ input: { ...which(values), unmodifiedSince } }),
    conditional: true,
    guard: writersOnly,
    status: 204,
    record: NoContent,
    refusals: [404],
    dialect,
  }),
  listRoute<PipelineBasicData>({
    path: `${single}/pipelines`,
    summary: 'List the pipelines that a schedule started',
    tag,
    of: 'Pipeline',
    parameters: [scheduleId],
    within: { field: 'pipelineSchedule', args: askedArgs },
    field: 'pipelines',
    selection: pipelineBasicFields,
    variables: asked,
    record: PipelineBasic,
  }),
];

const key: Parameter = {
  name: 'key',
  type: 'string',
  required: true,
  description: 'Its name: letters, digits and `_`.',
};

const variableAttributes: readonly Parameter[] = [
  {
    name: 'variable_type',
    type: 'string',
    allowed: variableTypes,
    description: '`file`: the job gets the name of a file with the value.',
  },
  { name: 'raw', type: 'boolean', description: 'Whether references to other variables in the value stay as they are.' },
];

const value: Parameter = { name: 'value', type: 'string', verbatim: true, description: 'At most 10,000 characters.' };

const variableInput = (values: Values) => ({
  ...which(values),
  key: values.key ?? '',
  value: text(values.value),
  variableType: typeof values.variable_type === 'string' ? values.variable_type.toUpperCase() : undefined,
  raw: values.raw,
});

/** A change of a variable of a schedule. */
const changes = (
  verb: 'Create' | 'Update' | 'Delete',
  definition: Pick<AnyRoute, 'method' | 'path' | 'summary' | 'parameters' | 'variables'> &
    Partial<Pick<AnyRoute, 'status'>>,
) => {
  const field = `pipelineScheduleVariable${verb}`;
  return route<Record<string, { variable: ScheduleVariableData }>>({
    ...definition,
    tag,
    operation: `mutation ($input: PipelineScheduleVariable${verb}Input!) {
      ${field}(input: $input) { variable { ${scheduleVariableFields} } }
    }`,
    guard: writersOnly,
    record: recordOf(ScheduleVariable, (data) => data[field]!.variable),
    refusals: [404],
    dialect,
  });
};

const variables: readonly AnyRoute[] = [
  changes('Create', {
    method: 'POST',
    path: `${single}/variables`,
    summary: 'Set a new variable of a pipeline schedule',
    parameters: [scheduleId, key, { ...value, required: true }, ...variableAttributes],
    variables: (values) => ({ input: variableInput(values) }),
    status: 201,
  }),
  changes('Update', {
    method: 'PUT',
    path: `${single}/variables/:key`,
    summary: 'Change a variable of a pipeline schedule',
    parameters: [scheduleId, value, ...variableAttributes],
    variables: (values) => ({ input: variableInput(values) }),
  }),
  changes('Delete', {
    method: 'DELETE',
    path: `${single}/variables/:key`,
    summary: 'Delete a variable of a pipeline schedule',
    parameters: [scheduleId],
    variables: (values) => ({ input: { ...which(values), key: values.key } }),
    status: 202,
  }),
];

export const scheduleRoutes: readonly AnyRoute[] = [...schedules, ...variables];
