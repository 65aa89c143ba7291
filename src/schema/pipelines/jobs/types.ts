import { hasWarnings } from '../../../ci/composite.ts';
import type { Context } from '../../../context.ts';
import { readCommit } from '../../../git/objects/index.ts';
import { Project } from '../../places/place/types.ts';
import { projectById } from '../../places/place/read.ts';
import { Commit, commitRecord } from '../../repository/commits/types.ts';
import { repositoryOf } from '../../repository/repositories/fields.ts';
import { readablePipelineById } from '../pipelines/read.ts';
import { isActive, isCancelable, isPlayable, isRetryable } from './states-of-one.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { userById } from '../../accounts/users/read.ts';
import { builder } from '../../engine/builder.ts';
import { globalId, identify } from '../../engine/global-id.ts';
import { connectionOf, offsetArg, resolveArrayPage, within } from '../../engine/page.ts';
import { CiJobStatus, commitPathOf, detailed, DetailedStatus, Pipeline, refPathOf } from '../pipelines/types.ts';
import type { JobRecord } from './statements.ts';

const seconds = ({ startedAt, finishedAt }: JobRecord) =>
  startedAt ? (+(finishedAt ?? new Date()) - +startedAt) / 1000 : null;

/** How long it waited for a runner, in seconds. */
const queuedSeconds = ({ queuedAt, startedAt, finishedAt }: JobRecord) =>
  queuedAt ? Math.max(0, (+(startedAt ?? finishedAt ?? new Date()) - +queuedAt) / 1000) : null;

export const pathOfJob = ({ projectPath, id }: Pick<JobRecord, 'projectPath' | 'id'>): string =>
  `/${projectPath}/-/jobs/${id}`;

/** That one job waits for another. */
interface Need {
  /** The job that waits. */
  readonly of: number;
  readonly name: string;
}

/** What a job waits for, as its configuration names it. */
export const needsOf = ({ id, needs }: JobRecord): Need[] => (needs ?? []).map((name) => ({ of: id, name }));

export const CiBuildNeed = builder.objectRef<Need>('CiBuildNeed').implement({
  description: 'A job that another one waits for.',
  fields: (t) => ({
    id: t.id({
      direct: true,
      resolve: ({ of, name }) => globalId('Ci::BuildNeed', `${of}-${encodeURIComponent(name)}`),
    }),
    name: t.exposeString('name', { nullable: true }),
  }),
});

const CiJobKind = builder.enumType('CiJobKind', {
  description: 'Whether a job is carried out by a runner, or starts a pipeline of its own, which none does here.',
  values: ['BUILD', 'BRIDGE'] as const,
});

/** The commit of a job or a pipeline, if the viewer reads the repository. */
export async function commitOf(
  { projectId, sha }: Pick<JobRecord, 'projectId' | 'sha'>,
  _args: unknown,
  context: Context,
) {
  const project = await projectById(context, projectId);
  const repository = project && (await repositoryOf(context, project));
  const commit = repository?.git && (await readCommit(repository.git, sha));
  return commit ? commitRecord(repository!, commit) : null;
}

