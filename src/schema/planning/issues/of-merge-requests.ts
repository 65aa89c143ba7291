import { parent } from '../../../database/list.ts';
import { listOfEach, nestedList } from '../../engine/list.ts';
import { MergeRequest } from '../../reviews/merge-requests/types.ts';
import { issueList } from './statements/list.ts';
import { issueOrders } from './statements/orders.ts';
import { Issue } from './types.ts';

/** The issues of many merge requests. */
const ofEach = (closes: boolean) =>
  listOfEach((context) => issueList(context.viewer, 'everywhere', { ofMergeRequest: { id: parent, closes } }));

const listed = { type: Issue, orders: { created: issueOrders.created }, by: 'created_asc' } as const;

const closed = ofEach(true);
nestedList(MergeRequest, 'closesIssues', {
  ...listed,
  description: 'The issues that merging it closes, as far as you can read them.',
  rows: (context, _asked, _info, { id }) => closed(context, id, {}),
});

const related = ofEach(false);
nestedList(MergeRequest, 'relatedIssues', {
  ...listed,
  description: 'The issues that it names or closes, as far as you can read them.',
  rows: (context, _asked, _info, { id }) => related(context, id, {}),
});
