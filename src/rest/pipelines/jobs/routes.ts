import { ciStatuses } from '../../../values/ci/statuses.ts';
import { listRoute } from '../../engine/list-route.ts';
import type { Parameter, Value } from '../../engine/parameters.ts';
import { recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { PipelineBasic, pipelineBasicFields, type PipelineBasicData } from '../pipelines/record.ts';
import { Job, jobFields, type JobData } from './record.ts';

/** Jobs of pipelines. */

const tag = 'Jobs';
const jobs = '/api/v4/projects/:id/jobs';
const one = `${jobs}/:job_id`;
const ofPipeline = '/api/v4/projects/:id/pipelines/:pipeline_id';

/** The text is as clients know it. */
const missing = { Job: '404 Not found', Pipeline: '404 Not found' };

const jobId: Parameter = { name: 'job_id', type: 'integer', required: true, description: 'Its number.' };
const pipelineId: Parameter = {
  name: 'pipeline_id',
  type: 'integer',
  required: true,
  description: 'The number of the pipeline.',
};
const scope: Parameter = {
  name: 'scope',
  type: 'strings',
  allowed: ciStatuses,
  description: 'Only those with one of these statuses.',
};

const statusesIn = (given: Value) => (given as readonly string[] | null | undefined)?.map((one) => one.toUpperCase());

/** A call that changes a job and answers with it. */
const change = (
  name: 'cancel' | 'retry' | 'erase' | 'play',
  {
    field,
    summary,
    parameters = [],
    status,
    more,
  }: Pick<AnyRoute, 'summary'> & {
    readonly field: string;
    readonly parameters?: readonly Parameter[];
    readonly status?: 201;
    readonly more?: (values: { readonly [name: string]: Value }) => object;
  },
): AnyRoute =>
  route<Record<string, { job: JobData }>>({
    method: 'POST',
    path: `${one}/${name}`,
    summary,
    tag,
    parameters: [jobId, ...parameters],
    operation: `mutation ($input: ${field[0]!.toUpperCase()}${field.slice(1)}Input!) { ${field}(input: $input) { job { ${jobFields} } } }`,
    variables: ({ id, job_id: job, ...values }) => ({ input: { projectPath: id, id: job, ...more?.(values) } }),
    ...(status && { status }),
    missing,
    record: recordOf(Job, (data) => data[field]!.job),
    refusals: [404],
    dialect: 'version 4',
  });

export const jobRoutes: readonly AnyRoute[] = [
  listRoute<JobData>({
    path: jobs,
    summary: 'List the jobs of a project',
    tag,
    of: 'Job',
    keyset: () => true,
    cursor: true,
    uncounted: true,
    parameters: [scope],
    field: 'jobs',
    args: { project: 'ID!', statuses: '[CiJobStatus!]' },
    selection: jobFields,
    variables: ({ id, scope: statuses }) => ({ project: id, statuses: statusesIn(statuses) }),
    record: Job,
  }),
  route<{ job: JobData }>({
    method: 'GET',
    path: one,
    summary: 'Get a job',
    tag,
    parameters: [jobId],
    operation: `query ($project: ID!, $id: JobID!) { job(project: $project, id: $id) { ${jobFields} } }`,
    variables: ({ id, job_id: job }) => ({ project: id, id: job }),
    missing,
    record: recordOf(Job, ({ job }) => job),
    refusals: [404],
    dialect: 'version 4',
  }),
  route<{ currentJob: JobData }>({
    method: 'GET',
    path: '/api/v4/job',
    summary: 'Get the job whose token the request has',
    tag,
    parameters: [],
    operation: `query { currentJob { ${jobFields} } }`,
    variables: () => ({}),
    record: recordOf(Job, ({ currentJob }) => currentJob),
    refusals: [404],
    dialect: 'version 4',
  }),
  change('cancel', {
    field: 'jobCancel',
    status: 201,
    summary: 'Cancel a job',
    parameters: [{ name: 'force', type: 'boolean', description: 'Ignored: a job is canceled at once.' }],
  }),
  change('retry', { field: 'jobRetry', status: 201, summary: 'Retry a job: a new one counts in its place' }),
  change('erase', { field: 'jobErase', status: 201, summary: 'Remove the log and the artifacts of a job' }),
  change('play', {
    field: 'jobPlay',
    summary: 'Start a job that waits for a person or for its time',
    parameters: [
      {
        name: 'job_variables_attributes',
        type: 'objects',
        description: 'Variables for the job.',
        of: [
          { name: 'key', type: 'string', required: true, description: 'Letters, digits and `_`.' },
          { name: 'value', type: 'string', required: true, verbatim: true, description: 'Its value.' },
        ],
      },
    ],
    more: ({ job_variables_attributes: given }) => ({
      variables: ((given ?? []) as unknown as readonly { key: string; value: string | null }[]).map(
        ({ key, value }) => ({ key, value: value ?? '' }),
      ),
    }),
  }),
  listRoute<JobData>({
    path: `${ofPipeline}/jobs`,
    summary: 'List the jobs of a pipeline',
    tag,
    of: 'Job',
    parameters: [
      pipelineId,
      scope,
      { name: 'include_retried', type: 'boolean', default: false, description: 'Also those that later ones replaced.' },
    ],
    within: { field: 'pipeline', args: { project: 'ID!', id: 'CiPipelineID!' } },
    field: 'jobs',
    args: { statuses: '[CiJobStatus!]', retried: 'Boolean', external: 'Boolean' },
    selection: jobFields,
    variables: ({ id, pipeline_id: pipeline, scope: statuses, include_retried: retried }) => ({
      project: id,
      id: pipeline,
      statuses: statusesIn(statuses),
      retried: retried === true,
      external: false,
    }),
    missing,
    record: Job,
  }),
  listRoute<PipelineBasicData>({
    path: `${ofPipeline}/bridges`,
    summary: 'List the jobs of a pipeline that start other pipelines: none',
    tag,
    of: 'Pipeline',
    parameters: [pipelineId, scope],
    within: { field: 'pipeline', args: { project: 'ID!', id: 'CiPipelineID!' } },
    field: 'downstream',
    selection: pipelineBasicFields,
    variables: ({ id, pipeline_id: pipeline }) => ({ project: id, id: pipeline }),
    missing,
    record: PipelineBasic,
  }),
];