export const CiJob = builder.objectRef<JobRecord>('CiJob').implement({
  description: 'A job of a pipeline, or a status that a script reported of its commit.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: true }),
    kind: t.field({
      type: CiJobKind,
      description: '`BUILD`: no job starts pipelines of others.',
      direct: true,
      resolve: () => 'BUILD' as const,
    }),
    status: t.field({ type: CiJobStatus, nullable: true, direct: true, resolve: ({ status }) => status }),
    detailedStatus: t.field({
      type: DetailedStatus,
      nullable: true,
      direct: true,
      resolve: (job) => detailed(`job-${job.id}`, job.status, null, hasWarnings([job]), job),
    }),
    external: t.boolean({
      description: 'Whether a script reported it.',
      direct: true,
      resolve: ({ kind }) => kind === 'status',
    }),
    stageName: t.exposeString('stage', { description: 'The name of its stage.' }),
    refName: t.exposeString('ref', { nullable: true, description: 'The branch or tag.' }),
    refPath: t.string({
      nullable: true,
      description: 'The path of the page with its commits.',
      direct: true,
      resolve: ({ projectPath, ref }) => refPathOf(projectPath, ref),
    }),
    tag: t.exposeBoolean('tag', { description: 'Whether `refName` is a tag.' }),
    createdByTag: t.exposeBoolean('tag', { description: 'Whether it runs for a tag.' }),
    sha: t.exposeString('sha', { description: 'The commit.' }),
    shortSha: t.string({ direct: true, resolve: ({ sha }) => sha.slice(0, 8) }),
    commitPath: t.string({
      nullable: true,
      description: 'The path of the page of its commit.',
      direct: true,
      resolve: ({ projectPath, sha }) => commitPathOf(projectPath, sha),
    }),
    allowFailure: t.exposeBoolean('allowFailure', { description: 'Whether the pipeline succeeds although it fails.' }),
    retried: t.exposeBoolean('retried', { nullable: true, description: 'Whether a later one counts in its place.' }),
    description: t.exposeString('description', { nullable: true, description: 'What a script says of it.' }),
    targetUrl: t.exposeString('targetUrl', { nullable: true, description: 'Where the script’s own page is.' }),
    coverage: t.exposeFloat('coverage', { nullable: true, description: 'In percent.' }),
    failureReason: t.exposeString('failureReason', { nullable: true }),
    failureMessage: t.string({
      nullable: true,
      description: '`failureReason` in words; null unless it failed.',
      direct: true,
      resolve: ({ status, failureReason }) =>
        status === 'failed' ? (failureReason?.replaceAll('_', ' ') ?? null) : null,
    }),
    active: t.boolean({
      description: 'Whether it waits for a runner, or runs.',
      direct: true,
      resolve: isActive,
    }),
    cancelable: t.boolean({ direct: true, resolve: isCancelable }),
    retryable: t.boolean({
      description: 'Whether a new job can be made in its place.',
      direct: true,
      resolve: isRetryable,
    }),
    playable: t.boolean({
      description: 'Whether a person can start it: a manual or delayed job.',
      direct: true,
      resolve: isPlayable,
    }),
    playPath: t.string({
      nullable: true,
      description: 'Where a form starts it, if it is playable; null for what a script reported.',
      direct: true,
      resolve: (job) => (job.kind === 'job' ? `${pathOfJob(job)}/play` : null),
    }),
    triggered: t.boolean({
      nullable: true,
      description: 'Whether the token of a trigger started its pipeline.',
      resolve: async ({ pipelineId }, _args, context) =>
        (await readablePipelineById(context, pipelineId))?.source === 'trigger',
    }),
    downstreamPipeline: t.field({
      type: Pipeline,
      nullable: true,
      description: 'Null: no job starts pipelines of others.',
      direct: true,
      resolve: () => null,
    }),
    manualJob: t.boolean({
      nullable: true,
      description: 'Whether it waits for a person.',
      direct: true,
      resolve: ({ when }) => when === 'manual',
    }),
    scheduled: t.boolean({ direct: true, resolve: ({ status }) => status === 'scheduled' }),
    scheduledAt: t.expose('scheduledAt', { type: 'Time', nullable: true, description: 'When a delayed job starts.' }),
    schedulingType: t.string({
      nullable: true,
      description: '`stage`: it waits for all earlier stages; `dag`: for the jobs that it needs.',
      direct: true,
      resolve: ({ kind, needs }) => (kind === 'status' ? null : needs === null ? 'stage' : 'dag'),
    }),
    tags: t.stringList({
      nullable: true,
      description: 'What a runner must have to carry it out.',
      direct: true,
      resolve: ({ tags }) => tags.toSorted(),
    }),
    needs: t.connection(
      {
        type: CiBuildNeed,
        nullable: true,
        description: 'The jobs that it waits for, if its configuration names them.',
        ...within(10),
        args: offsetArg,
        resolve: (job, args) => resolveArrayPage(args, needsOf(job), ({ name }) => name) as never,
      },
      connectionOf(CiBuildNeed) as never,
    ),
    exitCode: t.exposeInt('exitCode', { nullable: true, description: 'Of its script, if it failed.' }),
    erasedAt: t.expose('erasedAt', {
      type: 'Time',
      nullable: true,
      description: 'When its log and artifacts were removed.',
    }),
    queuedDuration: t.float({
      nullable: true,
      description: 'How long it waited for a runner, in seconds.',
      direct: true,
      resolve: queuedSeconds,
    }),
    exactDuration: t.float({
      nullable: true,
      description: 'How long it ran, in seconds with fractions.',
      direct: true,
      resolve: seconds,
    }),
    webPath: t.string({ nullable: true, direct: true, resolve: pathOfJob }),
    webUrl: t.string({
      description: 'The address of its page.',
      direct: true,
      resolve: (job, _args, { baseUrl }) => `${baseUrl}${pathOfJob(job)}`,
    }),
    commit: t.field({
      type: Commit,
      nullable: true,
      description: 'Null if you don’t read the repository, and if it is gone.',
      resolve: commitOf,
    }),
    pipeline: t.field({
      type: Pipeline,
      nullable: true,
      description: 'Null if you don’t read pipelines: a status of a commit may be shown to more people.',
      resolve: ({ pipelineId }, _args, context) => readablePipelineById(context, pipelineId),
    }),
    project: t.field({
      type: Project,
      nullable: true,
      resolve: ({ projectId }, _args, context) => projectById(context, projectId),
    }),
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
