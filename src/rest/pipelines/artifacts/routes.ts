import { disposition } from '../../../values/sent-files.ts';
import type { Parameter, Values } from '../../engine/parameters.ts';
import { Accepted, File, NoContent, recordOf } from '../../engine/record.ts';
import { route, type AnyRoute, type StreamedBack } from '../../engine/route.ts';
import { Job, jobFields, type JobData } from '../jobs/record.ts';

/** What jobs left. */

const tag = 'Job artifacts';

type Bytes = Omit<StreamedBack, 'contentType' | 'disposition'> & { readonly name: string };

/** How a request names a job: by its id, or by its name in the latest pipeline of a branch or tag. */
interface Naming {
  readonly path: string;
  readonly of: string;
  readonly parameters: readonly Parameter[];
  readonly variables: (values: Values) => Record<string, unknown>;
}

const jobId: Parameter = { name: 'job_id', type: 'integer', required: true, description: 'ID of the job.' };

const byId: Naming = {
  path: '/api/v4/projects/:id/jobs/:job_id/artifacts',
  of: 'a job',
  parameters: [jobId],
  variables: ({ id, job_id: job }) => ({ project: id, job: job }),
};

const byName: Naming = {
  path: '/api/v4/projects/:id/jobs/artifacts/:ref_name',
  of: 'a job in the latest pipeline of a branch or tag',
  parameters: [{ name: 'job', type: 'string', required: true, description: 'The name of the job.' }],
  variables: ({ id, ref_name: refName, job }) => ({ project: id, refName, jobName: job }),
};

const args = '($project: ID!, $job: JobID, $refName: String, $jobName: String';
const named = 'project: $project, job: $job, refName: $refName, jobName: $jobName';
const missing = { Job: '404 Not found', Artifacts: '404 Not Found', File: '404 Not Found' };

/** The whole archive. */
const archive = ({ of, parameters, variables }: Naming, path: string) =>
  route<{ jobArchive: { readonly bytes: Bytes } }>({
    method: 'GET',
    path,
    summary: `Download the artifacts of ${of}`,
    tag,
    parameters,
    operation: `query ${args}) { jobArchive(${named}) { bytes } }`,
    variables,
    stream: ({ jobArchive: { bytes } }) => ({
      ...bytes,
      contentType: 'application/zip',
      disposition: disposition('attachment', bytes.name),
    }),
    missing,
    record: File,
    refusals: [404],
    dialect: 'version 4',
  });

/** One file out of it: never as a type that a browser runs. */
const file = ({ of, parameters, variables }: Naming, path: string) =>
  route<{ jobArchive: { readonly file: Bytes } }>({
    method: 'GET',
    path,
    summary: `Download one file of the artifacts of ${of}`,
    tag,
    parameters,
    operation: `query ${args}, $path: String!) { jobArchive(${named}) { file(path: $path) } }`,
    variables: (values) => ({ ...variables(values), path: values.artifact_path }),
    stream: ({ jobArchive: { file: bytes } }) => ({
      ...bytes,
      contentType: 'application/octet-stream',
      disposition: disposition('attachment', bytes.name),
    }),
    missing,
    record: File,
    refusals: [404],
    dialect: 'version 4',
  });

export const artifactRoutes: readonly AnyRoute[] = [
  archive(byId, byId.path),
  file(byId, `${byId.path}/:artifact_path*`),
  archive(byName, `${byName.path}/download`),
  file(byName, `${byName.path}/raw/:artifact_path*`),
  route<{ jobArtifactsDestroy: unknown }>({
    method: 'DELETE',
    path: byId.path,
    summary: 'Delete the artifacts of a job',
    tag,
    parameters: [jobId],
    operation:
      'mutation ($input: JobArtifactsDestroyInput!) { jobArtifactsDestroy(input: $input) { destroyedArtifactsCount } }',
    variables: ({ id, job_id: job }) => ({ input: { projectPath: id, id: job } }),
    status: 204,
    missing,
    record: NoContent,
    refusals: [404],
    dialect: 'version 4',
  }),
  route<{ jobArtifactsKeep: { readonly job: JobData } }>({
    method: 'POST',
    path: `${byId.path}/keep`,
    summary: 'Keep the artifacts of a job for good',
    tag,
    parameters: [jobId],
    operation: `mutation ($input: JobArtifactsKeepInput!) { jobArtifactsKeep(input: $input) { job { ${jobFields} } } }`,
    variables: ({ id, job_id: job }) => ({ input: { projectPath: id, id: job } }),
    missing,
    record: recordOf(Job, ({ jobArtifactsKeep }) => jobArtifactsKeep.job),
    refusals: [404],
    dialect: 'version 4',
  }),
  route<{ projectArtifactsDestroy: unknown }>({
    method: 'DELETE',
    path: '/api/v4/projects/:id/artifacts',
    summary: 'Delete the artifacts of all jobs of a project',
    tag,
    parameters: [],
    operation:
      'mutation ($input: ProjectArtifactsDestroyInput!) { projectArtifactsDestroy(input: $input) { destroyedArtifactsCount } }',
    variables: ({ id }) => ({ input: { projectPath: id } }),
    status: 202,
    record: Accepted,
    refusals: [404],
    dialect: 'version 4',
  }),
];
