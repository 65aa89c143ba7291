import type { Context } from '../../../../context.ts';
import { Forbidden, InvalidFields } from '../../../../errors.ts';
import { administrator, holds, ownProject, type Facts } from '../../../../policy/index.ts';
import {
  storedAttributes,
  writtenBy,
  type Attributes,
  type Audience,
  type GivenAttributes,
} from '../../../../values/attributes/attributes.ts';
import { projectAttributes, type ProjectAttributes } from '../../../../values/attributes/project-attributes.ts';
import { featureLevels, levelOf } from '../../../../values/attributes/project-features.ts';
import { attributeInputs } from '../../../engine/attributes.ts';
import type { InputsOf } from '../../../engine/mutation.ts';
import { expirationOf } from './values.ts';

/** Writing the attributes of projects. */

export type GivenProjectAttributes = GivenAttributes<ProjectAttributes> & {
  /** Another way to set the role that gives variables to pipelines. */
  readonly restrictUserDefinedVariables?: boolean | null | undefined;
};

/** The inputs of mutations that write attributes: some or all of them. */
export const projectAttributeInputs = <Table extends Partial<ProjectAttributes> & Attributes>(
  t: InputsOf,
  table: Table,
) => ({
  ...attributeInputs(t, table),
  restrictUserDefinedVariables: t.boolean({
    description: 'True: at least maintainers give variables to a pipeline; false: developers too.',
  }),
});

/** The audiences whose values are ignored if someone else sends them, as GitLab does. */
const rules = { owners: ownProject, administrators: administrator } as const;

/** The attributes that the viewer may set, of those that were sent. @throws Forbidden */
export function ownAttributes<Given extends GivenProjectAttributes>(
  { viewer }: Context,
  facts: Facts,
  given: Given,
): Given {
  if (given.ciDeletePipelinesInSeconds !== undefined && !holds(ownProject, viewer, facts)) throw new Forbidden();
  const may = (audience: Audience) => {
    const rule = rules[audience as keyof typeof rules] as typeof ownProject | undefined;
    return rule === undefined || holds(rule, viewer, facts);
  };
  return writtenBy(projectAttributes, given, may);
}

interface Before {
  readonly attributes: { readonly [name: string]: unknown };
  readonly isFork: boolean;
}

/** What to store, besides what is stored already. @throws InvalidFields for what doesn't go together */
export function changeOfAttributes(before: Before, given: GivenProjectAttributes) {
  if (given.mrDefaultTargetSelf != null && !before.isFork)
    throw new InvalidFields({ mrDefaultTargetSelf: ['is only for forks'] });
  const { values, unset } = storedAttributes(projectAttributes, {
    ...given,
    ...roleOf(before, given),
    ...(given.containerExpirationPolicy && {
      containerExpirationPolicy: { ...expirationOf(before), ...given.containerExpirationPolicy },
    }),
  });
  refuseLevels(before, values, unset);
  return { values: JSON.stringify(values), unset };
}

const roleName = 'ciPipelineVariablesMinimumOverrideRole';

/** The role that gives variables to pipelines, if only the switch for it is sent. */
function roleOf({ attributes }: Before, { restrictUserDefinedVariables: restrict, ...given }: GivenProjectAttributes) {
  if (restrict === undefined || given[roleName] !== undefined) return undefined;
  if (restrict !== true) return { [roleName]: null };
  return attributes[roleName] === undefined ? { [roleName]: 'maintainer' } : undefined;
}

/** No one has jobs or merge requests without the repository. @throws InvalidFields */
function refuseLevels({ attributes }: Before, values: Before['attributes'], unset: readonly string[]): void {
  const names = ['repositoryAccessLevel', 'mergeRequestsAccessLevel', 'buildsAccessLevel'] as const;
  if (!names.some((name) => values[name] !== undefined || unset.includes(name))) return;
  const after = Object.fromEntries(
    Object.entries({ ...attributes, ...values }).filter(([name]) => !unset.includes(name)),
  );
  const rank = (feature: 'repository' | 'mergeRequests' | 'builds') =>
    (featureLevels as readonly string[]).indexOf(levelOf(feature, { attributes: after, visibility: 'PRIVATE' }));
  const wrong = (['mergeRequests', 'builds'] as const).filter((feature) => rank(feature) > rank('repository'));
  if (wrong.length === 0) return;
  throw new InvalidFields(
    Object.fromEntries(
      wrong.map((feature) => [
        `projectFeature.${feature}AccessLevel`,
        ['cannot have higher visibility level than repository access level'],
      ]),
    ),
  );
}
