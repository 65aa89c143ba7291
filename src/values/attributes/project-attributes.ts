import type { Attributes } from './attributes.ts';
import { featureLevels, usualLevel, type Feature } from './project-features.ts';

/**
 * The attributes of projects that their maintainers write. Name, path, description, visibility and topics have rules of
 * their own. Those that nothing follows from say that they are kept for clients; docs/attributes.md lists all.
 */

/** A switch. Everyone who sees the project sees it. */
const flag = <Unset extends boolean | null>(unset: Unset, description: string) =>
  ({ type: 'boolean', description, unset, shownTo: 'everyone' }) as const;

/** A text. */
const text = (longest: number, description: string) =>
  ({ type: 'text', description, unset: null, shownTo: 'everyone', longest }) as const;

/** One of some words. */
const choice = <const Values extends readonly string[]>(values: Values, unset: Values[number], description: string) =>
  ({ type: 'choice', description, values, unset, shownTo: 'everyone' }) as const;

/** The level of a feature. */
const level = (feature: Feature, description: string) =>
  choice(featureLevels, usualLevel(feature), `Who has ${description}.`);

/** The same, for features that may be for those who don't see the project too. */
const openLevel = (feature: Feature, description: string) =>
  choice([...featureLevels, 'public'], usualLevel(feature), `Who has ${description}; \`public\`: everyone.`);

/** The level of a feature that doesn't exist. */
const kept = <One extends { readonly description: string }>(attribute: One): One => ({
  ...attribute,
  description: `${attribute.description} Kept for clients.`,
});

/** What only maintainers see. */
const forMaintainers = <One extends object>(attribute: One) =>
  ({ ...attribute, shownTo: 'maintainers' }) as Omit<One, 'shownTo'> & { readonly shownTo: 'maintainers' };

/** A whole number. */
const integer = (description: string, problem: (value: number) => string | undefined) =>
  ({ type: 'integer', description, unset: null, shownTo: 'everyone', problem }) as const;

const notNegative = (value: number) => (value < 0 ? 'must be greater than or equal to 0' : undefined);

const minute = 60;
const month = 2_629_746;

const timeoutProblem = (value: number) =>
  value >= 10 * minute && value < month ? undefined : 'needs to be between 10 minutes and 1 month';

const depthProblem = (value: number) =>
  notNegative(value) ?? (value > 1000 ? 'must be less than or equal to 1000' : undefined);

const configPathProblem = (value: string) =>
  value.startsWith('/') || value.includes('..') ? 'cannot include leading slash or directory traversal.' : undefined;

/** Which images of the container registry are removed, until someone sets it. */
const unsetExpiration = {
  cadence: '1d',
  enabled: false,
  keep_n: 10,
  older_than: '90d',
  name_regex: '.*',
  name_regex_keep: null,
  next_run_at: null,
} as const;

const expirationTypes: { readonly [name: string]: string } = {
  cadence: 'string',
  enabled: 'boolean',
  keep_n: 'number',
  older_than: 'string',
  name_regex: 'string',
  name_regex_delete: 'string',
  name_regex_keep: 'string',
};

/** What is wrong with a policy of expiration. Unknown members are ignored. */
function expirationProblem(value: { readonly [name: string]: unknown }): string | undefined {
  const wrong = Object.entries(value).filter(
    ([name, one]) =>
      expirationTypes[name] !== undefined &&
      one !== null &&
      (typeof readExpiration(name, one) !== expirationTypes[name] || String(one).length > 255),
  );
  return wrong.length === 0 ? undefined : `has an invalid ${wrong[0]![0]}`;
}

/** A member of a policy, which forms send as text. */
function readExpiration(name: string, one: unknown): unknown {
  if (expirationTypes[name] === 'boolean' && typeof one === 'string') return one === 'true' || one === '1';
  if (expirationTypes[name] === 'number' && typeof one === 'string' && /^\d{1,9}$/.test(one)) return Number(one);
  return one;
}

/** The known members of a policy. `name_regex_delete` is another name of `name_regex`. */
function cleanExpiration(value: { readonly [name: string]: unknown }) {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => expirationTypes[name] !== undefined || name === 'next_run_at')
      .map(([name, one]) => [name === 'name_regex_delete' ? 'name_regex' : name, readExpiration(name, one)]),
  );
}

const claims = ['project_path', 'ref_type', 'ref'];

