import { parent } from '../../../database/list.ts';
import { listOfEach, nestedList } from '../../engine/list.ts';
import { Deployment } from '../../pipelines/deployments/types.ts';
import { mergeRequestList } from './statements/list.ts';
import { mergeRequestOrders } from './statements/orders.ts';
import { MergeRequest } from './types.ts';

/** The merge requests of deployments: only those that the viewer reads. */

const deployed = listOfEach((context, _asked: object) =>
  mergeRequestList(context.viewer, 'everywhere', { deployment: parent }),
);

nestedList(Deployment, 'mergeRequests', {
  type: MergeRequest,
  orders: { created: mergeRequestOrders.created },
  by: 'created_desc',
  description: 'The merge requests that it brought to its environment.',
  rows: (context, _asked, _info, { id }) => deployed(context, id, {}),
});
