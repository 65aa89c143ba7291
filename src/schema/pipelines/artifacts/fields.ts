import type { Context } from '../../../context.ts';
import { NotFound } from '../../../errors.ts';
import { readJobs, reads } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { globalId } from '../../engine/global-id.ts';
import { connectionOf, offsetArg, resolveArrayPage, usually } from '../../engine/page.ts';
import { prefetchRepository, repositoryIn } from '../../repository/repositories/look-up.ts';
import { artifactFor } from '../job-files/find.ts';
import { jobIn } from '../jobs/find.ts';
import { latestJobsOf, type JobRecord } from '../jobs/read.ts';
import { CiJob, pathOfJob } from '../jobs/types.ts';
import { Pipeline } from '../pipelines/types.ts';
import { traceOf } from '../traces/read.ts';
import { artifactsOfJob, bytesOf, fileOf, jobWithArchive, type ArtifactRow } from './read.ts';

/** What jobs left. */

type Shown = Pick<ArtifactRow, 'id' | 'jobId' | 'kind' | 'format' | 'filename' | 'size' | 'expiresAt'> & {
  readonly projectPath: string;
};

const CiJobArtifact = builder.objectRef<Shown>('CiJobArtifact').implement({
  description: 'A file that a job left.',
  fields: (t) => ({
    id: t.id({ direct: true, resolve: ({ id }) => globalId('Ci::JobArtifact', id) }),
    name: t.exposeString('filename', { nullable: true, description: 'The name of the file.' }),
    fileType: t.string({
      nullable: true,
      description: 'What it is: `ARCHIVE`, `METADATA`, `TRACE`, `JUNIT` …',
      direct: true,
      resolve: ({ kind }) => kind.toUpperCase(),
    }),
    fileFormat: t.exposeString('format', { description: '`zip`, `gzip` or `raw`.' }),
    size: t.float({ description: 'In bytes.', direct: true, resolve: ({ size }) => size }),
    expireAt: t.expose('expiresAt', { type: 'Time', nullable: true, description: 'Null: it is kept.' }),
    downloadPath: t.string({
      nullable: true,
      direct: true,
      resolve: ({ projectPath, jobId, kind }) => `/${projectPath}/-/jobs/${jobId}/artifacts/download?file_type=${kind}`,
    }),
  }),
});

/** The files that a job left, its log among them when it is over. */
async function shownOf(job: JobRecord, context: Context): Promise<Shown[]> {
  const { id: jobId, projectPath } = job;
  const [artifacts, trace] = await Promise.all([artifactsOfJob(context, jobId), traceOf(context, jobId)]);
  const shown: Shown[] = artifacts.map((one) => ({ ...one, projectPath }));
  if (trace && trace.size > 0 && job.finishedAt !== null)
    shown.push({
      id: trace.id,
      jobId,
      kind: 'trace',
      format: 'raw',
      filename: 'job.log',
      size: trace.size,
      expiresAt: null,
      projectPath,
    });
  return shown;
}

builder.objectField(CiJob, 'artifacts', (t) =>
  t.connection(
    {
      type: CiJobArtifact,
      nullable: true,
      description: 'The files that it left, its log among them when it is over.',
      ...usually(10),
      args: offsetArg,
      resolve: async (job, args, context) => {
        const shown = await shownOf(job, context);
        return (await resolveArrayPage(args, shown, ({ kind }) => kind)) as never;
      },
    },
    connectionOf(CiJobArtifact) as never,
  ),
);

builder.objectField(Pipeline, 'jobArtifacts', (t) =>
  t.field({
    type: [CiJobArtifact],
    nullable: true,
    description: 'The files that its jobs left, the latest of each name, as far as you read them.',
    resolve: async (pipeline, _args, context) => {
      const jobs = (await latestJobsOf(context, pipeline)).filter(({ kind }) => kind === 'job');
      return (await Promise.all(jobs.map((job) => shownOf(job, context)))).flat();
    },
  }),
);

builder.objectField(CiJob, 'artifactsExpireAt', (t) =>
  t.field({
    type: 'Time',
    nullable: true,
    description: 'When the first of the files that it left is removed; null: they are kept, or there are none.',
    resolve: async ({ id }, _args, context) => {
      const ends = (await artifactsOfJob(context, id)).flatMap(({ expiresAt }) => (expiresAt ? [+expiresAt] : []));
      return ends.length === 0 ? null : new Date(Math.min(...ends));
    },
  }),
);

builder.objectField(CiJob, 'browseArtifactsPath', (t) =>
  t.string({
    nullable: true,
    description: 'The path of the page that lists the files that it left; null without an archive of them.',
    resolve: async (job, _args, context) =>
      (await artifactsOfJob(context, job.id)).some(({ kind }) => kind === 'archive') ? pathOfJob(job) : null,
  }),
);

/** An archive that the viewer may read. */
const CiJobArchive = builder.objectRef<ArtifactRow>('CiJobArchive').implement({
  description: 'All files that a job left, as a zip archive.',
  fields: (t) => ({
    size: t.float({ description: 'In bytes.', direct: true, resolve: ({ size }) => size }),
    bytes: t.field({
      type: 'Bytes',
      description: 'The archive.',
      resolve: (archive, _args, context) => bytesOf(context, archive),
    }),
    file: t.field({
      type: 'Bytes',
      description: 'One file out of it.',
      args: { path: t.arg.string({ required: true }) },
      resolve: (archive, { path }, context) => fileOf(context, archive, path),
    }),
  }),
});

builder.queryField('jobArchive', (t) =>
  t.field({
    type: CiJobArchive,
    nullable: true,
    description: 'The archive of a job, or of the job of a name in the latest successful pipeline of a branch or tag.',
    admission: { class: 'token', scopes: reads, anonymous: true, job: true },
    prefetch: prefetchRepository,
    args: {
      project: t.arg.id({ required: true, description: 'Full path, global id or number.' }),
      job: t.arg({ type: 'JobID' }),
      refName: t.arg.string({ description: 'A branch or tag.' }),
      jobName: t.arg.string({ description: 'The name of the job in its latest pipeline.' }),
    },
    resolve: async (_root, { project, job, refName: ref, jobName: name }, context) => {
      if (job != null) return await artifactFor(context, await jobIn(context, project, job));
      const { id: projectId } = await repositoryIn(context, project, readJobs);
      if (ref == null || name == null) throw new NotFound('Artifacts');
      const latest = await jobWithArchive(context, { projectId, ref, name });
      return await artifactFor(context, await jobIn(context, project, String(latest)));
    },
  }),
);

builder.queryField('jobArtifact', (t) =>
  t.field({
    type: CiJobArchive,
    nullable: true,
    description: 'A file that a job left.',
    admission: { class: 'token', scopes: reads, anonymous: true },
    prefetch: prefetchRepository,
    args: {
      project: t.arg.id({ required: true, description: 'Full path, global id or number.' }),
      job: t.arg({ type: 'JobID', required: true }),
      fileType: t.arg.string({ required: true, description: '`archive`, `metadata`, `junit` …' }),
    },
    resolve: async (_root, { project, job, fileType }, context) =>
      await artifactFor(context, await jobIn(context, project, job), fileType.toLowerCase()),
  }),
);
