import type { Attributes, GivenAttributes } from './attributes.ts';
import {
  branchProtection,
  branchProtectionLevel,
  branchProtectionProblem,
  cleanBranchProtection,
} from './branch-protection.ts';

/** The attributes of groups. Name, path, description and visibility have rules of their own. */

const flag = (description: string, unset: boolean) =>
  ({ type: 'boolean', description, unset, shownTo: 'everyone' }) as const;

/** In the order of version 4's records. */
export const groupAttributes = {
  shareWithGroupLock: {
    ...flag(
      'Whether projects in it can’t be shared with other groups. True sets it for every group below; only owners of the parent group set it to false where the parent has it.',
      false,
    ),
    obeyed: true,
  },
  requireTwoFactorAuthentication: {
    ...flag('Whether its members need two-factor authentication to sign in.', false),
    obeyed: true,
  },
  twoFactorGracePeriod: {
    type: 'integer',
    description: 'How many hours members have to set up two-factor authentication.',
    unset: 48,
    shownTo: 'everyone',
    problem: (value) => (value < 0 ? 'must be greater than or equal to 0' : undefined),
    obeyed: true,
  },
  projectCreationLevel: {
    type: 'choice',
    description: 'The least role that creates projects in it.',
    values: ['noone', 'owner', 'maintainer', 'developer', 'administrator'],
    unset: 'developer',
    shownTo: 'everyone',
    obeyed: true,
  },
  autoDevopsEnabled: {
    type: 'boolean',
    description: 'Whether pipelines run without a configuration; null as in the parent group. Kept for clients.',
    unset: null,
    shownTo: 'everyone',
  },
  subgroupCreationLevel: {
    type: 'choice',
    description: 'The least role that creates groups in it.',
    values: ['owner', 'maintainer'],
    unset: 'maintainer',
    shownTo: 'everyone',
    obeyed: true,
  },
  emailsEnabled: {
    ...flag('Whether notifications of it are mailed. False if they aren’t in a group above.', true),
    opposite: 'emailsDisabled',
    obeyed: true,
  },
  showDiffPreviewInEmail: flag('Whether mail about changes shows them. Kept for clients.', true),
  mentionsDisabled: {
    type: 'boolean',
    description: 'Whether no one is notified when the group is mentioned.',
    unset: null,
    shownTo: 'everyone',
    obeyed: true,
  },
  lfsEnabled: flag('Whether its projects may have large files. Kept for clients.', true),
  mathRenderingLimitsEnabled: flag('Whether formulas in texts are limited. Kept for clients.', true),
  lockMathRenderingLimitsEnabled: flag('Whether groups below can’t change that. Kept for clients.', false),
  defaultBranch: {
    type: 'text',
    description: 'The name of the default branch of new projects.',
    unset: null,
    shownTo: 'everyone',
    longest: 255,
  },
  defaultBranchProtection: {
    type: 'integer',
    description:
      'Who pushes to the default branch of new projects: 0 developers, with force; 1 developers, while maintainers merge; 2 maintainers; 3 maintainers, while developers merge; 4 maintainers, after a developer’s first push.',
    values: [0, 1, 2, 3, 4],
    unset: 2,
    shownTo: 'everyone',
  },
  defaultBranchProtectionDefaults: {
    type: 'object',
    description:
      'Who pushes to the default branch of new projects, and merges into it: `allowed_to_push`, `allowed_to_merge`, `allow_force_push` and `developer_can_initial_push`. It wins over `default_branch_protection`, which changes with it.',
    unset: branchProtection[2],
    shownTo: 'everyone',
    problem: branchProtectionProblem,
    clean: cleanBranchProtection,
  },
  requestAccessEnabled: flag('Whether people who see it may ask for a role in it.', true),
  sharedRunnersSetting: {
    type: 'choice',
    description: 'Whether runners of the instance run jobs of its projects, and whether groups below may change that.',
    values: ['enabled', 'disabled_and_overridable', 'disabled_and_unoverridable', 'disabled_with_override'],
    enum: 'SharedRunnersSetting',
    unset: 'enabled',
    shownTo: 'everyone',
    clean: (value) => (value === 'disabled_with_override' ? 'disabled_and_overridable' : value),
    obeyed: true,
  },
  maxArtifactsSize: {
    type: 'integer',
    description:
      'The largest file that a job of its projects leaves, in megabytes, unless the project or a group below says otherwise. Written by administrators.',
    unset: null,
    shownTo: 'everyone',
    writtenBy: 'administrators',
    problem: (value) => (value < 1 ? 'must be greater than 0' : undefined),
  },
  enabledGitAccessProtocol: {
    type: 'choice',
    description: 'How git reaches its projects. At the root only. Jobs always use HTTP.',
    values: ['ssh', 'http', 'all'],
    unset: 'all',
    shownTo: 'owners',
  },
  preventSharingGroupsOutsideHierarchy: {
    ...flag('Whether nothing in it can be shared with groups outside. At the root only.', false),
    obeyed: true,
  },
} as const satisfies Attributes;

export type GroupAttributes = typeof groupAttributes;

type ObeyedName = {
  [Name in keyof GroupAttributes]: GroupAttributes[Name] extends { obeyed: true } ? Name : never;
}[keyof GroupAttributes];

/** The names of those that are columns. */
export const obeyedGroupAttributes = Object.entries(groupAttributes)
  .filter(([, attribute]) => 'obeyed' in attribute)
  .map(([name]) => name as ObeyedName);
export type GivenGroupAttributes = GivenAttributes<GroupAttributes>;

/** With what follows from what was sent: both forms of the protection of branches say the same. */
export function withBranchProtection(given: GivenGroupAttributes): GivenGroupAttributes {
  const { defaultBranchProtection: level, defaultBranchProtectionDefaults: defaults } = given;
  if (defaults != null)
    return { ...given, defaultBranchProtection: branchProtectionLevel(cleanBranchProtection(defaults)) };
  if (level === undefined && defaults === undefined) return given;
  const number = (level ?? 2) as keyof typeof branchProtection;
  return { ...given, defaultBranchProtection: number, defaultBranchProtectionDefaults: branchProtection[number] };
}

export type ProjectCreationLevel = (typeof groupAttributes.projectCreationLevel.values)[number];
export type SubgroupCreationLevel = (typeof groupAttributes.subgroupCreationLevel.values)[number];
export type RunnersSetting = (typeof groupAttributes.sharedRunnersSetting.values)[number];
