import { hasWarnings, stagesOf, type StageOf } from '../../../ci/composite.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { userById } from '../../accounts/users/read.ts';
import { builder } from '../../engine/builder.ts';
import { identify } from '../../engine/global-id.ts';
import { connectionOf, offsetArg, resolveArrayPage } from '../../engine/page.ts';
import { CiJobStatus, detailed, DetailedStatus, pathOf, Pipeline } from '../pipelines/types.ts';
import { latestJobsOf } from './read.ts';
import type { JobRecord } from './statements.ts';

const seconds = ({ startedAt, finishedAt }: JobRecord) =>
  startedAt ? (+(finishedAt ?? new Date()) - +startedAt) / 1000 : null;

/** A stage of a pipeline. */
interface StageRecord extends StageOf<JobRecord> {
  readonly pipelinePath: string;
}

export const CiJob = builder.objectRef<JobRecord>('CiJob').implement({
  description: 'A job of a pipeline, or a status that a script reported of its commit.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: true }),
    status: t.field({ type: CiJobStatus, nullable: true, direct: true, resolve: ({ status }) => status }),
    detailedStatus: t.field({
      type: DetailedStatus,
      nullable: true,
      direct: true,
      resolve: (job) => detailed(job.status, null, hasWarnings([job])),
    }),
    external: t.boolean({
      description: 'Whether a script reported it.',
      direct: true,
      resolve: ({ kind }) => kind === 'status',
    }),
    stageName: t.exposeString('stage', { description: 'The name of its stage.' }),
    refName: t.exposeString('ref', { nullable: true, description: 'The branch or tag.' }),
    tag: t.exposeBoolean('tag', { description: 'Whether `refName` is a tag.' }),
    sha: t.exposeString('sha', { description: 'The commit.' }),
    shortSha: t.string({ direct: true, resolve: ({ sha }) => sha.slice(0, 8) }),
    allowFailure: t.exposeBoolean('allowFailure', { description: 'Whether the pipeline succeeds although it fails.' }),
    retried: t.exposeBoolean('retried', { nullable: true, description: 'Whether a later one counts in its place.' }),
    description: t.exposeString('description', { nullable: true, description: 'What a script says of it.' }),
    targetUrl: t.exposeString('targetUrl', { nullable: true, description: 'Where the script’s own page is.' }),
    coverage: t.exposeFloat('coverage', { nullable: true, description: 'In percent.' }),
    failureReason: t.exposeString('failureReason', { nullable: true }),
    duration: t.int({
      nullable: true,
      description: 'How long it ran, in seconds.',
      direct: true,
      resolve: (job) => {
        const ran = seconds(job);
        return ran === null ? null : Math.round(ran);
      },
    }),
    createdAt: t.expose('createdAt', { type: 'Time' }),
    queuedAt: t.expose('queuedAt', { type: 'Time', nullable: true }),
    startedAt: t.expose('startedAt', { type: 'Time', nullable: true }),
    finishedAt: t.expose('finishedAt', { type: 'Time', nullable: true }),
    user: t.field({
      type: UserCore,
      nullable: true,
      description: 'Who started or reported it; null for a deleted person.',
      resolve: ({ userId }, _args, context) => userById(context, userId),
    }),
    pipelineDatabaseId: t.exposeInt('pipelineId', { description: 'The number of its pipeline.' }),
  }),
});

identify(CiJob, ({ kind }) => (kind === 'job' ? 'Ci::Build' : 'GenericCommitStatus'));

const CiStage = builder.objectRef<StageRecord>('CiStage').implement({
  description: 'A stage of a pipeline.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: true }),
    status: t.string({ nullable: true, direct: true, resolve: ({ status }) => status.toUpperCase() }),
    detailedStatus: t.field({
      type: DetailedStatus,
      nullable: true,
      direct: true,
      resolve: ({ status, pipelinePath, jobs }) => detailed(status, pipelinePath, hasWarnings(jobs)),
    }),
    jobs: t.connection(
      {
        type: CiJob,
        nullable: true,
        description: 'Its jobs, the latest of each name.',
        args: offsetArg,
        resolve: ({ jobs }, args) => resolveArrayPage(args, jobs, ({ id }) => String(id)) as never,
      },
      connectionOf(CiJob) as never,
    ),
  }),
});

builder.objectField(Pipeline, 'stages', (t) =>
  t.connection(
    {
      type: CiStage,
      nullable: true,
      description: 'Its stages, in their order.',
      args: offsetArg,
      resolve: async (pipeline, args, context) => {
        const stages = stagesOf(await latestJobsOf(context, pipeline.id));
        const shown = stages.map((stage) => ({ ...stage, pipelinePath: pathOf(pipeline) }));
        return (await resolveArrayPage(args, shown, ({ name }) => name)) as never;
      },
    },
    connectionOf(CiStage) as never,
  ),
);
