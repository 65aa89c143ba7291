import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { confirmPage } from '../../site/confirm.tsx';
import { toAnswer } from '../../site/page.ts';
import { AuthorizedApplications, authorizedPath, type Authorized } from './view.tsx';
import { seeOtherSaying, type PageRoute } from '../../site/visit.ts';

/** The page of the applications that a person authorized, and the page that revokes an authorization. */
export function authorizedApplicationPages(schema: GraphQLSchema): PageRoute[] {
  const list = compileOperation<{ authorizedApplications: Authorized[] }>(
    schema,
    'query { authorizedApplications { application { id: databaseId name } scopes authorizedAt issuedAt } }',
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
        toAnswer(
          <AuthorizedApplications site={site} authorized={(await list.execute(context, {})).authorizedApplications} />,
        ),
    },
    confirmPage({
      path: `${authorizedPath}/:id/revoke`,
      name: 'revoke authorization',
      section: authorizedPath,
      async ask({ context, named }) {
        const { authorizedApplications } = await list.execute(context, {});
        const found = authorizedApplications.find(({ application }) => String(application.id) === named.id);
        if (!found) return null;
        return {
          title: `Revoke ${found.application.name}?`,
          says: 'Its tokens stop working at once. To act for you again, it has to ask you again.',
          does: 'Revoke',
          back: authorizedPath,
        };
      },
      async act(visit) {
        await revoke.execute(visit.context, { id: visit.named.id });
        return seeOtherSaying('authorization_revoked', authorizedPath, visit);
      },
    }),
  ];
}
