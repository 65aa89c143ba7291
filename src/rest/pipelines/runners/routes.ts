import { ciStatuses } from '../../../values/ci/statuses.ts';
import { runnerStatuses, runnerTypes } from '../../../values/ci/runners.ts';
import { upper } from '../../engine/declared.ts';
import { ParameterProblems } from '../../engine/errors.ts';
import { listRoute } from '../../engine/list-route.ts';
import type { Parameter, Values } from '../../engine/parameters.ts';
import { NoContent, recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { Job, jobFields, type JobData } from '../jobs/record.ts';
import { runnerAttributes, runnerInput } from './attributes.ts';
import {
  MadeRunner,
  NewToken,
  Runner,
  RunnerDetails,
  runnerDetailsFields,
  runnerFields,
  type RunnerData,
  type RunnerDetailsData,
} from './record.ts';

/** Runners, for the people who administer them. */

const tag = 'Runners';
const dialect = 'version 4';
/** Wire names of fields in errors. */
const fields = { tagsList: 'tags_list' };
const missing = { Runner: '404 Not found' };

const filters: readonly Parameter[] = [
  { name: 'type', type: 'string', allowed: runnerTypes, description: 'Only those of this type.' },
  { name: 'paused', type: 'boolean', description: 'Only those that are paused, or aren’t.' },
  {
    name: 'status',
    type: 'string',
    allowed: [...runnerStatuses, 'active', 'paused'],
    description: 'Only those with this status; `active` and `paused` are those of older clients.',
  },
  {
    name: 'scope',
    type: 'string',
    allowed: ['active', 'paused', 'online', 'offline', 'specific', 'shared', ...runnerTypes],
    deprecated: '2026-01-01',
    description: 'The same as `status` or `type`.',
  },
  { name: 'tag_list', type: 'strings', description: 'Only those that have all of these tags.' },
];

const types: readonly string[] = runnerTypes;
const formerScopes: Readonly<Record<string, string>> = { specific: 'project_type', shared: 'instance_type' };

/** The filters as arguments of the schema. Older clients ask for whether a runner is paused by status or scope. */
function filtersIn({ type, paused, status, scope, tag_list: tagList }: Values) {
  const asked = [status, scope].map(String);
  const isPaused = asked.includes('paused') ? true : asked.includes('active') ? false : undefined;
  const ofScope = formerScopes[String(scope)] ?? scope;
  const wanted = [status, scope].find((one) => (runnerStatuses as readonly unknown[]).includes(one));
  return {
    type: upper(type ?? (types.includes(String(ofScope)) ? ofScope : undefined)),
    paused: paused ?? isPaused,
    status: upper(wanted),
    tagList,
  };
}

const list = {
  tag,
  of: 'Runner',
  parameters: filters,
  field: 'runners',
  selection: runnerFields,
  record: Runner,
} as const;
const args = { type: 'CiRunnerType', paused: 'Boolean', status: 'CiRunnerStatus', tagList: '[String!]' } as const;

/** The number of a runner in a path. @throws ParameterProblems */
function runnerId(values: Values, name = 'id'): Values[string] {
  if (!/^\d+$/.test(String(values[name]))) throw new ParameterProblems([`${name} is invalid`]);
  return values[name];
}

const details = `runner { ${runnerDetailsFields} }`;

/** The runners of a place, and what runners register with there. */
const ofPlace = (
  path: string,
  what: string,
  { argument, type }: { readonly argument?: 'project' | 'group'; readonly type: string },
): readonly AnyRoute[] => [
  route<{ runnersRegistrationTokenReset: { token: string } }>({
    method: 'POST',
    path: `${path}/reset_registration_token`,
    summary: `Reset the token that runners of ${what} register with`,
    tag,
    parameters: [],
    operation:
      'mutation ($input: RunnersRegistrationTokenResetInput!) { runnersRegistrationTokenReset(input: $input) { token } }',
    variables: ({ id }) => ({ input: { type, id: argument && id } }),
    status: 201,
    record: recordOf(NewToken, ({ runnersRegistrationTokenReset }) => runnersRegistrationTokenReset),
    dialect,
  }),
  ...(argument
    ? [
        listRoute<RunnerData>({
          ...list,
          path,
          summary: `List the runners of ${what}`,
          args: { ...args, [argument]: 'ID' },
          variables: ({ id, ...values }) => ({ [argument]: id, ...filtersIn(values) }),
        }),
      ]
    : []),
];

export const runnerRoutes: readonly AnyRoute[] = [
  listRoute<RunnerData>({
    ...list,
    path: '/api/v4/runners',
    summary: 'List the runners that you administer',
    args: { ...args, membership: 'Boolean' },
    variables: (values) => ({ membership: true, ...filtersIn(values) }),
  }),
  listRoute<RunnerData>({
    ...list,
    path: '/api/v4/runners/all',
    summary: 'List all runners',
    args,
    variables: filtersIn,
  }),
  ...ofPlace('/api/v4/projects/:id/runners', 'a project', { argument: 'project', type: 'PROJECT_TYPE' }),
  ...ofPlace('/api/v4/groups/:id/runners', 'a group', { argument: 'group', type: 'GROUP_TYPE' }),
  ...ofPlace('/api/v4/runners', 'the instance', { type: 'INSTANCE_TYPE' }),
  route<{ runnerCreate: { runner: { id: number; token: string } } }>({
    method: 'POST',
    path: '/api/v4/user/runners',
    summary: 'Make a runner',
    tag,
    parameters: [
      {
        name: 'runner_type',
        type: 'string',
        required: true,
        allowed: runnerTypes,
        description: 'Whose jobs it carries out.',
      },
      { name: 'group_id', type: 'integer', description: 'The group of a runner of a group.' },
      { name: 'project_id', type: 'integer', description: 'The project of a runner of a project.' },
      ...runnerAttributes.filter(({ name }) => name !== 'active'),
    ],
    operation:
      'mutation ($input: RunnerCreateInput!) { runnerCreate(input: $input) { runner { id: databaseId token: ephemeralAuthenticationToken } } }',
    variables: (values) => ({
      input: {
        runnerType: upper(values.runner_type),
        groupId: idText(values.group_id),
        projectId: idText(values.project_id),
        ...runnerInput(values),
      },
    }),
    status: 201,
    fields,
    record: recordOf(MadeRunner, ({ runnerCreate }) => runnerCreate.runner),
    refusals: [404],
    dialect,
  }),
  route<{ runner: RunnerDetailsData }>({
    method: 'GET',
    path: '/api/v4/runners/:id',
    summary: 'Get a runner',
    tag,
    parameters: [],
    operation: `query ($id: CiRunnerID!) { runner(id: $id) { ${runnerDetailsFields} } }`,
    variables: (values) => ({ id: runnerId(values) }),
    missing,
    record: recordOf(RunnerDetails, ({ runner }) => runner),
    refusals: [404],
    dialect,
  }),
  listRoute<JobData>({
    path: '/api/v4/runners/:id/jobs',
    summary: 'List the jobs of a runner',
    tag,
    of: 'Job',
    keyset: () => true,
    cursor: true,
    uncounted: true,
    parameters: [
      { name: 'status', type: 'string', allowed: ciStatuses, description: 'Only those with this status.' },
      { name: 'system_id', type: 'string', description: 'Only those of this machine of the runner.' },
    ],
    field: 'runnerJobs',
    args: { runner: 'CiRunnerID!', statuses: '[CiJobStatus!]', systemId: 'String' },
    selection: jobFields,
    variables: ({ status, system_id: systemId, ...values }) => ({
      runner: runnerId(values),
      statuses: status == null ? null : [upper(status)],
      systemId,
    }),
    missing,
    record: Job,
  }),
  route<{ runnerUpdate: { runner: RunnerDetailsData } }>({
    method: 'PUT',
    path: '/api/v4/runners/:id',
    summary: 'Change a runner',
    tag,
    parameters: [...runnerAttributes, { rule: 'at least one', of: runnerAttributes.map(({ name }) => name) }],
    operation: `mutation ($input: RunnerUpdateInput!) { runnerUpdate(input: $input) { ${details} } }`,
    variables: (values) => ({ input: { id: runnerId(values), ...runnerInput(values) } }),
    missing,
    fields,
    record: recordOf(RunnerDetails, ({ runnerUpdate }) => runnerUpdate.runner),
    refusals: [404],
    dialect,
  }),
  route<unknown>({
    method: 'DELETE',
    path: '/api/v4/runners/:id',
    summary: 'Remove a runner',
    tag,
    parameters: [],
    operation: 'mutation ($input: RunnerDeleteInput!) { runnerDelete(input: $input) { deletedDatabaseId } }',
    variables: (values) => ({ input: { id: runnerId(values) } }),
    status: 204,
    missing,
    record: NoContent,
    refusals: [404],
    dialect,
  }),
  route<{ runnerResetAuthenticationToken: { token: string } }>({
    method: 'POST',
    path: '/api/v4/runners/:id/reset_authentication_token',
    summary: 'Reset the token of a runner',
    tag,
    parameters: [],
    operation:
      'mutation ($input: RunnerResetAuthenticationTokenInput!) { runnerResetAuthenticationToken(input: $input) { token } }',
    variables: (values) => ({ input: { id: runnerId(values) } }),
    status: 201,
    missing,
    record: recordOf(NewToken, ({ runnerResetAuthenticationToken }) => runnerResetAuthenticationToken),
    refusals: [404],
    dialect,
  }),
  route<{ runnerAssignToProject: { runner: RunnerData } }>({
    method: 'POST',
    path: '/api/v4/projects/:id/runners',
    summary: 'Give a project a runner of another one',
    tag,
    parameters: [{ name: 'runner_id', type: 'integer', required: true, description: 'The number of the runner.' }],
    operation: `mutation ($input: RunnerAssignToProjectInput!) { runnerAssignToProject(input: $input) { runner { ${runnerFields} } } }`,
    variables: (values) => ({ input: { projectPath: values.id, runnerId: runnerId(values, 'runner_id') } }),
    status: 201,
    missing,
    record: recordOf(Runner, ({ runnerAssignToProject }) => runnerAssignToProject.runner),
    refusals: [404],
    dialect,
  }),
  route<unknown>({
    method: 'DELETE',
    path: '/api/v4/projects/:id/runners/:runner_id',
    summary: 'Take a runner from a project',
    tag,
    parameters: [],
    operation:
      'mutation ($input: RunnerUnassignFromProjectInput!) { runnerUnassignFromProject(input: $input) { runner { id } } }',
    variables: (values) => ({ input: { projectPath: values.id, runnerId: runnerId(values, 'runner_id') } }),
    status: 204,
    missing,
    record: NoContent,
    refusals: [404],
    dialect,
  }),
];

/** A number of a body as an id of the schema. */
function idText(value: Values[string]): Values[string] {
  return typeof value === 'number' ? String(value) : value;
}
