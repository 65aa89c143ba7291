import { UserBasic, userBasicFields } from '../../accounts/users/basic.ts';
import { listRoute } from '../../engine/list-route.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { mergeRequestIn, nameOf, notFound } from '../merge-requests/actions.ts';
import { mergeRequestFields, type MergeRequestData } from '../merge-requests/record.ts';

/** Who takes part in a merge request, and who is subscribed to it. */

const one = '/api/v4/projects/:id/merge_requests/:merge_request_iid';
const tag = 'Merge requests';

const subscription = (verb: 'subscribe' | 'unsubscribe', summary: string): AnyRoute =>
  route<{ mergeRequestSetSubscription: { readonly mergeRequest: MergeRequestData; readonly changed: boolean } }>({
    method: 'POST',
    path: `${one}/${verb}`,
    summary,
    tag,
    parameters: [],
    operation: `mutation ($input: MergeRequestSetSubscriptionInput!) { mergeRequestSetSubscription(input: $input) { changed mergeRequest { ${mergeRequestFields} } } }`,
    variables: (values) => ({ input: { ...nameOf(values), subscribedState: verb === 'subscribe' } }),
    status: 201,
    unchanged: ({ mergeRequestSetSubscription }) => !mergeRequestSetSubscription.changed,
    missing: notFound,
    record: mergeRequestIn('mergeRequestSetSubscription'),
    dialect: 'version 4',
  });

export const participationRoutes: readonly AnyRoute[] = [
  subscription('subscribe', 'Subscribe to a merge request'),
  subscription('unsubscribe', 'Unsubscribe from a merge request'),
  listRoute({
    path: `${one}/participants`,
    summary: 'List the people who take part in a merge request',
    tag,
    of: 'User',
    parameters: [],
    field: 'mergeRequestParticipants',
    args: { project: 'ID!', iid: 'String!' },
    selection: userBasicFields,
    variables: ({ id: project, merge_request_iid: iid }) => ({ project, iid }),
    missing: notFound,
    record: UserBasic,
  }),
];
