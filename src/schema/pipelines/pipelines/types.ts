import { hasWarnings } from '../../../ci/composite.ts';
import type { Context } from '../../../context.ts';
import { lookOf, type StatusLook } from '../../../values/ci/looks.ts';
import {
  activeStatuses,
  cancelableStatuses,
  ciStatuses,
  completedStatuses,
  type CiStatus,
} from '../../../values/ci/statuses.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { userById } from '../../accounts/users/read.ts';
import { builder } from '../../engine/builder.ts';
import { globalId, idScalar, identify } from '../../engine/global-id.ts';
import { Project } from '../../places/place/types.ts';
import { projectById } from '../../places/place/read.ts';
import { latestJobsOf, type JobRecord } from '../jobs/read.ts';
import { isPlayable } from '../jobs/states-of-one.ts';
import type { PipelineRecord } from './statements/reading.ts';

const type = 'Ci::Pipeline';

/** The number in a global id of a pipeline. */
export const pipelineId = idScalar('CiPipelineID', type);

type Upper<Status extends string = CiStatus> = Uppercase<Status>;
const upper = <Status extends string>(status: Status) => status.toUpperCase() as Uppercase<Status>;

/** The values of an enumeration of statuses: their words in upper case. */
const statusValues = Object.fromEntries(ciStatuses.map((status) => [upper(status), { value: status }])) as {
  readonly [Name in Upper]: { readonly value: Lowercase<Name> & CiStatus };
};

export const PipelineStatusEnum = builder.enumType('PipelineStatusEnum', {
  description: 'The status of a pipeline: it follows from those of its jobs.',
  values: statusValues,
});

export const CiJobStatus = builder.enumType('CiJobStatus', {
  description: 'The status of a job, or of what a script reported.',
  values: statusValues,
});

interface Detailed extends StatusLook {
  readonly of: string;
  readonly status: CiStatus;
  readonly path: string | null;
  /** The job that has it, alone. */
  readonly job: JobRecord | null;
}

/**
 * A status as it is shown, with where it leads.
 * @param of what has it: its kind and its number
 * @param job the job that has it, if one has it alone
 */
export const detailed = (
  of: string,
  status: CiStatus,
  path: string | null,
  warned = false,
  job: JobRecord | null = null,
): Detailed => ({
  of,
  status,
  path,
  job,
  ...lookOf(status, warned),
});

export const DetailedStatus = builder.objectRef<Detailed>('DetailedStatus').implement({
  description: 'How a status is shown.',
  fields: (t) => ({
    id: t.string({
      description: 'Differs between what has a status, and between its statuses.',
      direct: true,
      resolve: ({ of, group }) => `${group}-${of}`,
    }),
    name: t.string({
      nullable: true,
      description: 'The status: `SUCCESS_WITH_WARNINGS`.',
      direct: true,
      resolve: ({ group }) => group.replaceAll('-', '_').toUpperCase(),
    }),
    icon: t.exposeString('icon', { nullable: true, description: 'The name of an icon.' }),
    text: t.exposeString('text', { nullable: true, description: 'A word: `Passed`.' }),
    label: t.exposeString('label', { nullable: true, description: 'The word in a sentence: `passed with warnings`.' }),
    group: t.exposeString('group', { nullable: true, description: 'What it is coloured as.' }),
    tooltip: t.string({ nullable: true, direct: true, resolve: ({ label }) => label }),
    hasDetails: t.boolean({ nullable: true, direct: true, resolve: ({ path }) => path !== null }),
    detailsPath: t.exposeString('path', { nullable: true, description: 'The path of the page that says more.' }),
    favicon: t.string({
      nullable: true,
      direct: true,
      resolve: ({ status }) => `/assets/ci_favicons/favicon_status_${status}.png`,
    }),
  }),
});

const isUnsuccessful = (status: CiStatus) => status === 'failed' || status === 'canceled';

const among = (statuses: readonly CiStatus[]) => (pipeline: PipelineRecord) => statuses.includes(pipeline.status);