/** What someone with a role below maintainer sees, too. */
const shared = {
  resolveOutdatedDiffDiscussions: flag(false, 'Whether a push resolves the threads on the lines that it changes.'),
  containerExpirationPolicy: {
    type: 'object',
    description: 'Which images of the container registry are removed, and when. Kept for clients.',
    wire: 'containerExpirationPolicyAttributes',
    readAs: 'containerExpirationPolicy',
    unset: unsetExpiration,
    shownTo: 'everyone',
    problem: expirationProblem,
    clean: cleanExpiration,
  },
  repositoryObjectFormat: choice(
    ['sha1', 'sha256'],
    'sha1',
    'The hash function of the repository. Kept for clients: it is always SHA-1.',
  ),
  serviceDeskEnabled: flag(false, 'Whether mail to an address of the project becomes an issue. Kept for clients.'),
  issuesAccessLevel: level('issues', 'issues'),
  repositoryAccessLevel: level('repository', 'the repository'),
  mergeRequestsAccessLevel: level('mergeRequests', 'merge requests'),
  forkingAccessLevel: level('forking', 'forks'),
  wikiAccessLevel: kept(level('wiki', 'the wiki')),
  buildsAccessLevel: level('builds', 'jobs'),
  snippetsAccessLevel: level('snippets', 'snippets'),
  pagesAccessLevel: kept(openLevel('pages', 'the pages')),
  analyticsAccessLevel: kept(level('analytics', 'the analytics')),
  containerRegistryAccessLevel: kept(level('containerRegistry', 'the container registry')),
  securityAndComplianceAccessLevel: kept(level('securityAndCompliance', 'security and compliance')),
  releasesAccessLevel: kept(level('releases', 'releases')),
  environmentsAccessLevel: level('environments', 'environments'),
  featureFlagsAccessLevel: kept(level('featureFlags', 'feature flags')),
  infrastructureAccessLevel: kept(level('infrastructure', 'the infrastructure')),
  monitorAccessLevel: level('monitor', 'monitoring and error tracking'),
  modelExperimentsAccessLevel: kept(level('modelExperiments', 'experiments with models')),
  modelRegistryAccessLevel: kept(level('modelRegistry', 'the registry of models')),
  packageRegistryAccessLevel: kept(openLevel('packageRegistry', 'the package registry')),
  emailsEnabled: {
    ...flag(true, 'Whether it sends mail. Its owners change this.'),
    opposite: 'emailsDisabled',
    writtenBy: 'owners',
  },
  showDiffPreviewInEmail: flag(true, 'Whether mail shows changes of code. Kept for clients.'),
  sharedRunnersEnabled: flag(true, 'Whether the runners of the instance run its jobs.'),
  lfsEnabled: flag(true, 'Whether large files are kept apart (Git LFS). Kept for clients.'),
  mrDefaultTargetSelf: flag(false, 'Whether the merge requests of a fork are to itself by default. For forks only.'),
  ciConfigPath: {
    ...text(255, 'The path of the configuration of its pipelines.'),
    problem: configPathProblem,
  },
  publicJobs: { ...flag(true, 'Whether everyone who sees it sees its jobs.'), alsoWritten: ['publicBuilds'] },
  onlyAllowMergeIfPipelineSucceeds: flag(false, 'Whether a merge needs a pipeline that succeeded.'),
  allowMergeOnSkippedPipeline: flag(null, 'Whether a skipped pipeline allows a merge.'),
  requestAccessEnabled: flag(true, 'Whether people who see it may ask for a role in it.'),
  onlyAllowMergeIfAllDiscussionsAreResolved: flag(false, 'Whether a merge needs all threads to be resolved.'),
  removeSourceBranchAfterMerge: flag(true, 'Whether a merge removes the source branch by default.'),
  printingMergeRequestLinkEnabled: flag(true, 'Whether a push answers with a link to make a merge request.'),
  mergeMethod: choice(['merge', 'rebase_merge', 'ff'], 'merge', 'How merge requests are merged.'),
  squashOption: choice(
    ['never', 'always', 'default_on', 'default_off'],
    'default_off',
    'Whether a merge squashes the commits.',
  ),
  enforceAuthChecksOnUploads: flag(
    true,
    'Whether uploaded files are shown only to those who see the project. Kept for clients.',
  ),
  suggestionCommitMessage: text(255, 'The message of a commit that applies suggestions. Kept for clients.'),
  mergeCommitTemplate: text(500, 'The message of a merge.'),
  squashCommitTemplate: text(500, 'The message of a squashed commit.'),
  issueBranchTemplate: text(255, 'The name of a branch that is made for an issue. Kept for clients.'),
  mergeRequestTitleRegex: text(
    255,
    'The regular expression that titles of merge requests must match. Kept for clients.',
  ),
  mergeRequestTitleRegexDescription: text(255, 'What that regular expression demands, in words. Kept for clients.'),
  warnAboutPotentiallyUnwantedCharacters: flag(
    true,
    'Whether code with invisible characters gets a warning. Kept for clients.',
  ),
  autocloseReferencedIssues: flag(true, 'Whether merges and pushes close the issues that they mention.'),
  showDefaultAwardEmojis: {
    ...flag(true, 'Whether thumbs up and down are always offered. Kept for clients.'),
    unlisted: true,
  },
  maxArtifactsSize: integer('Maximum size of the artifacts of a job, in MB.', notNegative),
} as const satisfies Attributes;

