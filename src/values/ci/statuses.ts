/** Statuses of continuous integration, which doors, schema and engine share. */

/** Statuses of jobs, stages and pipelines. */
export const ciStatuses = [
  'created',
  'waiting_for_resource',
  'preparing',
  'waiting_for_callback',
  'pending',
  'running',
  'success',
  'failed',
  'canceling',
  'canceled',
  'skipped',
  'manual',
  'scheduled',
] as const;

export type CiStatus = (typeof ciStatuses)[number];

/** Statuses that nothing leaves by itself. */
export const completedStatuses = ['success', 'failed', 'canceled', 'skipped'] as const satisfies readonly CiStatus[];
export const isCompleted = (status: CiStatus): boolean => (completedStatuses as readonly CiStatus[]).includes(status);

/** Statuses of what waits for a runner, or runs. */
export const activeStatuses = [
  'waiting_for_resource',
  'preparing',
  'waiting_for_callback',
  'pending',
  'running',
] as const satisfies readonly CiStatus[];

/** Statuses that can be canceled. */
export const cancelableStatuses = [
  'created',
  ...activeStatuses,
  'manual',
  'scheduled',
] as const satisfies readonly CiStatus[];

/** Statuses that a script reports of a commit. */
export const reportedStatuses = [
  'pending',
  'running',
  'success',
  'failed',
  'canceled',
  'skipped',
] as const satisfies readonly CiStatus[];

export type ReportedStatus = (typeof reportedStatuses)[number];
