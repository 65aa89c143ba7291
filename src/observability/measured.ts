import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import { counters, type CounterValues } from '../counters.ts';

/** Upper bounds of the histogram's buckets, in milliseconds. */
export const bounds = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000] as const;
/** Classes of a status, by its first digit; none: the client disconnected. */
export const classes = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/** The totals of one route. */
export interface Route {
  /** Requests by class of status. */
  readonly byClass: number[];
  /** Requests by duration: one count per bucket, the last for those above all bounds. */
  readonly byTime: number[];
  milliseconds: number;
  statements: number;
  databaseMilliseconds: number;
}

/** Counters of a process since it started, or their sum over processes. */
export interface CounterSnapshot {
  readonly routes: Readonly<Record<string, Route>>;
  /** By the names in `counters`, then by label. */
  readonly counters: CounterValues;
  /** Requests refused by load shedding. */
  readonly refused: number;
}

/** The gauges of a process. */
export interface ProcessGauges {
  /** Database connections, and how many statements wait for one. */
  readonly pool: { readonly size: number; readonly idle: number; readonly waiting: number };
  /** Commands of git. */
  readonly git: { readonly running: number; readonly waiting: number };
  /** Requests being answered. */
  readonly underWay: number;
  /** Requests whose bodies are being received. */
  readonly arriving: number;
}

/** The measurements of one process, as it sends them to another. */
export interface Measured {
  readonly counted: CounterSnapshot;
  readonly gauges: ProcessGauges;
  /** prom-client's metrics of Node.js and the process. */
  readonly process: readonly MetricObjectWithValues<MetricValue<string>>[];
}

/** The measurements of the whole gateway, for a scrape. */
export interface Everything {
  /** Includes ended workers, and the last report of silent ones, so that counters never decrease. */
  readonly counted: CounterSnapshot;
  /** The processes that answered. */
  readonly processes: readonly (Pick<Measured, 'gauges' | 'process'> & { readonly worker?: number })[];
  /** Undefined for a gateway of one process. */
  readonly workers?: { readonly silent: number; readonly ended: number };
}

/** The totals of a route without requests. */
export const noRequests = (): Route => ({
  byClass: classes.map(() => 0),
  byTime: [...bounds, Infinity].map(() => 0),
  milliseconds: 0,
  statements: 0,
  databaseMilliseconds: 0,
});

export const emptyCounters: CounterSnapshot = {
  routes: {},
  counters: Object.fromEntries(Object.keys(counters).map((name) => [name, {}])),
  refused: 0,
};

export function sumOf(all: readonly CounterSnapshot[]): CounterSnapshot {
  return all.reduce(
    (sum, { routes, counters: counted, refused }) => ({
      routes: merged(sum.routes, routes, plus),
      counters: merged(sum.counters, counted, (one, other) => merged(one, other, (count, more) => count + more)),
      refused: sum.refused + refused,
    }),
    emptyCounters,
  );
}

const plus = (one: Route, other: Route): Route => ({
  byClass: one.byClass.map((count, at) => count + other.byClass[at]!),
  byTime: one.byTime.map((count, at) => count + other.byTime[at]!),
  milliseconds: one.milliseconds + other.milliseconds,
  statements: one.statements + other.statements,
  databaseMilliseconds: one.databaseMilliseconds + other.databaseMilliseconds,
});

/** Merges two records; `both` combines the values of keys in both. */
function merged<Value>(
  one: Readonly<Record<string, Value>>,
  other: Readonly<Record<string, Value>>,
  both: (one: Value, other: Value) => Value,
): Record<string, Value> {
  const all = { ...one };
  for (const [name, value] of Object.entries(other))
    all[name] = Object.hasOwn(all, name) ? both(all[name]!, value) : value;
  return all;
}
