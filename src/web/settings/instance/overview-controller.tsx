import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { Overview, overviewPath, type InstanceFacts, type Messages } from './overview-view.tsx';
import type { PageRoute } from '../../site/visit.ts';

/** The first page of the administration: how the instance is, and how much it holds. */
export function overviewPages(schema: GraphQLSchema): PageRoute[] {
  const read = compileOperation<{ instance: InstanceFacts; messages: Messages }>(
    schema,
    `query {
      instance {
        setUpAt
        counts {
          users blockedUsers administrators unconfirmedUsers withoutSecondFactor groups projects applications personalAccessTokens
        }
        day { signIns refusedSignIns }
        work { waiting dead }
        findings { name status says remedy }
      }
      messages: notificationQueueCounts { waiting held failed }
    }`,
  );
  return [
    {
      path: overviewPath,
      name: 'administration',
      async get({ site, context }) {
        const shown = await read.execute(context, {});
        return toAnswer(<Overview site={site} {...shown} keepsMail={context.mail.keeps === true} />);
      },
    },
  ];
}