export const pathOf = ({ projectPath, id }: Pick<PipelineRecord, 'projectPath' | 'id'>): string =>
  `/${projectPath}/-/pipelines/${id}`;

export const commitPathOf = (projectPath: string, sha: string): string => `/${projectPath}/-/commit/${sha}`;

/** The path of the page with the commits of a branch or tag, which may have slashes in its name. */
export const refPathOf = (projectPath: string, ref: string): string =>
  `/${projectPath}/-/commits/${ref.split('/').map(encodeURIComponent).join('/')}`;

const PipelineConfigSource = builder.enumType('PipelineConfigSourceEnum', {
  description: 'Where the configuration of a pipeline is from.',
  values: { REPOSITORY_SOURCE: { description: 'A file of the repository.' } } as const,
});

/** Whether the viewer reads a job of a pipeline that waits for a person or its time, or can be started again. */
const hasPlayable =
  (when: 'manual' | 'delayed') =>
  async (pipeline: PipelineRecord, _args: unknown, context: Context): Promise<boolean> =>
    (await latestJobsOf(context, pipeline)).some((job) => job.when === when && isPlayable(job));

const PipelineMessage = builder
  .objectRef<{ readonly of: number; readonly at: number; readonly content: string }>('PipelineMessage')
  .implement({
    description: 'What is said about the configuration of a pipeline.',
    fields: (t) => ({
      id: t.id({ direct: true, resolve: ({ of, at }) => globalId('Ci::PipelineMessage', `${of}-${at}`) }),
      content: t.exposeString('content'),
    }),
  });

