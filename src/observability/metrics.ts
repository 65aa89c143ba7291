import type { Metric, Registry } from 'prom-client';
import { tallies } from '../tally.ts';
import type { AccessLine } from './access-log.ts';

/** What is asked for when somebody scrapes: numbers that others know already. */
export interface Gauges {
  /** Connections to the database, and who waits for one. */
  pool(): { readonly size: number; readonly idle: number; readonly waiting: number };
  load(): { readonly underWay: number; readonly refused: number };
}

/** Counts what requests come to. Nothing is put together until somebody scrapes. */
export interface Metrics {
  count(line: Pick<AccessLine, 'route' | 'status' | 'milliseconds' | 'statements' | 'databaseMilliseconds'>): void;
  /** Everything, as Prometheus reads it. */
  scrape(): Promise<{ readonly contentType: string; readonly text: string }>;
  /** For a primary process that adds up its workers, by prom-client's `AggregatorRegistry`. */
  registry(): Promise<Registry>;
}

/** Upper bounds of a histogram's classes, in milliseconds. */
const bounds = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000] as const;

/** What requests of one route came to. */
interface Route {
  /** By the first digit of the status; 0 for those whose client left. */
  readonly byClass: number[];
  /** How many took up to each bound and longer than the one before; the last for those beyond all. */
  readonly byTime: number[];
  milliseconds: number;
  statements: number;
  databaseMilliseconds: number;
}

interface Value {
  readonly labels: Record<string, string>;
  readonly value: number;
  readonly metricName?: string;
}

/** Of what fits no route, however many paths there are. */
const noRoute = 'none';
const classes = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/**
 * Plain numbers, of which prom-client makes its own only for a scrape: a request
 * costs one look-up by its route and a few additions. Its library is loaded by the
 * first scrape.
 */
export function createMetrics(gauges: Gauges): Metrics {
  const routes = new Map<string, Route>();

  async function makeRegistry(): Promise<Registry> {
    const { Registry: Made, collectDefaultMetrics } = (await import('prom-client')).default;
    const registry = new Made();
    collectDefaultMetrics({ register: registry });
    const add = (type: 'counter' | 'gauge' | 'histogram', name: string, help: string, values: () => Value[]) => {
      const metric = { name: `causeway_${name}`, help, type, aggregator: 'sum' };
      registry.registerMetric({ ...metric, get: () => Promise.resolve({ ...metric, values: values() }) } as unknown as Metric);
    };
    const plain = (value: number): Value[] => [{ labels: {}, value }];
    const perRoute = (value: (route: Route) => number) => () => [...routes].map(([route, all]) => ({ labels: { route }, value: value(all) }));

    add('counter', 'requests_total', 'Requests, by route and class of status; none: the client left.', () =>
      [...routes].flatMap(([route, { byClass }]) => classes.flatMap((name, at) => (byClass[at]! > 0 ? [{ labels: { route, status: name }, value: byClass[at]! }] : []))));
    add('histogram', 'request_seconds', 'Time from a request to its answer, by route.', () => [...routes].flatMap(([route, times]) => histogram('causeway_request_seconds', route, times)));
    add('counter', 'database_statements_total', 'Statements that requests sent, by route.', perRoute(({ statements }) => statements));
    add('counter', 'database_seconds_total', 'Time that requests waited for the database, by route.', perRoute(({ databaseMilliseconds }) => databaseMilliseconds / 1_000));
    add('gauge', 'requests_under_way', 'Requests that are being answered.', () => plain(gauges.load().underWay));
    add('counter', 'requests_shed_total', 'Requests that were answered 503, for there was too much to do.', () => plain(gauges.load().refused));
    add('gauge', 'database_connections', 'Connections to the database, by what they do.', () => {
      const { size, idle } = gauges.pool();
      return [{ labels: { state: 'busy' }, value: size - idle }, { labels: { state: 'idle' }, value: idle }];
    });
    add('gauge', 'database_waiting', 'Statements that wait for a connection.', () => plain(gauges.pool().waiting));
    for (const { name, meaning, labelled, counts } of Object.values(tallies)) {
      add('counter', `${name}_total`, meaning, () => [...counts].map(([label, value]) => ({ labels: { [labelled]: label }, value })));
    }
    return registry;
  }

  let made: Promise<Registry> | undefined;
  const registry = () => (made ??= makeRegistry());
  return {
    count({ route: name = noRoute, status, milliseconds, statements, databaseMilliseconds }) {
      let route = routes.get(name);
      if (!route) routes.set(name, (route = { byClass: classes.map(() => 0), byTime: [...bounds, Infinity].map(() => 0), milliseconds: 0, statements: 0, databaseMilliseconds: 0 }));
      route.byClass[Math.trunc(status / 100)]!++;
      let at = 0;
      while (at < bounds.length && milliseconds > bounds[at]!) at++;
      route.byTime[at]!++;
      route.milliseconds += milliseconds;
      route.statements += statements;
      route.databaseMilliseconds += databaseMilliseconds;
    },
    registry,
    async scrape() {
      const { contentType, metrics } = await registry().then((one) => ({ contentType: one.contentType, metrics: one.metrics() }));
      return { contentType, text: await metrics };
    },
  };
}

/** As Prometheus has it: each class holds what is below it too. */
function histogram(name: string, route: string, { byTime, milliseconds }: Route): Value[] {
  let below = 0;
  const classesOfTime = byTime.map((count, at) => {
    below += count;
    const bound = bounds[at];
    return { labels: { route, le: bound === undefined ? '+Inf' : String(bound / 1_000) }, value: below, metricName: `${name}_bucket` };
  });
  return [
    ...classesOfTime,
    { labels: { route }, value: milliseconds / 1_000, metricName: `${name}_sum` },
    { labels: { route }, value: below, metricName: `${name}_count` },
  ];
}
