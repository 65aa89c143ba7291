import { createHash } from 'node:crypto';
import { tooLong } from '../text/lengths.ts';

/** What is known of environments without looking at one: their words, and what follows from a name. */

export const environmentStates = ['available', 'stopping', 'stopped'] as const;
export type EnvironmentState = (typeof environmentStates)[number];

export const deploymentTiers = ['production', 'staging', 'testing', 'development', 'other'] as const;
export type DeploymentTier = (typeof deploymentTiers)[number];

/** When an environment stops by itself: always, or only where a job stops it. */
export const autoStopSettings = ['always', 'with_action'] as const;
export type AutoStopSetting = (typeof autoStopSettings)[number];

export const deploymentStatuses = [
  'created',
  'running',
  'success',
  'failed',
  'canceled',
  'skipped',
  'blocked',
] as const;
export type DeploymentStatus = (typeof deploymentStatuses)[number];

/** The statuses that a script reports. */
export const reportedDeployments = ['running', 'success', 'failed', 'canceled'] as const;
export type ReportedDeployment = (typeof reportedDeployments)[number];

/** What a job does with an environment. */
export type EnvironmentAction = 'start' | 'prepare' | 'stop' | 'verify' | 'access';

/** Words in a name that tell the tier; the first that matches. */
const tierWords: readonly (readonly [RegExp, DeploymentTier])[] = [
  [/dev|review|trunk/i, 'development'],
  [/test|tst|int|ac(?:ce)?pt|qa|qc|control|quality/i, 'testing'],
  [/sta?g|mode?l|pre|demo|non/i, 'staging'],
  [/pro?d|live/i, 'production'],
];

/** The tier that the name of an environment suggests. */
export const guessedTier = (name: string): DeploymentTier =>
  tierWords.find(([words]) => words.test(name))?.[1] ?? 'other';

const longestSlug = 24;
const keptOfName = 17;
const digits = 6;

/**
 * The slug of an environment: short, and fit for host names. Names that it doesn't show exactly end with a part of their
 * hash, so that two of them differ.
 */
export function environmentSlug(name: string): string {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '-');
  const slug = (/^[a-z]/.test(plain) ? plain : `env-${plain}`).replaceAll(/-+/g, '-');
  if (slug.length <= longestSlug && slug === name) return slug.replace(/-$/, '');
  const begin = slug.slice(0, keptOfName);
  const hash = BigInt(`0x${createHash('sha256').update(name).digest('hex')}`).toString(36);
  return `${begin}${begin.endsWith('-') ? '' : '-'}${hash.slice(-digits)}`;
}

/** The folder that an environment is shown in: what stands before the first slash of its name. */
export const environmentType = (name: string): string | null =>
  name.includes('/') ? name.slice(0, name.indexOf('/')) : null;

const longest = 255;
const characters = /^[\w\-/${}. ]+$/;
const charset =
  "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it cannot start or end with '/'";

/** What is wrong with the name of an environment, in words that follow "name". */
export function problemsOfEnvironmentName(name: string): string[] {
  if (name.trim() === '') return ["can't be blank"];
  const problems: string[] = [];
  if (name.length > longest) problems.push(tooLong(longest));
  if (!characters.test(name) || name.startsWith('/') || name.endsWith('/')) problems.push(charset);
  return problems;
}

/** What is wrong with the address of an environment. */
export function problemsOfExternalUrl(url: string): string[] {
  if (url.length > longest) return [tooLong(longest)];
  if (!/^https?:\/\//i.test(url)) return ['is blocked: Only allowed schemes are http, https'];
  return URL.canParse(url) ? [] : ['is blocked: URI is invalid'];
}
