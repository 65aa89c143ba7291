import { compositeStatus, hasWarnings, stagesOf, type StageOf } from '../../../ci/composite.ts';
import { groupNameOf } from '../../../ci/variables.ts';
import { Commit, momentOf } from '../../repository/commits/types.ts';
import { builder } from '../../engine/builder.ts';
import { globalId } from '../../engine/global-id.ts';
import { connectionOf, offsetArg, resolveArrayPage, usually, within } from '../../engine/page.ts';
import { detailed, DetailedStatus, pathOf, Pipeline } from '../pipelines/types.ts';
import { numberIn } from './ids.ts';
import type { Context } from '../../../context.ts';
import { latestJobsOf } from './read.ts';
import type { JobRecord } from './statements.ts';
import { CiBuildNeed, CiJob, commitOf, needsOf } from './types.ts';

/** The stages of pipelines, with their jobs by groups. */

/** A stage of a pipeline. */
interface StageRecord extends StageOf<JobRecord> {
  readonly pipelinePath: string;
}

/** Jobs that are parallel copies of one, or one by itself. */
interface GroupRecord {
  readonly name: string;
  readonly jobs: readonly JobRecord[];
}

function groupsOf({ jobs }: StageRecord): GroupRecord[] {
  const groups = new Map<string, JobRecord[]>();
  for (const job of jobs) {
    const name = groupNameOf(job.name);
    const known = groups.get(name);
    if (known) known.push(job);
    else groups.set(name, [job]);
  }
  return [...groups].map(([name, of]) => ({ name, jobs: of }));
}

/** Identifies a stage, which has no row and so no id of its own. */
const keyOfStage = (name: string, [first]: readonly JobRecord[]): string =>
  `${first!.pipelineId}-${encodeURIComponent(name)}`;

const jobsArgs = { type: CiJob, nullable: true, args: offsetArg } as const;

const CiGroup = builder.objectRef<GroupRecord>('CiGroup').implement({
  description: 'Parallel copies of a job, or a job by itself.',
  fields: (t) => ({
    id: t.string({
      description: 'Differs between all groups.',
      direct: true,
      resolve: ({ name, jobs }) => `${keyOfStage(jobs[0]!.stage, jobs)}-${encodeURIComponent(name)}`,
    }),
    name: t.exposeString('name', { nullable: true }),
    size: t.int({ nullable: true, direct: true, resolve: ({ jobs }) => jobs.length }),
    detailedStatus: t.field({
      type: DetailedStatus,
      nullable: true,
      direct: true,
      resolve: ({ jobs }) =>
        detailed(
          `group-${jobs[0]!.id}`,
          compositeStatus(jobs)!,
          null,
          hasWarnings(jobs),
          jobs.length === 1 ? jobs[0] : null,
        ),
    }),
    jobs: t.connection(
      {
        ...jobsArgs,
        ...within(2),
        resolve: ({ jobs }, args) => resolveArrayPage(args, jobs, ({ id }) => String(id)) as never,
      },
      connectionOf(CiJob) as never,
    ),
  }),
});

const CiStage = builder.objectRef<StageRecord>('CiStage').implement({
  description: 'A stage of a pipeline.',
  fields: (t) => ({
    id: t.id({ direct: true, resolve: ({ name, jobs }) => globalId('Ci::Stage', keyOfStage(name, jobs)) }),
    name: t.exposeString('name', { nullable: true }),
    status: t.string({ nullable: true, direct: true, resolve: ({ status }) => status.toUpperCase() }),
    detailedStatus: t.field({
      type: DetailedStatus,
      nullable: true,
      direct: true,
      resolve: ({ status, pipelinePath, jobs }) =>
        detailed(`stage-${jobs[0]!.id}`, status, pipelinePath, hasWarnings(jobs)),
    }),
    jobs: t.connection(
      {
        ...jobsArgs,
        ...within(10),
        description: 'Its jobs, the latest of each name.',
        resolve: ({ jobs }, args) => resolveArrayPage(args, jobs, ({ id }) => String(id)) as never,
      },
      connectionOf(CiJob) as never,
    ),
    groups: t.connection(
      {
        type: CiGroup,
        nullable: true,
        description: 'Its jobs, parallel copies of one together.',
        ...within(10),
        args: offsetArg,
        resolve: (stage, args) => resolveArrayPage(args, groupsOf(stage), ({ name }) => name) as never,
      },
      connectionOf(CiGroup) as never,
    ),
  }),
});

