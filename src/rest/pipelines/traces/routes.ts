import { File } from '../../engine/record.ts';
import { route, type AnyRoute, type StreamedBack } from '../../engine/route.ts';

/** The logs of jobs. */

interface Data {
  readonly jobTrace: { readonly bytes: Pick<StreamedBack, 'bytes' | 'open'> & { readonly name: string } };
}

export const traceRoutes: readonly AnyRoute[] = [
  route<Data>({
    method: 'GET',
    path: '/api/v4/projects/:id/jobs/:job_id/trace',
    summary: 'Get the log of a job',
    tag: 'Jobs',
    parameters: [{ name: 'job_id', type: 'integer', required: true, description: 'ID of the job.' }],
    operation: 'query ($project: ID!, $job: JobID!) { jobTrace(project: $project, job: $job) { bytes } }',
    variables: ({ id, job_id: job }) => ({ project: id, job }),
    stream: ({ jobTrace: { bytes } }) => ({
      contentType: 'text/plain; charset=utf-8',
      // As clients know it, for `inline`.
      disposition: `infile; filename="${bytes.name}"`,
      ...(bytes.bytes && { bytes: bytes.bytes }),
      open: bytes.open,
    }),
    missing: { Job: '404 Not found' },
    record: File,
    refusals: [404],
    dialect: 'version 4',
  }),
];
