import type { CiStatus } from './statuses.ts';

/** How statuses look on pages and in records: an icon, a group of colours, and a word. */
const looks = {
  created: ['status_created', 'created', 'Created'],
  waiting_for_resource: ['status_pending', 'waiting-for-resource', 'Waiting'],
  preparing: ['status_preparing', 'preparing', 'Preparing'],
  waiting_for_callback: ['status_pending', 'waiting-for-callback', 'Waiting'],
  pending: ['status_pending', 'pending', 'Pending'],
  running: ['status_running', 'running', 'Running'],
  success: ['status_success', 'success', 'Passed'],
  failed: ['status_failed', 'failed', 'Failed'],
  canceling: ['status_canceled', 'canceling', 'Canceling'],
  canceled: ['status_canceled', 'canceled', 'Canceled'],
  skipped: ['status_skipped', 'skipped', 'Skipped'],
  manual: ['status_manual', 'manual', 'Manual'],
  scheduled: ['status_scheduled', 'scheduled', 'Scheduled'],
} as const satisfies Record<CiStatus, readonly [icon: string, group: string, text: string]>;

/** How a status is shown. */
export interface StatusLook {
  readonly icon: string;
  readonly group: string;
  /** With a capital: `Passed`. */
  readonly text: string;
  /** In a sentence: `passed with warnings`. */
  readonly label: string;
}

/** @param warned whether something that may fail did, in what is a success */
export function lookOf(status: CiStatus, warned = false): StatusLook {
  if (warned && status === 'success')
    return { icon: 'status_warning', group: 'success-with-warnings', text: 'Warning', label: 'passed with warnings' };
  const [icon, group, text] = looks[status];
  return { icon, group, text, label: text.toLowerCase() };
}
