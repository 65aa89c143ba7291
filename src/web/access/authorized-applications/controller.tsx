import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { confirmPage } from '../../site/forms/confirm.tsx';
import { readQuery } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { partArguments, partOf } from '../../site/records/paging.ts';
import { AuthorizedApplications, authorizedPath, type Authorized } from './view.tsx';
import { seeOtherSaying, type PageRoute } from '../../site/visit.ts';

/** Applications on a page. */
const size = 20;

/** The page of the applications that a person authorized, and the page that revokes an authorization. */
export function authorizedApplicationPages(schema: GraphQLSchema): PageRoute[] {
  const list = compileOperation<{ authorizedApplications: Authorized[] }>(
    schema,
    `query ($limit: Int!, $offset: Int!) {
      authorizedApplications(limit: $limit, offset: $offset) { application { id: databaseId name } scopes authorizedAt issuedAt }
    }`,
  );
  const find = compileOperation<{ found: readonly { readonly application: { readonly name: string } }[] }>(
    schema,
    'query ($id: ID!) { found: authorizedApplications(application: $id) { application { name } } }',
  );
  const revoke = compileOperation<{ revokeAuthorization: boolean }>(
    schema,
    'mutation ($id: ID!) { revokeAuthorization(applicationId: $id) }',
  );
  return [
    {
      path: authorizedPath,
      name: 'authorized applications',
      async get({ site, context, exchange }) {
        const { page, ...part } = partArguments(readQuery(exchange), size);
        const { authorizedApplications } = await list.execute(context, part);
        const { nodes, pages } = partOf(authorizedPath, page, authorizedApplications, size);
        return toAnswer(<AuthorizedApplications site={site} authorized={nodes} pages={pages} />);
      },
    },
    confirmPage({
      path: `${authorizedPath}/:id/revoke`,
      name: 'revoke authorization',
      section: authorizedPath,
      async ask({ context, named }) {
        const [found] = (await find.execute(context, { id: named.id })).found;
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
