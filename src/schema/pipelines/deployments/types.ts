import { deploymentStatuses, type DeploymentStatus } from '../../../values/ci/environments.ts';
import { userById } from '../../accounts/users/read.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { builder } from '../../engine/builder.ts';
import { identify } from '../../engine/global-id.ts';
import { projectById } from '../../places/place/read.ts';
import { Project } from '../../places/place/types.ts';
import { environmentById } from '../environments/read.ts';
import { Environment } from '../environments/types.ts';
import { jobById } from '../jobs/read.ts';
import { readablePipelineById } from '../pipelines/read.ts';
import { CiJob } from '../jobs/types.ts';
import type { DeploymentRecord } from './statements/reading.ts';

type Upper<Status extends string = DeploymentStatus> = Uppercase<Status>;

export const DeploymentStatusEnum = builder.enumType('DeploymentStatus', {
  description: 'How far a deployment is.',
  values: Object.fromEntries(deploymentStatuses.map((status) => [status.toUpperCase(), { value: status }])) as {
    readonly [Name in Upper]: { readonly value: Lowercase<Name> };
  },
});

export const Deployment = builder.objectRef<DeploymentRecord>('Deployment').implement({
  description: 'That a commit was brought to an environment, or is being brought there.',
  fields: (t) => ({
    iid: t.exposeID('iid', { nullable: true, description: 'Its number in the project.' }),
    ref: t.exposeString('ref', { nullable: true, description: 'The branch or tag.' }),
    tag: t.exposeBoolean('tag', { nullable: true, description: 'Whether `ref` is a tag.' }),
    sha: t.exposeString('sha', { nullable: true, description: 'The commit.' }),
    status: t.field({ type: DeploymentStatusEnum, nullable: true, direct: true, resolve: ({ status }) => status }),
    createdAt: t.expose('createdAt', { type: 'Time', nullable: true }),
    updatedAt: t.expose('updatedAt', { type: 'Time', nullable: true }),
    finishedAt: t.expose('finishedAt', { type: 'Time', nullable: true }),
    triggerer: t.field({
      type: UserCore,
      nullable: true,
      description: 'Who started or reported it; null for a deleted person.',
      resolve: ({ userId }, _args, context) => userById(context, userId),
    }),
    environment: t.field({
      type: Environment,
      description: 'Where to.',
      resolve: async ({ environmentId }, _args, context) => (await environmentById(context, environmentId))!,
    }),
    job: t.field({
      type: CiJob,
      nullable: true,
      description: 'The job that does it; null for one that a script reported, and for those who don’t read pipelines.',
      resolve: async ({ jobId }, _args, context) => {
        const job = jobId === null ? undefined : await jobById(context, jobId);
        return job && (await readablePipelineById(context, job.pipelineId)) ? job : null;
      },
    }),
    project: t.field({
      type: Project,
      nullable: true,
      resolve: ({ projectId }, _args, context) => projectById(context, projectId),
    }),
  }),
});

identify(Deployment, 'Deployment');
