import type { Metric } from 'prom-client';
import { counters } from '../counters.ts';
import { bounds, classes, type Everything, type Route, type ProcessGauges } from './measured.ts';

/** The response to a scrape. */
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
 * All metrics in Prometheus's text format. The gateway's own counters are summed over processes. Metrics of Node.js are
 * listed per process: a sum would hide a problem of one.
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
    'Requests, by route and class of status; none: the client disconnected.',
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
  add(
    'gauge',
    'requests_arriving',
    'Requests whose bodies are being received.',
    plain(sum(({ arriving }) => arriving)),
  );
  add('counter', 'requests_shed_total', 'Requests that were answered 503 by load shedding.', plain(counted.refused));
  add('gauge', 'database_connections', 'Connections to the database, by state.', [
    { labels: { state: 'busy' }, value: sum(({ pool }) => pool.size - pool.idle) },
    { labels: { state: 'idle' }, value: sum(({ pool }) => pool.idle) },
  ]);
  add('gauge', 'database_waiting', 'Statements that wait for a connection.', plain(sum(({ pool }) => pool.waiting)));
  add('gauge', 'git_running', 'Commands of git that run.', plain(sum(({ git }) => git.running)));
  add('gauge', 'git_waiting', 'Commands of git that wait for their turn.', plain(sum(({ git }) => git.waiting)));
  for (const [key, { name, meaning, labelled }] of Object.entries(counters)) {
    add(
      'counter',
      `${name}_total`,
      meaning,
      Object.entries(counted.counters[key]!).map(([label, value]) => ({ labels: { [labelled]: label }, value })),
    );
  }
  if (workers) {
    add('gauge', 'workers', 'Processes that serve, by whether they answered in time for this scrape.', [
      { labels: { state: 'answering' }, value: processes.length },
      { labels: { state: 'silent' }, value: workers.silent },
    ]);
    add('counter', 'workers_ended_total', 'Workers that ended unexpectedly.', plain(workers.ended));
  }
  return { contentType: registry.contentType, text: await registry.metrics() };
}

/** Prometheus's cumulative buckets: each includes those below it. */
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
