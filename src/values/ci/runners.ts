/** Runners: the programs that carry out jobs. Words are those of the wire. */

/** Whose jobs a runner carries out. */
export const runnerTypes = ['instance_type', 'group_type', 'project_type'] as const;
export type RunnerType = (typeof runnerTypes)[number];

/** Which jobs: all, or only those of protected branches and tags. */
export const runnerAccessLevels = ['not_protected', 'ref_protected'] as const;

export const runnerStatuses = ['online', 'offline', 'stale', 'never_contacted'] as const;
export type RunnerStatus = (typeof runnerStatuses)[number];

/** Milliseconds since the last contact within which a runner counts as online, and after which it is stale. */
const online = 2 * 3_600_000;
const stale = 7 * 24 * 3_600_000;

/** How a runner is, by when it last asked for a job. */
export function runnerStatus(contactedAt: Date | null, createdAt: Date, now = Date.now()): RunnerStatus {
  const silent = now - +(contactedAt ?? createdAt);
  if (contactedAt !== null && silent < online) return 'online';
  if (silent > stale) return 'stale';
  return contactedAt === null ? 'never_contacted' : 'offline';
}

/** The reasons of a failure that a runner may send. */
export const failureReasonsOfRunners = [
  'unknown_failure',
  'script_failure',
  'runner_system_failure',
  'job_execution_timeout',
] as const;
