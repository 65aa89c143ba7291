import { expect } from 'vitest';
import type { Row } from './row.ts';
import { newDeployKey, newEnvironment, newPipeline, newProject, newTrigger } from './steps.ts';

const jobs = { status: 404, has: { error: '404 Not Found' } };
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDb0uuQWD6d7e0wVBBTQKa6wNzktZ1fi9aU9xlHecc2n row@example.com';

const pipelines: readonly Row[] = [
  {
    name: '9.0: GET /projects/:id/pipelines has basic information',
    given: newPipeline,
    request: { call: 'GET /projects/{project}/pipelines' },
    response: { status: 200, list: { id: ['{pipeline}'] }, lacks: ['user', 'duration', 'coverage', 'before_sha'] },
  },
  {
    name: '9.0: GET /projects/:id/pipelines/:pipeline_id has the rest',
    given: newPipeline,
    request: { call: 'GET /projects/{project}/pipelines/{pipeline}' },
    response: { status: 200, has: { id: '{pipeline}', user: { username: 'maintainer' } } },
  },
  {
    name: '9.0: the jobs of a commit are those of its pipelines',
    given: newPipeline,
    request: { call: 'GET /projects/{project}/pipelines', query: { sha: '{sha}' } },
    response: { status: 200, list: { id: ['{pipeline}'] } },
  },
  {
    name: '9.0: GET /projects/:id/jobs',
    given: newPipeline,
    request: { call: 'GET /projects/{project}/jobs' },
    response: { status: 200, list: { name: ['test'] } },
  },
  {
    name: '9.0: GET /projects/:id/jobs/:job_id',
    given: [...newPipeline, { call: 'GET /projects/{project}/pipelines/{pipeline}/jobs', keeps: { job: '0.id' } }],
    request: { call: 'GET /projects/{project}/jobs/{job}' },
    response: { status: 200, has: { id: '{job}', name: 'test', stage: 'test' } },
  },
  {
    name: '9.0: GET /projects/:id/builds has a hint to jobs',
    given: newPipeline,
    request: { call: 'GET /projects/{project}/builds' },
    response: { ...jobs, hint: 'use /api/v4/projects/:id/jobs' },
  },
  {
    name: '9.0: builds are renamed jobs: GET /projects/:id/builds',
    request: { call: 'GET /projects/{storefront}/builds' },
    response: { ...jobs, hint: 'Builds are called jobs' },
  },
  {
    name: '9.0: builds are renamed jobs: POST /projects/:id/builds/:build_id/retry',
    request: { call: 'POST /projects/{storefront}/builds/1/retry' },
    response: { ...jobs, hint: 'Builds are called jobs' },
  },
  {
    name: '9.0: builds are renamed jobs: GET /projects/:id/pipelines/:pipeline_id/builds',
    request: { call: 'GET /projects/{storefront}/pipelines/1/builds' },
    response: { ...jobs, hint: 'Builds are called jobs' },
  },
  {
    name: '9.0: GET /projects/:id/repository/commits/:sha/jobs is dropped',
    request: { call: 'GET /projects/{storefront}/repository/commits/abcdef0/jobs' },
    response: { ...jobs, hint: 'pipelines' },
  },
  {
    name: '9.0: GET /projects/:id/repository/commits/:sha/builds is dropped with it',
    request: { call: 'GET /projects/{storefront}/repository/commits/abcdef0/builds' },
    response: { ...jobs, hint: 'pipelines' },
  },
];

const triggers: readonly Row[] = [
  {
    name: '9.0: POST /projects/:id/trigger/builds is removed',
    request: { call: 'POST /projects/{storefront}/trigger/builds' },
    response: { ...jobs, hint: 'pipeline' },
  },
  {
    name: '9.0: POST /projects/:id/trigger/pipeline starts a pipeline',
    given: newTrigger,
    request: {
      call: 'POST /projects/{project}/trigger/pipeline',
      as: 'anonymous',
      form: { ref: 'main', token: '{trigger_token}' },
    },
    response: { status: 201, has: { ref: 'main', source: 'trigger' } },
  },
  {
    name: '9.0: POST /projects/:id/ref/:ref/trigger/builds is removed with it',
    request: { call: 'POST /projects/{storefront}/ref/main/trigger/builds' },
    response: { ...jobs, hint: '/projects/:id/ref/:ref/trigger/pipeline' },
  },
  {
    name: '9.0: POST /projects/:id/ref/:ref/trigger/pipeline starts a pipeline',
    given: newTrigger,
    request: {
      call: 'POST /projects/{project}/ref/main/trigger/pipeline',
      as: 'anonymous',
      form: { token: '{trigger_token}' },
    },
    response: { status: 201, has: { ref: 'main', source: 'trigger' } },
  },
  ...['GET', 'PUT', 'DELETE'].map((method): Row => ({
    name: `9.0: ${method} /projects/:id/triggers/:token is removed`,
    request: { call: `${method} /projects/{storefront}/triggers/6d056f63e50fe6f8c5f8f4aa10edb7` },
    response: { status: 400, has: { error: 'trigger_id is invalid' }, hint: 'by their id' },
  })),
  {
    name: '9.0: GET /projects/:id/triggers/:trigger_id',
    given: newTrigger,
    request: { call: 'GET /projects/{project}/triggers/{trigger}' },
    response: { status: 200, has: { id: '{trigger}', description: 'Row {row}' } },
  },
  {
    name: '9.0: PUT /projects/:id/triggers/:trigger_id',
    given: newTrigger,
    request: { call: 'PUT /projects/{project}/triggers/{trigger}', form: { description: 'Nightly {row}' } },
    response: { status: 200, has: { id: '{trigger}', description: 'Nightly {row}' } },
  },
  {
    name: '9.0: DELETE /projects/:id/triggers/:trigger_id',
    given: newTrigger,
    request: { call: 'DELETE /projects/{project}/triggers/{trigger}' },
    response: { status: 204 },
  },
  {
    name: '9.0: description is required on POST /projects/:id/triggers',
    given: [newProject],
    request: { call: 'POST /projects/{project}/triggers' },
    response: { status: 400, has: { error: 'description is missing' }, hint: '`description` is required' },
  },
  {
    name: '9.0: POST /projects/:id/triggers with a description',
    given: [newProject],
    request: { call: 'POST /projects/{project}/triggers', form: { description: 'Row {row}' } },
    response: { status: 201, has: { description: 'Row {row}', token: expect.any(String) } },
  },
];