export const Pipeline = builder.objectRef<PipelineRecord>('Pipeline').implement({
  description: 'What ran, or was reported, for a commit of a branch or tag.',
  fields: (t) => ({
    iid: t.exposeID('iid', { description: 'Its number in the project.' }),
    projectDatabaseId: t.exposeInt('projectId', { description: 'The number of its project.' }),
    ref: t.exposeString('ref', { nullable: true, description: 'The branch or tag.' }),
    refPath: t.string({
      nullable: true,
      description: 'The path of the page with its commits.',
      direct: true,
      resolve: ({ projectPath, ref }) => refPathOf(projectPath, ref),
    }),
    tag: t.exposeBoolean('tag', { description: 'Whether `ref` is a tag.' }),
    sha: t.exposeString('sha', { nullable: true, description: 'The commit.' }),
    commitPath: t.string({
      nullable: true,
      description: 'The path of the page of its commit.',
      direct: true,
      resolve: ({ projectPath, sha }) => commitPathOf(projectPath, sha),
    }),
    beforeSha: t.exposeString('beforeSha', { nullable: true, description: 'Where the branch was before the push.' }),
    status: t.field({ type: PipelineStatusEnum, direct: true, resolve: ({ status }) => status }),
    detailedStatus: t.field({
      type: DetailedStatus,
      resolve: async (pipeline, _args, context) =>
        detailed(
          `pipeline-${pipeline.id}`,
          pipeline.status,
          pathOf(pipeline),
          hasWarnings(await latestJobsOf(context, pipeline)),
        ),
    }),
    warnings: t.boolean({
      description: 'Whether a job that may fail did, of those that you read.',
      resolve: async (pipeline, _args, context) => hasWarnings(await latestJobsOf(context, pipeline)),
    }),
    source: t.exposeString('source', { nullable: true, description: 'Why it was made: `push`, `external` …' }),
    trigger: t.boolean({
      description: 'Whether the token of a trigger started it.',
      direct: true,
      resolve: ({ source }) => source === 'trigger',
    }),
    child: t.boolean({
      description: 'False: no job starts pipelines of others.',
      direct: true,
      resolve: () => false,
    }),
    triggeredByPath: t.string({
      nullable: true,
      description: 'Null: no job starts pipelines of others.',
      direct: true,
      resolve: () => null,
    }),
    configSource: t.field({
      type: PipelineConfigSource,
      nullable: true,
      description: 'Null if scripts outside report its jobs.',
      direct: true,
      resolve: ({ source }) => (source === 'external' ? null : ('REPOSITORY_SOURCE' as const)),
    }),
    type: t.string({
      description: '`branch`, `tag` or `merge_request`: what it is for.',
      direct: true,
      resolve: ({ mergeRequestId, tag }) => (mergeRequestId !== null ? 'merge_request' : tag ? 'tag' : 'branch'),
    }),
    hasManualActions: t.boolean({
      nullable: true,
      description: 'Whether a person can start one of its manual jobs, of those that you read.',
      resolve: hasPlayable('manual'),
    }),
    hasScheduledActions: t.boolean({
      nullable: true,
      description: 'Whether a person can start one of its delayed jobs, of those that you read.',
      resolve: hasPlayable('delayed'),
    }),
    name: t.exposeString('name', { nullable: true }),
    yamlErrors: t.boolean({
      description: 'Whether its configuration is wrong.',
      direct: true,
      resolve: ({ yamlErrors }) => yamlErrors !== null,
    }),
    yamlErrorMessages: t.exposeString('yamlErrors', {
      nullable: true,
      description: 'What is wrong with its configuration.',
    }),
    warningMessages: t.field({
      type: [PipelineMessage],
      nullable: true,
      description: 'What has no effect in its configuration, or perhaps another one than was meant.',
      direct: true,
      resolve: ({ id, warnings }) => warnings.map((content, at) => ({ of: id, at: at + 1, content })),
    }),
    user: t.field({
      type: UserCore,
      nullable: true,
      description: 'Who started it; null for a deleted person.',
      resolve: ({ userId }, _args, context) => userById(context, userId),
    }),
    project: t.field({
      type: Project,
      nullable: true,
      resolve: ({ projectId }, _args, context) => projectById(context, projectId),
    }),
    coverage: t.exposeFloat('coverage', { nullable: true, description: 'The mean of its jobs, in percent.' }),
    duration: t.exposeInt('duration', { nullable: true, description: 'How long its jobs ran, in seconds.' }),
    queuedSeconds: t.exposeInt('queuedDuration', {
      nullable: true,
      description: 'How long it waited for its first job, in seconds.',
    }),
    queuedDuration: t.float({
      nullable: true,
      description: 'The same, under GitLab’s name.',
      direct: true,
      resolve: ({ queuedDuration }) => queuedDuration,
    }),
    createdAt: t.expose('createdAt', { type: 'Time' }),
    updatedAt: t.expose('updatedAt', { type: 'Time' }),
    startedAt: t.expose('startedAt', { type: 'Time', nullable: true }),
    finishedAt: t.expose('finishedAt', { type: 'Time', nullable: true }),
    active: t.boolean({
      description: 'Whether something in it waits for a runner, or runs.',
      direct: true,
      resolve: among(activeStatuses),
    }),
    complete: t.boolean({ description: 'Whether it has finished.', direct: true, resolve: among(completedStatuses) }),
    cancelable: t.boolean({
      description: 'Whether there is something to cancel.',
      direct: true,
      resolve: among(cancelableStatuses),
    }),
    retryable: t.boolean({
      description: 'Whether one of its jobs failed or was canceled, and can be tried again.',
      resolve: async (pipeline, _args, context) =>
        (await latestJobsOf(context, pipeline)).some(({ kind, status }) => kind === 'job' && isUnsuccessful(status)),
    }),
    totalJobs: t.int({
      description: 'How many jobs and reported statuses you read of it, the latest of each name.',
      resolve: async (pipeline, _args, context) => (await latestJobsOf(context, pipeline)).length,
    }),
    usesNeeds: t.boolean({
      nullable: true,
      description: 'Whether one of its jobs waits for jobs that its configuration names, instead of stages.',
      resolve: async (pipeline, _args, context) =>
        (await latestJobsOf(context, pipeline)).some(({ needs }) => needs !== null),
    }),
    path: t.string({ nullable: true, description: 'The path of its page.', direct: true, resolve: pathOf }),
    webUrl: t.string({ direct: true, resolve: (pipeline, _args, { baseUrl }) => `${baseUrl}${pathOf(pipeline)}` }),
  }),
});

identify(Pipeline, type);
