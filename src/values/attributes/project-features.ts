/** The features of a project that its maintainers switch off, or show to its members only. */

/** Who has a feature: no one, the members, everyone who sees the project, or everyone. */
export const featureLevels = ['disabled', 'private', 'enabled'] as const;
export type FeatureLevel = (typeof featureLevels)[number] | 'public';

/** In the order of version 4's records. */
const features = [
  'issues',
  'repository',
  'mergeRequests',
  'forking',
  'wiki',
  'builds',
  'snippets',
  'pages',
  'analytics',
  'containerRegistry',
  'securityAndCompliance',
  'releases',
  'environments',
  'featureFlags',
  'infrastructure',
  'monitor',
  'modelExperiments',
  'modelRegistry',
  'packageRegistry',
] as const;
export type Feature = (typeof features)[number];

/** Joined once: a name made for each look-up would have to be compared as a text. */
const levelAttributes = Object.fromEntries(features.map((feature) => [feature, `${feature}AccessLevel`])) as {
  readonly [Name in Feature]: `${Name}AccessLevel`;
};

/** The name of the attribute that has the level of a feature. */
export const levelAttribute = <Name extends Feature>(feature: Name): `${Name}AccessLevel` => levelAttributes[feature];

/** The level while no one has set another one. That of pages depends on who sees the project. */
export const usualLevel = (feature: Feature): (typeof featureLevels)[number] =>
  feature === 'securityAndCompliance' ? 'private' : 'enabled';

interface Leveled {
  readonly attributes: { readonly [name: string]: unknown };
  readonly visibility: 'PRIVATE' | 'INTERNAL' | 'PUBLIC';
}

/** The level of a feature in a project. */
export function levelOf(feature: Feature, { attributes, visibility }: Leveled): FeatureLevel {
  const stored = attributes[levelAttribute(feature)] as FeatureLevel | undefined;
  if (stored !== undefined) return stored;
  return feature === 'pages' && visibility !== 'PUBLIC' ? 'private' : usualLevel(feature);
}

/** Attributes of features that are a boolean: writers set the level with them, and readers see whether they have it. */
export const featureSwitches = {
  issuesEnabled: 'issues',
  mergeRequestsEnabled: 'mergeRequests',
  wikiEnabled: 'wiki',
  jobsEnabled: 'builds',
  snippetsEnabled: 'snippets',
  containerRegistryEnabled: 'containerRegistry',
  packagesEnabled: 'packageRegistry',
} as const satisfies { readonly [name: string]: Feature };
