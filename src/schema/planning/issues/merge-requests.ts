import { builder } from '../../engine/builder.ts';
import { identify } from '../../engine/global-id.ts';
import { nestedList } from '../../engine/list.ts';
import { Milestone } from '../milestones/types.ts';
import { Issue } from './types.ts';

/** Merge requests of issues and milestones: there are none, and their lists say so. */

interface MergeRequestRecord {
  readonly id: number;
}

const MergeRequest = builder.objectRef<MergeRequestRecord>('MergeRequest').implement({
  description: 'There are none.',
  fields: () => ({}),
});
identify(MergeRequest, 'MergeRequest');

const none = {
  type: MergeRequest,
  orders: { id: { column: 'id', type: 'int' } },
  by: 'id_asc',
  rows: () => ({ page: () => Promise.resolve([]), count: () => Promise.resolve(0) }),
} as const;

nestedList(Issue, 'relatedMergeRequests', { ...none, description: 'Empty: there are no merge requests.' });
nestedList(Issue, 'closedByMergeRequests', { ...none, description: 'Empty: there are no merge requests.' });
nestedList(Milestone, 'mergeRequests', { ...none, description: 'Empty: there are no merge requests.' });
