import {
  autoStopSettings,
  deploymentTiers,
  environmentStates,
  environmentType,
  type AutoStopSetting,
  type DeploymentTier,
} from '../../../values/ci/environments.ts';
import { builder } from '../../engine/builder.ts';
import { idScalar, identify } from '../../engine/global-id.ts';
import { projectById } from '../../places/place/read.ts';
import { Project } from '../../places/place/types.ts';
import type { EnvironmentRecord } from './statements/reading.ts';

const type = 'Environment';

/** The number in a global id of an environment. */
export const environmentId = idScalar('EnvironmentID', type);

export const DeploymentTierEnum = builder.enumType('DeploymentTier', {
  description: 'What an environment is for.',
  values: Object.fromEntries(deploymentTiers.map((tier) => [tier.toUpperCase(), { value: tier }])) as {
    readonly [Name in Uppercase<DeploymentTier>]: { readonly value: Lowercase<Name> };
  },
});

export const AutoStopSettingEnum = builder.enumType('AutoStopSetting', {
  description: 'When an environment stops by itself.',
  values: Object.fromEntries(autoStopSettings.map((one) => [one.toUpperCase(), { value: one }])) as {
    readonly [Name in Uppercase<AutoStopSetting>]: { readonly value: Lowercase<Name> };
  },
});

const pathOf = ({ projectPath, id }: EnvironmentRecord) => `/${projectPath}/-/environments/${id}`;

export const Environment = builder.objectRef<EnvironmentRecord>('Environment').implement({
  description: 'Where something of a project runs: deployments bring commits there.',
  fields: (t) => ({
    name: t.exposeString('name'),
    slug: t.exposeString('slug', { description: 'The name in a form that is fit for addresses and host names.' }),
    state: t.exposeString('state', {
      description: `One of ${environmentStates.map((one) => `\`${one}\``).join(', ')}.`,
    }),
    tier: t.field({ type: DeploymentTierEnum, nullable: true, direct: true, resolve: ({ tier }) => tier }),
    environmentType: t.string({
      nullable: true,
      description: 'Its folder: what stands before the first slash of its name.',
      direct: true,
      resolve: ({ name }) => environmentType(name),
    }),
    externalUrl: t.exposeString('externalUrl', { nullable: true, description: 'Where people see it.' }),
    description: t.exposeString('description', { nullable: true }),
    autoStopAt: t.expose('autoStopAt', {
      type: 'Time',
      nullable: true,
      description: 'When it is stopped without a request.',
    }),
    autoStopSetting: t.field({
      type: AutoStopSettingEnum,
      description: 'Whether that needs a job that stops it.',
      direct: true,
      resolve: ({ autoStopSetting }) => autoStopSetting,
    }),
    createdAt: t.expose('createdAt', { type: 'Time', nullable: true }),
    updatedAt: t.expose('updatedAt', { type: 'Time', nullable: true }),
    path: t.string({ description: 'The path of its page.', direct: true, resolve: pathOf }),
    project: t.field({
      type: Project,
      nullable: true,
      resolve: ({ projectId }, _args, context) => projectById(context, projectId),
    }),
  }),
});

identify(Environment, type);
