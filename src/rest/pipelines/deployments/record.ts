import { deploymentStatuses } from '../../../values/ci/environments.ts';
import { UserBasic, userBasicFields, type UserBasicData } from '../../accounts/users/basic.ts';
import { objectSchema, type JsonSchema, type Record } from '../../engine/record.ts';
import { moment, text } from '../../engine/schemas.ts';
import { Job, jobFields, type JobData } from '../jobs/record.ts';
import { EnvironmentBasic, environmentBasicFields, type EnvironmentBasicData } from '../environments/basic.ts';

export interface DeploymentWithinData {
  readonly id: number;
  readonly iid: string;
  readonly ref: string;
  readonly sha: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly status: string;
  readonly user: UserBasicData | null;
  readonly job: JobData | null;
}

/** The fields that operations select for a deployment inside its environment. */
export const deploymentWithinFields = `id: databaseId iid ref sha createdAt updatedAt status user: triggerer { ${userBasicFields} }
  job { ${jobFields} }`;

export interface DeploymentData extends DeploymentWithinData {
  readonly environment: EnvironmentBasicData;
}

/** The fields that operations select for a deployment. */
export const deploymentFields = `${deploymentWithinFields} environment { ${environmentBasicFields} }`;

const first: { readonly [name: string]: JsonSchema } = {
  id: { type: 'integer' },
  iid: { type: 'integer' },
  ref: text,
  sha: text,
  created_at: moment,
  updated_at: moment,
  user: { ...UserBasic.schema, type: ['object', 'null'] },
};
const last: { readonly [name: string]: JsonSchema } = {
  deployable: {
    ...Job.schema,
    type: ['object', 'null'],
    description: 'The job that does it; null for one that a script reported.',
  },
  status: { ...text, enum: deploymentStatuses },
};

const presentFirst = (one: DeploymentWithinData) => ({
  id: one.id,
  iid: Number(one.iid),
  ref: one.ref,
  sha: one.sha,
  created_at: one.createdAt,
  updated_at: one.updatedAt,
  user: one.user && UserBasic.present(one.user),
});
const presentLast = (one: DeploymentWithinData) => ({
  deployable: one.job && Job.present(one.job),
  status: one.status.toLowerCase(),
});

/** A deployment. */
export const Deployment: Record<DeploymentData> = {
  name: 'Deployment',
  schema: objectSchema({ ...first, environment: EnvironmentBasic.schema, ...last }),
  present: (one) =>
    Object.assign(presentFirst(one), { environment: EnvironmentBasic.present(one.environment) }, presentLast(one)),
};

/** A deployment inside its environment. */
export const DeploymentWithin: Record<DeploymentWithinData> = {
  name: 'DeploymentOfEnvironment',
  schema: objectSchema({ ...first, ...last }),
  present: (one) => Object.assign(presentFirst(one), presentLast(one)),
};
