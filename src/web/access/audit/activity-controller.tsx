import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { readQuery } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { Activity, activityPath, type OwnEvent } from './activity-view.tsx';
import { pageArguments, pageInfoFields, pagesAround, type PageInfo } from '../../site/records/paging.ts';
import { requireVisitor, type PageRoute } from '../../site/visit.ts';

/** Events on a page. */
const size = 30;

/** The page of a person's own audit events: what they did and what was done to their account, the latest first. */
export function activityPages(schema: GraphQLSchema): PageRoute[] {
  const list = compileOperation<{ currentUser: { auditEvents: { nodes: OwnEvent[]; pageInfo: PageInfo } } }>(
    schema,
    `query ($first: Int, $after: String, $last: Int, $before: String) {
      currentUser {
        auditEvents(first: $first, after: $after, last: $last, before: $before) {
          nodes { kind at actorId: actorDatabaseId userId: userDatabaseId applicationName scopes address detail count } ${pageInfoFields}
        }
      }
    }`,
  );
  return [
    {
      path: activityPath,
      name: 'activity',
      async get(visit) {
        requireVisitor(visit);
        const { site, context, exchange } = visit;
        const query = readQuery(exchange);
        const { auditEvents } = (await list.execute(context, pageArguments(query, size))).currentUser;
        return toAnswer(
          <Activity
            site={site}
            events={auditEvents.nodes}
            pages={pagesAround(activityPath, query, auditEvents.pageInfo)}
          />,
        );
      },
    },
  ];
}
