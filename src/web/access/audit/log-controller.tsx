import type { GraphQLSchema } from 'graphql';
import { currentKind } from '../../../values/kinds/audit-kinds.ts';
import { isDay, isInCalendar } from '../../../values/time/calendar.ts';
import { compileOperation } from '../../../operation.ts';
import { readQuery } from '../../site/forms/fields.ts';
import { personFinder } from '../../site/find-person.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { toCsv } from './csv.ts';
import { AuditLog, auditExportPath, auditLogPath, type LoggedEvent } from './log-view.tsx';
import { pageArguments, pageInfoFields, pagesAround, type PageInfo } from '../../site/records/paging.ts';
import type { PageRoute, Visit } from '../../site/visit.ts';

/** Events on a page. */
const size = 50;
/** Events in a file, the latest ones. More need a narrower filter. */
const mostExported = 10_000;

const day = 24 * 3600 * 1000;

/** A day from a date field as a timestamp; undefined for anything else. @param after days to add */
function momentOf(given: string, after = 0): string | undefined {
  if (!isDay(given)) return undefined;
  const moment = new Date(Date.parse(given) + after * day);
  return isInCalendar(moment) ? moment.toISOString() : undefined;
}

/** The audit log of the instance, for administrators. */
export function auditLogPages(schema: GraphQLSchema): PageRoute[] {
  const list = compileOperation<{
    auditEvents: { nodes: LoggedEvent[]; pageInfo: PageInfo };
    auditEventKinds: string[];
  }>(
    schema,
    `query ($userId: ID, $kinds: [String!], $since: Time, $until: Time, $first: Int, $after: String, $last: Int, $before: String) {
      auditEvents(userId: $userId, kinds: $kinds, since: $since, until: $until, first: $first, after: $after, last: $last, before: $before) {
        nodes {
          at kind actorId: actorDatabaseId actorUsername userId: userDatabaseId username
          applicationId: applicationDatabaseId applicationName scopes address detail count
        }
        ${pageInfoFields}
      }
      auditEventKinds
    }`,
  );
  const { named } = personFinder(schema);

  /** What the address asks for, as the form shows it and as the list takes it. */
  async function asked({ context, exchange }: Visit) {
    const sent = readQuery(exchange);
    const { user = '', kind = '', since = '', until = '' } = sent;
    const query = { user: user.trim().slice(0, 255), kind: currentKind(kind.slice(0, 255)), since, until };
    const person = await named(context, query.user);
    const unknown = query.user !== '' && person === null;
    const filter = {
      userId: unknown ? '0' : person?.id,
      ...(query.kind && { kinds: [query.kind] }),
      since: momentOf(since),
      until: momentOf(until, 1),
    };
    return { sent, query, unknown, filter };
  }

  return [
    {
      path: auditExportPath,
      name: 'audit log as a file',
      async get(visit) {
        const { filter } = await asked(visit);
        const events: LoggedEvent[] = [];
        for (let after: string | null = null; events.length < mostExported;) {
          const part: { auditEvents: { nodes: LoggedEvent[]; pageInfo: PageInfo } } = await list.execute(
            visit.context,
            { ...filter, first: 100, after },
          );
          const { nodes, pageInfo } = part.auditEvents;
          events.push(...nodes);
          if (!pageInfo.hasNextPage) break;
          after = pageInfo.endCursor;
        }
        return {
          status: 200,
          headers: {
            'content-type': 'text/csv; charset=utf-8',
            'content-disposition': 'attachment; filename="audit-log.csv"',
            'content-security-policy': "default-src 'none'",
            'cache-control': 'no-store',
          },
          body: toCsv(events),
        };
      },
    },
    {
      path: auditLogPath,
      name: 'audit log',
      async get(visit) {
        const { site, context } = visit;
        const { sent, query, unknown, filter } = await asked(visit);
        const { auditEvents, auditEventKinds: kinds } = await list.execute(context, {
          ...filter,
          ...pageArguments(sent, size),
        });
        const pages = pagesAround(auditLogPath, sent, auditEvents.pageInfo);
        return toAnswer(
          <AuditLog
            site={site}
            events={auditEvents.nodes}
            query={query}
            unknown={unknown}
            kinds={kinds}
            pages={pages}
          />,
        );
      },
    },
  ];
}
