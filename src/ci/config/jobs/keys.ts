/** Keys of the root that aren't jobs. */
export const rootKeys = new Set([
  'default',
  'include',
  'before_script',
  'image',
  'services',
  'after_script',
  'variables',
  'stages',
  'cache',
  'workflow',
]);

/** Keys that jobs take from `default`, or from the root. */
export const defaultKeys = new Set([
  'after_script',
  'artifacts',
  'before_script',
  'cache',
  'hooks',
  'image',
  'interruptible',
  'retry',
  'services',
  'tags',
  'timeout',
  'id_tokens',
]);

/** Keys of a job. */
export const jobKeys = new Set([
  ...defaultKeys,
  'stage',
  'script',
  'rules',
  'only',
  'except',
  'when',
  'start_in',
  'allow_failure',
  'needs',
  'dependencies',
  'variables',
  'environment',
  'extends',
  'inherit',
  'parallel',
  'coverage',
  'resource_group',
  'release',
  'secrets',
  'pages',
  'publish',
]);

/** Keys that are accepted without effect. */
export const idleKeys = ['resource_group', 'release', 'secrets', 'id_tokens', 'pages', 'publish'] as const;

/** Keys of a job that exist elsewhere and aren't supported, with the reason. */
export const refusedKeys: ReadonlyMap<string, string> = new Map([
  ['trigger', 'jobs that start pipelines aren’t supported; use the trigger route of the other project'],
  ['run', 'steps aren’t supported; use `script`'],
  ['identity', 'identities of cloud providers aren’t supported'],
  ['dast_configuration', 'scans aren’t supported'],
  ['manual_confirmation', 'manual jobs start without a question'],
]);
