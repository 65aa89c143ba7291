import { NoContent } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';

export const identityRoutes: readonly AnyRoute[] = [
  route<unknown>({
    method: 'DELETE',
    path: '/api/v4/users/:id/identities/:provider',
    summary: 'Remove the name of a user at another provider (administrators only)',
    tag: 'Users',
    parameters: [],
    operation: 'mutation ($input: RemoveIdentityInput!) { removeIdentity(input: $input) { user { username } } }',
    variables: ({ id, provider }) => ({ input: { userId: id, provider } }),
    status: 204,
    record: NoContent,
    dialect: 'version 4',
  }),
];