const environments: readonly Row[] = [
  {
    name: '9.0: POST /environments/:environment_id/stop',
    given: newEnvironment,
    request: { call: 'POST /environments/{environment}/stop' },
    response: { status: 200, has: { id: '{environment}', state: 'stopped' } },
  },
  {
    name: '9.0: POST /projects/:id/environments/:environment_id/stop',
    given: newEnvironment,
    request: { call: 'POST /projects/{project}/environments/{environment}/stop' },
    response: { status: 200, has: { id: '{environment}', state: 'stopped' } },
  },
  {
    name: '9.0: the project of GET /projects/:id/environments is simplified',
    given: newEnvironment,
    request: { call: 'GET /projects/{project}/environments' },
    response: {
      status: 200,
      list: { project: [expect.not.objectContaining({ permissions: expect.anything(), _links: expect.anything() })] },
    },
  },
  {
    name: 'GET /projects/:id/environments/:environment_id',
    given: newEnvironment,
    request: { call: 'GET /projects/{project}/environments/{environment}' },
    response: { status: 200, has: { id: '{environment}', name: 'staging', state: 'available' } },
  },
];

const deployKeys: readonly Row[] = [
  {
    name: '8.17: GET /projects/:id/keys is removed',
    request: { call: 'GET /projects/{storefront}/keys' },
    response: { ...jobs, hint: 'deploy' },
  },
  {
    name: '8.17: the endpoints under GET /projects/:id/keys are removed',
    request: { call: 'GET /projects/{storefront}/keys/1' },
    response: { ...jobs, hint: 'deploy' },
  },
  {
    name: '8.17: POST /projects/:id/keys/:key_id/enable is removed with them',
    request: { call: 'POST /projects/{storefront}/keys/1/enable' },
    response: { ...jobs, hint: 'deploy' },
  },
  {
    name: '8.17: POST /projects/:id/keys is removed with them',
    request: { call: 'POST /projects/{storefront}/keys', form: { title: 'Row {row}', key } },
    response: { ...jobs, hint: 'deploy' },
  },
  {
    name: '9.0: DELETE /projects/:id/deploy_keys/:key_id/disable is removed',
    request: { call: 'DELETE /projects/{storefront}/deploy_keys/1/disable' },
    response: { ...jobs, hint: 'deploy' },
  },
  {
    name: '8.17: GET /projects/:id/deploy_keys',
    given: newDeployKey,
    request: { call: 'GET /projects/{project}/deploy_keys' },
    response: { status: 200, list: { id: ['{key}'] } },
  },
  {
    name: '8.17: GET /projects/:id/deploy_keys/:key_id',
    given: newDeployKey,
    request: { call: 'GET /projects/{project}/deploy_keys/{key}' },
    response: { status: 200, has: { id: '{key}' } },
  },
  {
    name: '8.17: POST /projects/:id/deploy_keys',
    given: [newProject],
    request: { call: 'POST /projects/{project}/deploy_keys', form: { title: 'Row {row}', key } },
    response: { status: 201, has: { can_push: false } },
  },
  {
    name: '9.0: DELETE /projects/:id/deploy_keys/:key_id',
    given: newDeployKey,
    request: { call: 'DELETE /projects/{project}/deploy_keys/{key}' },
    response: { status: 204 },
  },
  {
    name: '9.0: …/disable has a hint to it',
    given: newDeployKey,
    request: { call: 'DELETE /projects/{project}/deploy_keys/{key}/disable' },
    response: { ...jobs, hint: 'Use DELETE /api/v4/projects/:id/deploy_keys/:key_id.' },
  },
];

export const changesOfPipelines: readonly Row[] = [...pipelines, ...triggers, ...environments, ...deployKeys];
