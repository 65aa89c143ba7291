import { Badge } from '../../site/records.tsx';

export type MergeRequestState = 'opened' | 'closed' | 'locked' | 'merged';

/** The state of a merge request in a word. */
export function StateBadge({ state }: { readonly state: MergeRequestState }) {
  if (state === 'opened') return <Badge tone="good">Open</Badge>;
  if (state === 'merged') return <Badge>Merged</Badge>;
  return state === 'locked' ? <Badge tone="caution">Being merged</Badge> : <Badge tone="danger">Closed</Badge>;
}

/** Statuses of pipelines and jobs in words, and their colours. */
const statuses: Readonly<Record<string, readonly [words: string, tone?: 'good' | 'caution' | 'danger']>> = {
  CREATED: ['created'],
  WAITING_FOR_RESOURCE: ['waiting', 'caution'],
  WAITING_FOR_CALLBACK: ['waiting', 'caution'],
  PREPARING: ['preparing', 'caution'],
  PENDING: ['pending', 'caution'],
  RUNNING: ['running', 'caution'],
  SUCCESS: ['passed', 'good'],
  FAILED: ['failed', 'danger'],
  CANCELING: ['being canceled'],
  CANCELED: ['canceled'],
  SKIPPED: ['skipped'],
  MANUAL: ['waits for a person', 'caution'],
  SCHEDULED: ['scheduled', 'caution'],
};

interface StatusBadgeProps {
  readonly status: string;
  /** What has it: `Pipeline`. */
  readonly of?: string;
}

/** The status of a pipeline or of a job in words. */
export function StatusBadge({ status, of }: StatusBadgeProps) {
  const [words, tone] = statuses[status] ?? [status.toLowerCase()];
  return <Badge {...(tone && { tone })}>{of ? `${of} ${words}` : words[0]!.toUpperCase() + words.slice(1)}</Badge>;
}
