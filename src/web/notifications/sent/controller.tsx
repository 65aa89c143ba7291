import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { readQuery } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { pageArguments, pageInfoFields, pagesAround, type PageInfo } from '../../site/records/paging.ts';
import { requireVisitor, seeOtherSaying, type PageRoute } from '../../site/visit.ts';
import {
  parts,
  Queue,
  queuePath,
  Sent,
  sentPath,
  type Part,
  type QueuedNotification,
  type SentNotification,
} from './view.tsx';

const pageSize = 20;
const pageOf = '$first: Int, $last: Int, $before: String, $after: String';
const page = 'first: $first, last: $last, before: $before, after: $after';

interface Listed<Node> {
  readonly nodes: readonly Node[];
  readonly pageInfo: PageInfo;
}

/** What was sent to a person. */
export function sentPages(schema: GraphQLSchema): PageRoute[] {
  const list = compileOperation<{ currentUser: { notifications: Listed<SentNotification> } | null }>(
    schema,
    `query (${pageOf}) { currentUser { notifications(${page}) {
      nodes { cause reason via state outcome title url createdAt } ${pageInfoFields}
    } } }`,
  );
  return [
    {
      path: sentPath,
      name: 'sent notifications',
      async get(visit) {
        requireVisitor(visit);
        const query = readQuery(visit.exchange);
        const { currentUser } = await list.execute(visit.context, pageArguments(query, pageSize));
        const { nodes, pageInfo } = currentUser!.notifications;
        return toAnswer(
          <Sent site={visit.site} notifications={nodes} pages={pagesAround(sentPath, query, pageInfo)} />,
        );
      },
    },
  ];
}

/** The queue of messages, for administrators. */
export function queuePages(schema: GraphQLSchema): PageRoute[] {
  const list = compileOperation<{
    queuedNotifications: Listed<QueuedNotification>;
    notificationQueueCounts: Record<Part, number>;
  }>(
    schema,
    `query ($part: NotificationQueuePart!, ${pageOf}) {
      notificationQueueCounts { waiting held failed }
      queuedNotifications(part: $part, ${page}) {
        nodes { id: databaseId cause state outcome dueAt attempts lastError address user { username } } ${pageInfoFields}
      }
    }`,
  );
  const resend = compileOperation<{ resendNotifications: { resent: number } }>(
    schema,
    'mutation ($input: ResendNotificationsInput!) { resendNotifications(input: $input) { resent } }',
  );
  return [
    {
      path: queuePath,
      name: 'notification queue',
      async get({ site, context, exchange }) {
        const query = readQuery(exchange);
        const part = parts.find((one) => one === query.part) ?? 'failed';
        const found = await list.execute(context, { part: part.toUpperCase(), ...pageArguments(query, pageSize) });
        const { nodes, pageInfo } = found.queuedNotifications;
        return toAnswer(
          <Queue
            site={site}
            part={part}
            counts={found.notificationQueueCounts}
            notifications={nodes}
            pages={pagesAround(queuePath, query, pageInfo)}
          />,
        );
      },
      async post(visit, { id }) {
        const { resendNotifications } = await resend.execute(visit.context, { input: id === undefined ? {} : { id } });
        return seeOtherSaying(
          resendNotifications.resent > 0 ? 'notifications_resent' : 'nothing_changed',
          queuePath,
          visit,
        );
      },
    },
  ];
}
