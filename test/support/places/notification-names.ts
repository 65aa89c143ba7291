import type { WireEvent } from '../../../src/values/kinds/notification-events.ts';
import type { WireLevel } from '../../../src/values/kinds/notification-levels.ts';

/**
 * GitLab's names of events and levels, in the order of its documentation. These lists are literal, since tests compare
 * the code's lists with them.
 */

export const everyEvent = [
  'new_note',
  'new_issue',
  'reopen_issue',
  'close_issue',
  'reassign_issue',
  'issue_due',
  'new_merge_request',
  'push_to_merge_request',
  'reopen_merge_request',
  'close_merge_request',
  'reassign_merge_request',
  'merge_merge_request',
  'failed_pipeline',
  'fixed_pipeline',
  'success_pipeline',
  'moved_project',
  'new_epic',
] as const satisfies readonly WireEvent[];

export const everyLevel = [
  'disabled',
  'participating',
  'watch',
  'global',
  'mention',
  'custom',
] as const satisfies readonly WireLevel[];
