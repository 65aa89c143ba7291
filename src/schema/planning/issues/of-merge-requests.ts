import { parent } from '../../../database/list.ts';
import { listOfEach, nestedList } from '../../engine/list.ts';
import { MergeRequest } from '../../reviews/merge-requests/types.ts';
import { issueList } from './statements/list.ts';
import { issueOrders } from './statements/orders.ts';
import { Issue } from './types.ts';

const ofEachMergeRequest = listOfEach((context) => issueList(context.viewer, 'everywhere', { closedBy: parent }));

nestedList(MergeRequest, 'closesIssues', {
  type: Issue,
  description: 'The issues that merging it closes, as far as you can read them.',
  orders: { created: issueOrders.created },
  by: 'created_asc',
  rows: (context, _asked, _info, { id }) => ofEachMergeRequest(context, id, {}),
});
