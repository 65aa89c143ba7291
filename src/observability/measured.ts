import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import { counters } from '../counters.ts';

/** Upper bounds of a histogram's classes, in milliseconds. */
export const bounds = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000] as const;
/** Of a status, by its first digit; none: the client left. */
export const classes = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/** What requests of one route came to. */
export interface Route {
  /** By class of status. */
  readonly byClass: number[];
  /** How many took up to each bound and longer than the one before; the last for those beyond all. */
  readonly byTime: number[];
  milliseconds: number;
  statements: number;
  databaseMilliseconds: number;
}

type CounterValues = Readonly<Record<string, number>>;

/** What only grows, since a process started. Of several processes it is the sum. */
export interface CounterSnapshot {
  readonly routes: Readonly<Record<string, Route>>;
  /** By the names in `counters`, and by label. */
  readonly counters: Readonly<Record<string, CounterValues>>;
  /** Requests that were refused for there was too much to do. */
  readonly refused: number;
}

/** How it stands at this moment. */
export interface ProcessGauges {
  /** Connections to the database, and who waits for one. */
  readonly pool: { readonly size: number; readonly idle: number; readonly waiting: number };
  /** Requests that are being answered. */
  readonly underWay: number;
  /** Requests whose bodies are on their way. */
  readonly arriving: number;
}

/** What a process can tell of itself, as one process tells it to another. */
export interface Measured {
  readonly counted: CounterSnapshot;
  readonly gauges: ProcessGauges;
  /** What prom-client knows of Node.js and the process. */
  readonly process: readonly MetricObjectWithValues<MetricValue<string>>[];
}

/** What there is to be told by whoever is scraped. */
export interface Everything {
  /** Also of workers that have ended, and of silent ones what they said last: it never shrinks. */
  readonly counted: CounterSnapshot;
  /** Those that answered. */
  readonly processes: readonly (Pick<Measured, 'gauges' | 'process'> & { readonly worker?: number })[];
  /** Undefined where a gateway is one process. */
  readonly workers?: { readonly silent: number; readonly ended: number };
}

/** Of a route that nobody has asked for. */
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

/** Everything that one of two has, and what becomes of what both have. */
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