/** What only maintainers see, in the order of version 4's records. */
const ofMaintainers = {
  ciDefaultGitDepth: {
    ...forMaintainers(integer('How many commits a job fetches; 0 for all.', depthProblem)),
    unset: 20,
  },
  ciDeletePipelinesInSeconds: forMaintainers(
    integer('After how many seconds pipelines are deleted. Its owners change this.', notNegative),
  ),
  ciForwardDeploymentEnabled: forMaintainers(flag(true, 'Whether older deployments are stopped by newer ones.')),
  ciForwardDeploymentRollbackAllowed: forMaintainers(flag(true, 'Whether an older deployment may be run again.')),
  ciSeparatedCaches: forMaintainers(flag(true, 'Whether protected branches have caches of their own.')),
  ciAllowForkPipelinesToRunInParentProject: forMaintainers(
    flag(true, 'Whether pipelines of merge requests from forks may run here. Kept for clients.'),
  ),
  ciIdTokenSubClaimComponents: forMaintainers({
    type: 'list',
    description:
      'What the subject of a job’s identity token is made of. The first is `project_path`. Kept for clients.',
    unset: claims,
    problem: (list: readonly string[]) =>
      list[0] === 'project_path' && list.every((one) => claims.includes(one))
        ? undefined
        : 'must start with project_path and consist of project_path, ref_type, ref',
  } as const),
  buildGitStrategy: forMaintainers(choice(['fetch', 'clone'], 'fetch', 'How a job gets the repository.')),
  keepLatestArtifact: forMaintainers(flag(true, 'Whether the latest artifacts are kept.')),
  ciPipelineVariablesMinimumOverrideRole: forMaintainers(
    choice(['no_one_allowed', 'developer', 'maintainer', 'owner'], 'developer', 'Who gives variables to a pipeline.'),
  ),
  groupRunnersEnabled: forMaintainers(flag(true, 'Whether the runners of its groups run its jobs.')),
  resourceGroupDefaultProcessMode: forMaintainers(
    choice(
      ['unordered', 'oldest_first', 'newest_first', 'newest_ready_first'],
      'unordered',
      'The order of waiting jobs. Kept for clients.',
    ),
  ),
  autoCancelPendingPipelines: forMaintainers(
    choice(['enabled', 'disabled'], 'enabled', 'Whether a newer pipeline cancels those that wait.'),
  ),
  buildTimeout: { ...forMaintainers(integer('How long a job may take, in seconds.', timeoutProblem)), unset: 3600 },
  autoDevopsEnabled: forMaintainers(
    flag(false, 'Whether pipelines are made without a configuration. Kept for clients.'),
  ),
  autoDevopsDeployStrategy: forMaintainers(
    choice(['continuous', 'manual', 'timed_incremental'], 'continuous', 'How such pipelines deploy. Kept for clients.'),
  ),
  ciPushRepositoryForJobTokenAllowed: forMaintainers(
    flag(false, 'Whether jobs may push to the repository. Kept for clients.'),
  ),
  buildCoverageRegex: forMaintainers(text(255, 'The regular expression that finds the coverage in a log.')),
  repositoryStorage: {
    type: 'text',
    description: 'Where its repository is stored. Kept for clients.',
    unset: 'default',
    shownTo: 'administrators',
    writtenBy: 'administrators',
    longest: 255,
  },
} as const satisfies Attributes;

/** In the order of version 4's records. */
export const projectAttributes = { ...shared, ...ofMaintainers } as const;
export type ProjectAttributes = typeof projectAttributes;

/** Those that can still change: the hash function is that of everything in the repository. */
const { repositoryObjectFormat: _chosenOnce, ...changeable } = projectAttributes;
export const changeableProjectAttributes = changeable;
