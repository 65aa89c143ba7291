import { parent } from '../../../database/list.ts';
import { listOfEach, nestedList } from '../../engine/list.ts';
import { Milestone } from '../milestones/types.ts';
import { issueList } from './statements/list.ts';
import { issueOrders } from './statements/orders.ts';
import { Issue } from './types.ts';

const ofEachMilestone = listOfEach((context) => issueList(context.viewer, 'everywhere', { milestone: parent }));

nestedList(Milestone, 'issues', {
  type: Issue,
  description: 'The issues in it that you can read, by the priority of their labels.',
  orders: { label_priority: issueOrders.label_priority },
  by: 'label_priority_asc',
  rows: (context, _asked, _info, { id }) => ofEachMilestone(context, id, {}),
});
