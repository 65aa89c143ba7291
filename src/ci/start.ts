import { isCompleted, type CiStatus } from '../values/ci/statuses.ts';

/** When a job starts, as its configuration says. */
export const whens = ['on_success', 'on_failure', 'always', 'manual', 'delayed'] as const;
export type When = (typeof whens)[number];

/** What becomes of a job that was created: it waits on, or it gets a status. */
export type Start = 'wait' | 'pending' | 'manual' | 'scheduled' | 'skipped';

/** The statuses of what comes before a job after which it starts, and how. */
const rules: Record<When, { readonly after: readonly CiStatus[]; readonly start: Start }> = {
  on_success: { after: ['success', 'skipped'], start: 'pending' },
  on_failure: { after: ['failed'], start: 'pending' },
  always: { after: ['success', 'failed', 'skipped'], start: 'pending' },
  manual: { after: ['success', 'skipped'], start: 'manual' },
  delayed: { after: ['success', 'skipped'], start: 'scheduled' },
};

/**
 * Whether and how a job starts.
 * @param before the composite status of all earlier stages, or of the jobs that it needs; undefined if there are none
 * @param needs whether `before` is that of the jobs that it needs: if one of these was skipped or ignored, so is this job
 */
export function startOf(when: When, before: CiStatus | undefined, needs?: { readonly anySkipped: boolean }): Start {
  const status = before ?? 'success';
  if (!isCompleted(status)) return 'wait';
  if (needs?.anySkipped && when !== 'always') return 'skipped';
  const { after, start } = rules[when];
  return after.includes(status) ? start : 'skipped';
}
