import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../operation.ts';
import { toAnswer } from '../page.ts';
import { AuthorizedApplications, authorizedPath, type Authorized } from '../pages/authorized-applications.tsx';
import { seeOtherSaying, type PageRoute } from '../visit.ts';

/** What a person allowed, and taking it back. */
export function authorizedApplicationPages(schema: GraphQLSchema): PageRoute[] {
  const list = compileOperation<{ authorizedApplications: Authorized[] }>(
    schema,
    'query { authorizedApplications { application { id name } scopes authorizedAt } }',
  );
  const revoke = compileOperation<{ revokeAuthorization: boolean }>(
    schema,
    'mutation ($id: ID!) { revokeAuthorization(applicationId: $id) }',
  );
  return [
    {
      path: authorizedPath,
      name: 'authorized applications',
      get: async ({ site, context }) =>
        toAnswer(<AuthorizedApplications site={site} authorized={(await list.execute(context, {})).authorizedApplications} />),
    },
    {
      path: `${authorizedPath}/:id/revoke`,
      name: 'revoke authorization',
      again: () => authorizedPath,
      async post(visit) {
        await revoke.execute(visit.context, { id: visit.named.id });
        return seeOtherSaying('authorization_revoked', authorizedPath, visit);
      },
    },
  ];
}
