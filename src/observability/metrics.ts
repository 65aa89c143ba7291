import type { Registry } from 'prom-client';
import { countedHere } from '../counters.ts';
import type { AccessLine } from './access-log.ts';
import {
  bounds,
  noRequests,
  type CounterSnapshot,
  type Everything,
  type Measured,
  type Route,
  type ProcessGauges,
} from './measured.ts';
import { exposition, type Exposition } from './prometheus.ts';

/** Values read at each scrape from the rooms that have them. */
export interface Gauges {
  pool(): ProcessGauges['pool'];
  git(): ProcessGauges['git'];
  load(): { readonly underWay: number; readonly arriving: number; readonly refused: number };
}

/** Counts requests. Metrics are computed only for a scrape. */
export interface Metrics {
  count(line: Pick<AccessLine, 'route' | 'status' | 'milliseconds' | 'statements' | 'databaseMilliseconds'>): void;
  /** All metrics in Prometheus's format; undefined when they aren't available now. */
  scrape(): Promise<Exposition | undefined>;
}

/** Collects the measurements of this process and of the gateway's other processes. */
export type Gather = (measure: () => Promise<Measured>) => () => Promise<Everything | undefined>;

/** For a gateway of one process. */
export const alone: Gather = (measure) => async () => {
  const { counted, ...process } = await measure();
  return { counted, processes: [process] };
};

/** The label of requests that match no route, whatever their path. */
const noRoute = 'none';

/**
 * Creates the metrics. Counting costs a request one look-up by route and a few additions; prom-client, loaded by the
 * first scrape, converts the numbers.
 */
export function createMetrics(gauges: Gauges, gather: Gather): Metrics {
  const routes = new Map<string, Route>();

  const counted = (): CounterSnapshot => ({
    routes: Object.fromEntries(routes),
    counters: countedHere(),
    refused: gauges.load().refused,
  });

  let ofProcess: Promise<Registry> | undefined;
  async function makeRegistry(): Promise<Registry> {
    const { Registry: Made, collectDefaultMetrics } = (await import('prom-client')).default;
    const registry = new Made();
    collectDefaultMetrics({ register: registry });
    return registry;
  }
  async function measure(): Promise<Measured> {
    const process = await (await (ofProcess ??= makeRegistry())).getMetricsAsJSON();
    return {
      counted: counted(),
      gauges: {
        pool: gauges.pool(),
        git: gauges.git(),
        underWay: gauges.load().underWay,
        arriving: gauges.load().arriving,
      },
      process,
    };
  }

  const everything = gather(measure);
  return {
    count({ route: name = noRoute, status, milliseconds, statements, databaseMilliseconds }) {
      let route = routes.get(name);
      if (!route) routes.set(name, (route = noRequests()));
      route.byClass[Math.trunc(status / 100)]!++;
      let at = 0;
      while (at < bounds.length && milliseconds > bounds[at]!) at++;
      route.byTime[at]!++;
      route.milliseconds += milliseconds;
      route.statements += statements;
      route.databaseMilliseconds += databaseMilliseconds;
    },
    async scrape() {
      const found = await everything();
      return found && (await exposition(found));
    },
  };
}
