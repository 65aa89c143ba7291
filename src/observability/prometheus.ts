import type { Metric } from 'prom-client';
import { counters } from '../counters.ts';
import { bounds, classes, type Everything, type Route, type ProcessGauges } from './measured.ts';

/** What somebody who scrapes is answered. */
export interface Exposition {
  readonly contentType: string;
  readonly text: string;
}

interface Value {
  readonly labels: Partial<Record<string, string | number>>;
  readonly value: number;
  readonly metricName?: string;
}

/**
 * Everything in Prometheus's text format. What the gateway counts stands there once,
 * added up. What Node.js tells of a process can't be added without hiding what is
 * wrong with one of several: it stands there for each.
 */
export async function exposition({ counted, processes, workers }: Everything): Promise<Exposition> {
  const { Registry } = (await import('prom-client')).default;
  const registry = new Registry();
  const register = (metric: { name: string; help: string; type: unknown; values: readonly Value[] }) =>
    registry.registerMetric({ ...metric, get: () => Promise.resolve(metric) } as unknown as Metric);

  const ofProcesses = new Map<string, Parameters<typeof register>[0] & { values: Value[] }>();
  for (const { worker, process } of processes) {
    for (const { name, help, type, values } of process) {
      const all = ofProcesses.get(name) ?? { name, help, type, values: [] };
      ofProcesses.set(name, all);
      all.values.push(
        ...values.map((value) => (worker === undefined ? value : { ...value, labels: { ...value.labels, worker } })),
      );
    }
  }
  for (const metric of ofProcesses.values()) register(metric);

  const add = (type: 'counter' | 'gauge' | 'histogram', name: string, help: string, values: readonly Value[]) =>
    register({ name: `causeway_${name}`, help, type, values });
  const routes = Object.entries(counted.routes);
  const perRoute = (value: (route: Route) => number) =>
    routes.map(([route, all]) => ({ labels: { route }, value: value(all) }));
  const sum = (value: (gauges: ProcessGauges) => number) =>
    processes.reduce((before, { gauges }) => before + value(gauges), 0);
  const plain = (value: number): Value[] => [{ labels: {}, value }];

  add(
    'counter',
    'requests_total',
    'Requests, by route and class of status; none: the client left.',
    routes.flatMap(([route, { byClass }]) =>
      classes.flatMap((name, at) =>
        byClass[at]! > 0 ? [{ labels: { route, status: name }, value: byClass[at]! }] : [],
      ),
    ),
  );
  add(
    'histogram',
    'request_seconds',
    'Time from a request to its answer, by route.',
    routes.flatMap(([route, times]) => histogram('causeway_request_seconds', route, times)),
  );
  add(
    'counter',
    'database_statements_total',
    'Statements that requests sent, by route.',
    perRoute(({ statements }) => statements),
  );
  add(
    'counter',
    'database_seconds_total',
    'Time that requests waited for the database, by route.',
    perRoute(({ databaseMilliseconds }) => databaseMilliseconds / 1_000),
  );
  add('gauge', 'requests_under_way', 'Requests that are being answered.', plain(sum(({ underWay }) => underWay)));
  add('gauge', 'requests_arriving', 'Requests whose bodies are on their way.', plain(sum(({ arriving }) => arriving)));
  add(
    'counter',
    'requests_shed_total',
    'Requests that were answered 503, for there was too much to do.',
    plain(counted.refused),
  );
  add('gauge', 'database_connections', 'Connections to the database, by what they do.', [
    { labels: { state: 'busy' }, value: sum(({ pool }) => pool.size - pool.idle) },
    { labels: { state: 'idle' }, value: sum(({ pool }) => pool.idle) },
  ]);
  add('gauge', 'database_waiting', 'Statements that wait for a connection.', plain(sum(({ pool }) => pool.waiting)));
  for (const [key, { name, meaning, labelled }] of Object.entries(counters)) {
    add(
      'counter',
      `${name}_total`,
      meaning,
      Object.entries(counted.counters[key]!).map(([label, value]) => ({ labels: { [labelled]: label }, value })),
    );
  }
  if (workers) {
    add('gauge', 'workers', 'Processes that serve, by whether they could be asked in time for what stands here.', [
      { labels: { state: 'answering' }, value: processes.length },
      { labels: { state: 'silent' }, value: workers.silent },
    ]);
    add('counter', 'workers_ended_total', 'Workers that ended unasked.', plain(workers.ended));
  }
  return { contentType: registry.contentType, text: await registry.metrics() };
}

/** As Prometheus has it: each class holds what is below it too. */
function histogram(name: string, route: string, { byTime, milliseconds }: Route): Value[] {
  let below = 0;
  const classesOfTime = byTime.map((count, at) => {
    below += count;
    const bound = bounds[at];
    return {
      labels: { route, le: bound === undefined ? '+Inf' : String(bound / 1_000) },
      value: below,
      metricName: `${name}_bucket`,
    };
  });
  return [
    ...classesOfTime,
    { labels: { route }, value: milliseconds / 1_000, metricName: `${name}_sum` },
    { labels: { route }, value: below, metricName: `${name}_count` },
  ];
}
