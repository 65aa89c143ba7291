import { recordNumber } from '../../../values/integers.ts';
import type { HandedJob } from '../../../values/ci/handed-job.ts';
import { ParameterProblems } from '../../engine/errors.ts';
import type { Parameter, Values } from '../../engine/parameters.ts';
import { NoContent, recordOf, type Record } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { runnerAttributes, runnerInput } from './attributes.ts';
import { JobForRunner } from './payload.ts';
import { MadeRunner, NewToken } from './record.ts';

/** What the program of a runner asks for (contract §9.1, §9.2, §9.4). It sends its token as a parameter. */

const tag = 'Runners: for their programs';
const dialect = 'runners';

const token: Parameter = {
  name: 'token',
  type: 'string',
  required: true,
  description: 'Token of the runner.',
};
/** Newer runners send it in a header, too. */
const info: Parameter = { name: 'info', type: 'object', description: 'What the runner says of itself.' };
const systemId: Parameter = { name: 'system_id', type: 'string', description: 'What the machine calls itself.' };

const said = ({ info: given, system_id: system }: Values) => ({ info: given, systemId: system });

/** The state of a job, as the answer to a report. */
const Reported: Record<unknown> = {
  name: 'JobReported',
  schema: { type: 'integer', const: 200 },
  present: () => 200 as never,
};

/** An exit code as 32 bits with a sign: Windows has codes beyond, and a job that ends with one has ended all the same. */
const signed = (code: Values[string]): Values[string] => (typeof code === 'number' ? code | 0 : code);

/** The number of a job in a path. @throws ParameterProblems */
function jobId({ id }: Values): number {
  const number = recordNumber(String(id));
  if (number === 0) throw new ParameterProblems(['id is invalid']);
  return number;
}

export const runnerMachineRoutes: readonly AnyRoute[] = [
  route<{ ciRunnerRegister: { id: number; token: string } }>({
    method: 'POST',
    path: '/api/v4/runners',
    summary: 'Register a runner',
    tag,
    auth: 'registration',
    parameters: [
      { ...token, description: 'Registration token of the instance, a group or a project.' },
      ...runnerAttributes,
      info,
    ],
    operation:
      'mutation ($input: CiRunnerRegisterInput!) { ciRunnerRegister(input: $input) { id: runnerDatabaseId token } }',
    variables: (values) => ({ input: { info: values.info, ...runnerInput(values) } }),
    fields: { tagsList: 'tags_list' },
    status: 201,
    record: recordOf(MadeRunner, ({ ciRunnerRegister }) => ciRunnerRegister),
    dialect,
  }),
  route<{ ciRunnerVerify: { id: number; token: string } }>({
    method: 'POST',
    path: '/api/v4/runners/verify',
    summary: 'Verify the token of a runner',
    tag,
    auth: 'runner',
    parameters: [token, info, systemId],
    operation:
      'mutation ($input: CiRunnerVerifyInput!) { ciRunnerVerify(input: $input) { id: runnerDatabaseId token } }',
    variables: (values) => ({ input: { ...said(values), token: values.token } }),
    record: recordOf(MadeRunner, ({ ciRunnerVerify }) => ciRunnerVerify),
    dialect,
  }),
  route<unknown>({
    method: 'DELETE',
    path: '/api/v4/runners',
    summary: 'Remove a runner, by its token',
    tag,
    auth: 'runner',
    parameters: [token],
    operation: 'mutation ($input: CiRunnerUnregisterInput!) { ciRunnerUnregister(input: $input) { runnerDatabaseId } }',
    variables: () => ({ input: {} }),
    status: 204,
    record: NoContent,
    dialect,
  }),
  route<unknown>({
    method: 'DELETE',
    path: '/api/v4/runners/managers',
    summary: 'Remove a machine of a runner, by the token of the runner',
    tag,
    auth: 'runner',
    parameters: [token, { ...systemId, required: true }],
    operation:
      'mutation ($input: CiRunnerManagerRemoveInput!) { ciRunnerManagerRemove(input: $input) { runnerDatabaseId } }',
    variables: ({ system_id: system }) => ({ input: { systemId: system } }),
    status: 204,
    record: NoContent,
    dialect,
  }),
  route<{ ciRunnerTokenReset: { token: string } }>({
    method: 'POST',
    path: '/api/v4/runners/reset_authentication_token',
    summary: 'Reset the token of a runner, by its token',
    tag,
    auth: 'runner',
    parameters: [token],
    operation: 'mutation ($input: CiRunnerTokenResetInput!) { ciRunnerTokenReset(input: $input) { token } }',
    variables: () => ({ input: {} }),
    status: 201,
    record: recordOf(NewToken, ({ ciRunnerTokenReset }) => ciRunnerTokenReset),
    dialect,
  }),
  route<{ ciJobRequest: { job: HandedJob | null; lastUpdate: string | null } }>({
    method: 'POST',
    path: '/api/v4/jobs/request',
    summary: 'Request a job',
    tag,
    auth: 'runner',
    waits: true,
    parameters: [
      token,
      info,
      systemId,
      { name: 'last_update', type: 'string', description: 'The `X-GitLab-Last-Update` of the last answer.' },
    ],
    operation: 'mutation ($input: CiJobRequestInput!) { ciJobRequest(input: $input) { job lastUpdate } }',
    variables: (values) => ({ input: { ...said(values), lastUpdate: values.last_update } }),
    status: 201,
    settled: ({ ciJobRequest }) => ciJobRequest.job === null,
    headers: ({ ciJobRequest: { lastUpdate } }) => (lastUpdate === null ? {} : { 'x-gitlab-last-update': lastUpdate }),
    record: recordOf(JobForRunner, ({ ciJobRequest }) => ciJobRequest.job!),
    dialect,
  }),
  route<{ ciJobReport: { status: string } }>({
    method: 'PUT',
    path: '/api/v4/jobs/:id',
    summary: 'Report the state of a job',
    tag,
    auth: 'job',
    parameters: [
      { ...token, description: 'Token of the job.' },
      { name: 'state', type: 'string', description: '`running`, `success` or `failed`.' },
      { name: 'failure_reason', type: 'string', description: 'Why it failed.' },
      { name: 'exit_code', type: 'integer', description: 'The exit code of the script.' },
    ],
    operation: 'mutation ($input: CiJobReportInput!) { ciJobReport(input: $input) { status } }',
    variables: ({ state, failure_reason: failureReason, exit_code: exitCode, ...values }) => ({
      input: { id: jobId(values), state, failureReason, exitCode: signed(exitCode) },
    }),
    headers: ({ ciJobReport: { status } }) => ({ 'job-status': status }),
    record: Reported,
    dialect,
  }),
];
