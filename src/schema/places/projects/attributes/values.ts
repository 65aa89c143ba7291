import type { ProjectRecord } from '../../../../database/access/records.ts';
import {
  administrator,
  editProject,
  featureAvailable,
  holds,
  member,
  type Facts,
  type Viewer,
} from '../../../../policy/index.ts';
import type { Attributes, Audience } from '../../../../values/attributes/attributes.ts';
import { projectAttributes } from '../../../../values/attributes/project-attributes.ts';
import { featureSwitches, levelOf, type Feature } from '../../../../values/attributes/project-features.ts';

type Leveled = Pick<ProjectRecord, 'attributes' | 'visibility'>;
type Values = { readonly [name: string]: unknown };

const switches = Object.entries(featureSwitches) as readonly (readonly [name: string, feature: Feature])[];

/** Whether the viewer sees the attributes of an audience. */
export function seesAttributes(audience: Audience, viewer: Viewer, facts: Facts): boolean {
  if (audience === 'everyone') return true;
  return holds(audience === 'administrators' ? administrator : editProject, viewer, facts);
}

/**
 * The attributes of a project that the viewer sees, with the defaults of those that no one set. One object for all: a
 * page of version 4 shows all of them of each project.
 */
export function attributesFor(project: Leveled, viewer: Viewer, facts: Facts): Values {
  if (Object.keys(project.attributes).length > 0) return valuesOf(project, viewer, facts);
  // Most projects have only defaults, of which there are few variants.
  const is = [administrator, editProject, member].map((rule) => holds(rule, viewer, facts));
  const variant = `${project.visibility} ${is.join(' ')}`;
  let values = variants.get(variant);
  if (!values) {
    values = Object.freeze(valuesOf(project, viewer, facts));
    variants.set(variant, values);
  }
  return values;
}

const variants = new Map<string, Values>();

function valuesOf(project: Leveled, viewer: Viewer, facts: Facts): Values {
  const values: { [name: string]: unknown } = {};
  const stored: Values = project.attributes;
  for (const [name, { unset, shownTo }] of Object.entries<Attributes[string]>(projectAttributes))
    if (seesAttributes(shownTo, viewer, facts)) values[name] = stored[name] ?? unset;
  values.pagesAccessLevel = levelOf('pages', project);
  values.containerExpirationPolicy = expirationOf(project);
  for (const [name, feature] of switches) values[name] = hasSwitched(feature, project, viewer, facts);
  const role = values.ciPipelineVariablesMinimumOverrideRole;
  if (role !== undefined) values.restrictUserDefinedVariables = role !== 'developer';
  return values;
}

/** The policy of expiration: a writer sets only some of its members. */
export const expirationOf = ({ attributes }: Pick<Leveled, 'attributes'>) => ({
  ...projectAttributes.containerExpirationPolicy.unset,
  ...(attributes.containerExpirationPolicy as object | undefined),
});

/** What a switch of a feature shows: whether the viewer has it; of packages, whether anyone has them. */
export const hasSwitched = (feature: Feature, project: Leveled, viewer: Viewer, facts: Facts): boolean =>
  feature === 'packageRegistry'
    ? levelOf(feature, project) !== 'disabled'
    : featureAvailable(feature, project, viewer, facts);
