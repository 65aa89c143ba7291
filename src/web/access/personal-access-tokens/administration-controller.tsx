import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { daysAhead } from '../../../values/time/calendar.ts';
import { confirmPage } from '../../site/forms/confirm.tsx';
import { readQuery, withQuery, type Fields } from '../../site/forms/fields.ts';
import { personFinder } from '../../site/find-person.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { pageArguments, pageInfoFields, pagesAround, type PageInfo } from '../../site/records/paging.ts';
import { seeOtherSaying, type PageRoute, type Visit } from '../../site/visit.ts';
import {
  AdministeredTokenList,
  administeredTokensPath,
  isShown,
  unusedDays,
  type AdministeredToken,
  type Shown,
} from './administration-view.tsx';
import { soon } from './view.tsx';

/** Tokens on a page. */
const size = 50;

/** What the list asks for, by what it shows. */
const filters: Readonly<Record<Shown, () => object>> = {
  active: () => ({ active: true }),
  soon: () => ({ active: true, expiresBefore: daysAhead(soon + 1), sort: 'expires_asc' }),
  unused: () => ({ active: true, lastUsedBefore: `${daysAhead(-unusedDays)}T00:00:00Z`, sort: 'last_used_asc' }),
  inactive: () => ({ active: false }),
};

/** Everybody's personal access tokens, for administrators: who has power, and how to end it. */
export function administeredTokenPages(schema: GraphQLSchema): PageRoute[] {
  const fields =
    'id: databaseId name description scopes createdAt lastUsedAt lastUsedIps expiresAt revoked rotated active user { id: databaseId name username avatarUrl }';
  const list = compileOperation<{ tokens: { nodes: AdministeredToken[]; pageInfo: PageInfo } }>(
    schema,
    `query ($userId: ID, $search: String, $active: Boolean, $expiresBefore: Date, $lastUsedBefore: Time, $sort: String, $first: Int, $after: String, $last: Int, $before: String) {
      tokens: personalAccessTokens(userId: $userId, search: $search, active: $active, expiresBefore: $expiresBefore, lastUsedBefore: $lastUsedBefore, sort: $sort, first: $first, after: $after, last: $last, before: $before) {
        nodes { ${fields} } ${pageInfoFields}
      }
    }`,
  );
  const { named: personNamed } = personFinder(schema);
  const find = compileOperation<{ personalAccessToken: AdministeredToken }>(
    schema,
    `query ($id: ID!) { personalAccessToken(id: $id) { ${fields} } }`,
  );
  const revoke = compileOperation<object>(
    schema,
    'mutation ($input: RevokePersonalAccessTokenInput!) { revokePersonalAccessToken(input: $input) { personalAccessToken { revoked } } }',
  );
  const found = async ({ context, named }: Visit) =>
    (await find.execute(context, { id: named.id })).personalAccessToken;

  /** The list as it was filtered. */
  const listOf = ({ user, search, show }: Fields) => withQuery(administeredTokensPath, { user, search, show });

  return [
    {
      path: administeredTokensPath,
      name: 'all access tokens',
      async get({ site, context, exchange }) {
        const query = readQuery(exchange);
        const username = (query.user ?? '').trim().slice(0, 255);
        const search = query.search?.slice(0, 255) ?? '';
        const show = isShown(query.show) ? query.show : 'active';
        list.admit(context);
        const user = await personNamed(context, username);
        const unknown = username !== '' && user === null;
        const { nodes, pageInfo } = (
          await list.execute(context, {
            userId: unknown ? '0' : user?.id,
            search,
            ...filters[show](),
            ...pageArguments(query, size),
          })
        ).tokens;
        return toAnswer(
          <AdministeredTokenList
            site={site}
            tokens={nodes}
            asked={{ username, search, show }}
            unknown={unknown}
            pages={pagesAround(administeredTokensPath, query, pageInfo)}
          />,
        );
      },
    },
    confirmPage({
      path: `${administeredTokensPath}/:id/revoke`,
      name: 'revoke any access token',
      section: administeredTokensPath,
      async ask(visit) {
        revoke.admit(visit.context);
        const { name, active, user } = await found(visit);
        const { user: username, search, show } = readQuery(visit.exchange);
        const carries = { user: username, search, show };
        return active
          ? {
              title: `Revoke ${name} of ${user.username}?`,
              says: `Programs that use it lose access at once. This can’t be undone. ${user.name} gets no message about it.`,
              does: 'Revoke the token',
              back: listOf(carries),
              carries,
            }
          : null;
      },
      async act(visit, form) {
        await revoke.execute(visit.context, { input: { id: visit.named.id } });
        return seeOtherSaying('token_revoked', listOf(form), visit);
      },
    }),
  ];
}
