import type { Record } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';

/** The states of people. Answers are bare values: `true` if the call changed something. */

const call = (
  verb: string,
  summary: string,
  { record, status, refusals }: Pick<AnyRoute, 'status' | 'refusals'> & { record: Record<Changed> },
): AnyRoute =>
  route<Changed>({
    method: 'POST',
    path: `/api/v4/users/:id/${verb}`,
    summary: `${summary} (administrators only)`,
    tag: 'Users',
    parameters: [],
    operation: `mutation ($input: BlockUserInput!) { changed: ${verb}User(input: $input) { ${verb === 'reject' ? 'userId' : 'changed'} } }`,
    variables: ({ id }) => ({ input: { userId: id } }),
    ...(status && { status }),
    ...(refusals && { refusals }),
    record,
    dialect: 'version 4',
  });

interface Changed {
  readonly changed: { readonly changed: boolean };
}

/** `true`, or another value if the call changed nothing. */
const changes = (name: string, otherwise: false | null): { record: Record<Changed>; status: 201 } => ({
  record: {
    name,
    schema: { type: ['boolean', 'null'], description: `\`${String(otherwise)}\` if nothing changed.` },
    present: ({ changed }) => (changed.changed ? true : otherwise),
  },
  status: 201,
});

const success: Record<Changed> = {
  name: 'Success',
  schema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
  present: () => ({ message: 'Success' }),
};

export const userStateRoutes: readonly AnyRoute[] = [
  call('block', 'Block a user', changes('UserBlocked', null)),
  call('unblock', 'Unblock a user', changes('UserUnblocked', false)),
  call('deactivate', 'Deactivate a user who did nothing in the last 90 days', changes('UserDeactivated', null)),
  call('activate', 'Activate a deactivated user', changes('UserActivated', false)),
  call('ban', 'Ban a user', changes('UserBanned', null)),
  call('unban', 'Unban a user', changes('UserUnbanned', null)),
  call('approve', 'Approve a user who signed up', { record: success, status: 201, refusals: [409] }),
  call('reject', 'Reject a user who signed up, and remove the account', { record: success, refusals: [409] }),
];