builder.objectFields(Pipeline, (t) => ({
  stages: t.connection(
    {
      type: CiStage,
      nullable: true,
      description: 'Its stages, in their order, as far as you read their jobs.',
      ...usually(10),
      args: offsetArg,
      resolve: async (pipeline, args, context) => {
        const stages = stagesOf(await latestJobsOf(context, pipeline));
        const shown = stages.map((stage) => ({ ...stage, pipelinePath: pathOf(pipeline) }));
        return (await resolveArrayPage(args, shown, ({ name }) => name)) as never;
      },
    },
    connectionOf(CiStage) as never,
  ),
  job: t.field({
    type: CiJob,
    nullable: true,
    description: 'One of its jobs, the latest of its name.',
    args: { id: t.arg({ type: 'JobID' }), name: t.arg.string() },
    resolve: async (pipeline, { id, name }, context) => {
      if (id == null && name == null) return null;
      const jobs = await latestJobsOf(context, pipeline);
      return jobs.find((job) => (id == null || job.id === numberIn(id)) && (name == null || job.name === name)) ?? null;
    },
  }),
  committedAt: t.field({
    type: 'Time',
    nullable: true,
    description: 'When its commit was made; null if you don’t read the repository.',
    resolve: async (pipeline, args, context) => {
      const commit = await commitOf(pipeline, args, context);
      return commit && momentOf(commit.committer);
    },
  }),
  commit: t.field({
    type: Commit,
    nullable: true,
    description: 'Null if you don’t read the repository, and if it is gone.',
    resolve: commitOf,
  }),
}));

builder.objectField(CiJob, 'stage', (t) =>
  t.field({
    type: CiStage,
    nullable: true,
    resolve: async ({ stage: name, pipelineId: id, projectId, projectPath }, _args, context) => {
      const stage = stagesOf(await latestJobsOf(context, { id, projectId })).find((one) => one.name === name);
      return stage ? { ...stage, pipelinePath: pathOf({ projectPath, id }) } : null;
    },
  }),
);

/** The jobs of the stage before that of a job, the latest of each name, as far as the viewer reads them. */
async function jobsBefore({ stage, pipelineId: id, projectId }: JobRecord, context: Context) {
  const stages = stagesOf(await latestJobsOf(context, { id, projectId }));
  return stages[stages.findIndex(({ name }) => name === stage) - 1]?.jobs ?? [];
}

const keyOf = ({ id }: JobRecord) => String(id);

const JobNeedUnion = builder.unionType('JobNeedUnion', {
  description: 'What a job waits for.',
  types: [CiBuildNeed, CiJob],
  resolveType: (one) => ('pipelineId' in one ? 'CiJob' : 'CiBuildNeed'),
});

builder.objectFields(CiJob, (t) => ({
  previousStageJobs: t.connection(
    {
      ...jobsArgs,
      ...within(10),
      description: 'The jobs of the stage before its own, the latest of each name.',
      resolve: async (job, args, context) =>
        (await resolveArrayPage(args, await jobsBefore(job, context), keyOf)) as never,
    },
    connectionOf(CiJob) as never,
  ),
  previousStageJobsOrNeeds: t.connection(
    {
      type: JobNeedUnion,
      nullable: true,
      description: 'The jobs that its configuration names by `needs`; without that, those of the stage before its own.',
      ...within(10),
      args: offsetArg,
      resolve: async (job, args, context) =>
        (job.needs === null
          ? await resolveArrayPage(args, await jobsBefore(job, context), keyOf)
          : await resolveArrayPage(args, needsOf(job), ({ name }) => name)) as never,
    },
    connectionOf(JobNeedUnion as never) as never,
  ),
}));
