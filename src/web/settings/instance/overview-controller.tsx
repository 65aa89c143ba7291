import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { toAnswer } from '../../site/page.ts';
import { Overview, overviewPath, type InstanceFacts } from './overview-view.tsx';
import type { PageRoute } from '../../site/visit.ts';

/** The first page of the administration: how much the instance holds. */
export function overviewPages(schema: GraphQLSchema): PageRoute[] {
  const read = compileOperation<{ instance: InstanceFacts }>(
    schema,
    `query {
      instance {
        setUpAt
        counts { users blockedUsers administrators unconfirmedUsers groups projects applications personalAccessTokens }
      }
    }`,
  );
  return [
    {
      path: overviewPath,
      name: 'administration',
      get: async ({ site, context }) =>
        toAnswer(
          <Overview
            site={site}
            instance={(await read.execute(context, {})).instance}
            keepsMail={context.mail.keeps === true}
          />,
        ),
    },
  ];
}
