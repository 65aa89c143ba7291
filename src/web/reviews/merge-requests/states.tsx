import { Badge } from '../../site/records/records.tsx';

export type MergeRequestState = 'opened' | 'closed' | 'locked' | 'merged';

/** The state of a merge request in a word. */
export function StateBadge({ state }: { readonly state: MergeRequestState }) {
  if (state === 'opened') return <Badge tone="good">Open</Badge>;
  if (state === 'merged') return <Badge>Merged</Badge>;
  return state === 'locked' ? <Badge tone="caution">Being merged</Badge> : <Badge tone="danger">Closed</Badge>;
}
