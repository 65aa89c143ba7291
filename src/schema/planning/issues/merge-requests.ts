import { nestedList } from '../../engine/list.ts';
import { MergeRequest } from '../../reviews/merge-requests/types.ts';
import { Milestone } from '../milestones/types.ts';
import { Issue } from './types.ts';

/** Merge requests of issues and milestones. */

const none = {
  type: MergeRequest,
  orders: { id: { column: 'id', type: 'int' } },
  by: 'id_asc',
  rows: () => ({ page: () => Promise.resolve([]), count: () => Promise.resolve(0) }),
} as const;

nestedList(Issue, 'relatedMergeRequests', { ...none, description: 'Empty: there are no merge requests.' });
nestedList(Issue, 'closedByMergeRequests', { ...none, description: 'Empty: there are no merge requests.' });
nestedList(Milestone, 'mergeRequests', { ...none, description: 'Empty: there are no merge requests.' });
