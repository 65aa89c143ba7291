import { cancelableStatuses, isCompleted, type CiStatus, type ReportedStatus } from '../values/ci/statuses.ts';

/** Statuses before a job runs. */
const waiting = ['created', 'waiting_for_resource', 'preparing', 'waiting_for_callback'] as const;

interface Transition {
  readonly from: readonly CiStatus[];
  readonly to: CiStatus;
}

/** What may happen to a job or a reported status, by the names that clients see in errors. */
export const jobTransitions = {
  process: { from: ['skipped', 'manual'], to: 'created' },
  enqueue: { from: [...waiting, 'skipped', 'manual', 'scheduled'], to: 'pending' },
  run: { from: ['pending'], to: 'running' },
  skip: { from: [...waiting, 'pending'], to: 'skipped' },
  drop: { from: [...waiting, 'pending', 'running', 'canceling', 'manual', 'scheduled'], to: 'failed' },
  success: { from: [...waiting, 'pending', 'running', 'canceling'], to: 'success' },
  start_cancel: { from: ['running'], to: 'canceling' },
  cancel: { from: [...cancelableStatuses, 'canceling'], to: 'canceled' },
  actionize: { from: ['created'], to: 'manual' },
  schedule: { from: ['created'], to: 'scheduled' },
} as const satisfies Record<string, Transition>;

export type JobEvent = keyof typeof jobTransitions;

/** A transition that the status before it doesn't allow. */
export interface Refused {
  readonly refusal: string;
}

/** The status after an event, or why it can't happen, in the words that clients know. */
function afterEvent(from: CiStatus, event: JobEvent): CiStatus | Refused {
  const transition: Transition = jobTransitions[event];
  if (transition.from.includes(from)) return transition.to;
  return {
    refusal: `Cannot transition status via :${event} from :${from} (Reason(s): Status cannot transition via "${event}")`,
  };
}

/** What a script reports as events. Something that runs was enqueued, whether or not the script said so. */
const reports: Record<ReportedStatus, { readonly first?: JobEvent; readonly event: JobEvent }> = {
  pending: { event: 'enqueue' },
  running: { first: 'enqueue', event: 'run' },
  success: { event: 'success' },
  failed: { event: 'drop' },
  canceled: { event: 'cancel' },
  skipped: { event: 'skip' },
};

/** The status after a script's report, or why it is refused. */
export function afterReport(from: CiStatus, reported: ReportedStatus): CiStatus | Refused {
  const { first, event } = reports[reported];
  const before = first ? afterEvent(from, first) : from;
  return afterEvent(typeof before === 'string' ? before : from, event);
}

/** The times that a change of status sets. */
export interface StatusTimes {
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

/** The times of a job or a pipeline after its status changed. What goes on isn't finished any more. */
export function timesAfter(before: StatusTimes, status: CiStatus, now: Date): StatusTimes {
  const startedAt = before.startedAt ?? (status === 'running' ? now : null);
  return { startedAt, finishedAt: isCompleted(status) ? (before.finishedAt ?? now) : null };
}
