/** Reasons that a configuration may name, for jobs to run again. */
export const retriedReasons = [
  'unknown_failure',
  'script_failure',
  'api_failure',
  'stuck_or_timeout_failure',
  'runner_system_failure',
  'missing_dependency_failure',
  'runner_unsupported',
  'stale_schedule',
  'job_execution_timeout',
  'archived_failure',
  'unmet_prerequisites',
  'scheduler_failure',
  'data_integrity_failure',
] as const;

/** Why jobs fail, in the words that clients and runners know. */
export const failureReasons = [
  ...retriedReasons,
  'forward_deployment_failure',
  'user_blocked',
  'project_deleted',
  'trace_size_exceeded',
  'builds_disabled',
  'environment_creation_failure',
  'deployment_rejected',
] as const;

export type FailureReason = (typeof failureReasons)[number];
