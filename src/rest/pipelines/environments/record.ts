import { autoStopSettings, deploymentTiers, environmentStates } from '../../../values/ci/environments.ts';
import { BasicProject, basicFields, type BasicData } from '../../places/projects/record.ts';
import { objectSchema, type JsonSchema, type Record } from '../../engine/record.ts';
import { text } from '../../engine/schemas.ts';
import { DeploymentWithin, deploymentWithinFields, type DeploymentWithinData } from '../deployments/record.ts';
import {
  EnvironmentBasic,
  environmentBasicFields,
  environmentBasicSchema,
  type EnvironmentBasicData,
} from './basic.ts';

interface EnvironmentData extends EnvironmentBasicData {
  readonly tier: string;
  readonly state: string;
  readonly autoStopAt: string | null;
  readonly description: string | null;
  readonly autoStopSetting: string;
}

const ownFields = `${environmentBasicFields} tier state autoStopAt description autoStopSetting`;

export interface ListedEnvironmentData extends EnvironmentData {
  readonly project: BasicData;
}

/** The fields that operations select for an environment with its project. */
export const listedEnvironmentFields = `${ownFields} project { ${basicFields} }`;

export interface ShownEnvironmentData extends EnvironmentData {
  readonly lastDeployment: DeploymentWithinData | null;
}

/** The fields that operations select for an environment with its last deployment. */
export const shownEnvironmentFields = `${ownFields} lastDeployment(status: SUCCESS) { ${deploymentWithinFields} }`;

const tier: JsonSchema = { ...text, enum: deploymentTiers };
const rest: { readonly [name: string]: JsonSchema } = {
  state: { ...text, enum: environmentStates },
  auto_stop_at: { type: ['string', 'null'], format: 'date-time' },
  description: { type: ['string', 'null'] },
  auto_stop_setting: { ...text, enum: autoStopSettings },
};

const presentRest = (one: EnvironmentData) => ({
  state: one.state,
  auto_stop_at: one.autoStopAt,
  description: one.description,
  auto_stop_setting: one.autoStopSetting.toLowerCase(),
});

/** An environment, with the basic part of its project. */
export const Environment: Record<ListedEnvironmentData> = {
  name: 'Environment',
  schema: objectSchema({ ...environmentBasicSchema, tier, project: BasicProject.schema, ...rest }),
  present: (one) =>
    Object.assign(
      EnvironmentBasic.present(one) as {},
      { tier: one.tier.toLowerCase(), project: BasicProject.present(one.project) },
      presentRest(one),
    ),
};

/** An environment alone: what is there now instead of its project. */
export const ShownEnvironment: Record<ShownEnvironmentData> = {
  name: 'EnvironmentWithLastDeployment',
  schema: objectSchema({
    ...environmentBasicSchema,
    tier,
    ...rest,
    last_deployment: { ...DeploymentWithin.schema, type: ['object', 'null'] },
  }),
  present: (one) =>
    Object.assign(EnvironmentBasic.present(one) as {}, { tier: one.tier.toLowerCase() }, presentRest(one), {
      last_deployment: one.lastDeployment && DeploymentWithin.present(one.lastDeployment),
    }),
};
