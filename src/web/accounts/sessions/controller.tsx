import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { confirmPage } from '../../site/forms/confirm.tsx';
import { readQuery } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { partArguments, partOf } from '../../site/records/paging.ts';
import { Sessions, sessionsPath, type OwnSession } from './view.tsx';
import { signInPath } from '../../site/return-to.ts';
import { clearCookie } from '../../site/session.ts';
import { seeOtherSaying, withCookies, type PageRoute } from '../../site/visit.ts';

/** Sessions on a page. */
const size = 30;

/** Pages of the viewer's sessions, and signing out of them. */
export function sessionPages(schema: GraphQLSchema): PageRoute[] {
  const list = compileOperation<{ sessions: OwnSession[] }>(
    schema,
    `query ($limit: Int!, $offset: Int!) {
      sessions(limit: $limit, offset: $offset) { id: databaseId address userAgent createdAt lastUsedAt exploresUntil current }
    }`,
  );
  const end = compileOperation<object>(
    schema,
    'mutation ($input: EndSessionInput!) { endSession(input: $input) { session { address } } }',
  );
  const endOthers = compileOperation<object>(schema, 'mutation { endOtherSessions { ended } }');
  const endExploring = compileOperation<object>(schema, 'mutation { endExploring }');
  const endAll = compileOperation<object>(schema, 'mutation { signOutEverywhere }');

  return [
    {
      path: sessionsPath,
      name: 'sessions',
      async get({ site, context, exchange }) {
        const { page, ...part } = partArguments(readQuery(exchange), size);
        const { nodes, pages } = partOf(sessionsPath, page, (await list.execute(context, part)).sessions, size);
        return toAnswer(<Sessions site={site} sessions={nodes} pages={pages} />);
      },
    },
    {
      path: `${sessionsPath}/end_exploring`,
      name: 'end exploring',
      again: () => sessionsPath,
      async post(visit) {
        await endExploring.execute(visit.context, {});
        return seeOtherSaying('exploring_ended', sessionsPath, visit);
      },
    },
    {
      path: `${sessionsPath}/:id/end`,
      name: 'end session',
      again: () => sessionsPath,
      async post(visit) {
        await end.execute(visit.context, { input: { id: visit.named.id } });
        return seeOtherSaying('session_ended', sessionsPath, visit);
      },
    },
    confirmPage({
      path: `${sessionsPath}/end_others`,
      name: 'end other sessions',
      section: sessionsPath,
      async ask({ context }) {
        endOthers.admit(context);
        return {
          title: 'Sign out of all other browsers?',
          says: 'You stay signed in here. Applications keep their access.',
          does: 'Sign out of all others',
          back: sessionsPath,
        };
      },
      async act(visit) {
        await endOthers.execute(visit.context, {});
        return seeOtherSaying('other_sessions_ended', sessionsPath, visit);
      },
    }),
    confirmPage({
      path: `${sessionsPath}/end_all`,
      name: 'sign out everywhere',
      section: sessionsPath,
      async ask({ context }) {
        endAll.admit(context);
        return {
          title: 'Sign out everywhere?',
          says: 'Every session ends, this one too. Applications have to ask for your permission again. Your personal access tokens stay valid.',
          does: 'Sign out everywhere',
          back: sessionsPath,
        };
      },
      async act(visit) {
        await endAll.execute(visit.context, {});
        const { baseUrl } = visit.site;
        return withCookies(seeOtherSaying('signed_out_everywhere', signInPath, visit), clearCookie('session', baseUrl));
      },
    }),
  ];
}
