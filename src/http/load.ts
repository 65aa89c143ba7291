import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Log } from '../observability/index.ts';
import type { Arrivals } from './arrivals.ts';
import { isStream } from './event-stream.ts';
import type { Exchange } from './exchange.ts';
import { Places } from './in-flight.ts';

/** When more is asked for than can be done. */
export interface OverloadOptions {
  /** Most requests under way at once. */
  readonly requests: number;
  /** Mean delay of the event loop, in milliseconds; 0: it doesn't count. */
  readonly eventLoopDelay: number;
}

export interface LoadOptions extends OverloadOptions {
  /** Milliseconds. */
  readonly requestTimeout: number;
  /** Whether work waits for what all requests share: connections to the database. */
  readonly congested: () => boolean;
  /** Answers 503 in the words of the path's door. */
  readonly refuse: (exchange: Exchange) => void | Promise<void>;
  /** The bodies that are on their way to becoming requests under way. */
  readonly arrivals: Pick<Arrivals, 'size' | 'turnedAway'>;
  readonly log: Log;
}

/** The requests under way, and whether one more is taken. */
export interface Load {
  /** @returns false where the request is to be refused, for there is too much to do */
  take(exchange: Exchange): boolean;
  leave(exchange: Exchange): void;
  readonly underWay: number;
  /** Requests whose bodies are on their way. */
  readonly arriving: number;
  /** How many were answered in the last quarter of a second, as a rate. */
  readonly perSecond: number;
  /** How many were refused so far, before their body was there or when it was. */
  readonly refused: number;
  /** Says on every answer that isn't given yet that it is the last on its connection, and ends those without an end. */
  lastAnswers(): void;
  close(): void;
}

/** Milliseconds between two looks. */
const pause = 250;
/** Milliseconds that the event loop's monitor sleeps between its own looks, which its figures contain. */
const resolution = 10;
/** Milliseconds after which a request counts as one that waits. */
const slow = 1_000;
/** So many may wait for something slow, as a lock, without anything being wrong with the rest. */
const fewEnough = 50;

/**
 * Load shedding. It looks at the load four times a second, so that admitting a request costs next to nothing. New requests
 * are refused with 503 when too many are in flight; when the event loop is late all the time; and when requests wait for
 * more than a second for the connection pool, while more are in flight than were answered in the last second. Password
 * checks that wait for their turn delay no other request, and have a bound of their own.
 */
export function watchLoad({
  requests,
  eventLoopDelay,
  requestTimeout,
  congested,
  refuse,
  arrivals,
  log,
}: LoadOptions): Load {
  const underWay = new Places();
  /** Answers without an end, as streams of events. They wait for nothing and hold nothing up. */
  const streams = new Set<Exchange>();
  const delay = monitorEventLoopDelay({ resolution });
  if (eventLoopDelay > 0) delay.enable();
  let answered = 0;
  let perSecond = 0;
  let refused = 0;
  let reported = 0;
  let reportedBodies = 0;
  let wasLate = false;
  let behind: 'the event loop is late' | 'requests wait too long' | undefined;

  function look(): void {
    const isLate = eventLoopDelay > 0 && delay.count > 0 && delay.mean / 1e6 - resolution > eventLoopDelay;
    delay.reset();
    perSecond = (answered * 1_000) / pause;
    const waits = lookThrough() && underWay.size > Math.max(fewEnough, perSecond) && congested();
    // Once may be a single piece of work, as a start or a large answer.
    behind = isLate && wasLate ? 'the event loop is late' : waits ? 'requests wait too long' : undefined;
    wasLate = isLate;
    answered = 0;
    if (refused > reported)
      log.warn(
        { requests: refused - reported, underWay: underWay.size, because: behind ?? 'too many are under way' },
        'requests were refused',
      );
    reported = refused;
    const { turnedAway } = arrivals;
    if (turnedAway > reportedBodies)
      log.warn(
        { requests: turnedAway - reportedBodies, arriving: arrivals.size },
        'requests whose bodies were on their way made room for others',
      );
    reportedBodies = turnedAway;
  }

  /**
   * Answers 503 to requests that took too long, and cuts off clients that don't read their answer.
   * @returns whether one has waited long for its answer
   */
  function lookThrough(): boolean {
    const now = performance.now();
    let oneWaits = false;
    for (const exchange of underWay) {
      const age = now - exchange.takenAt;
      if (age < slow) continue;
      if (isStream(exchange)) {
        underWay.delete(exchange);
        streams.add(exchange);
      } else if (age > requestTimeout) {
        underWay.delete(exchange);
        if (exchange.answer) exchange.connection.destroy();
        else void refuse(exchange);
      } else oneWaits ||= !exchange.answer;
    }
    return oneWaits;
  }

  const timer = setInterval(look, pause).unref();
  return {
    take(exchange) {
      if (behind !== undefined || underWay.size >= requests) {
        refused++;
        return false;
      }
      exchange.takenAt = performance.now();
      underWay.add(exchange);
      return true;
    },
    leave(exchange) {
      answered++;
      if (!underWay.delete(exchange)) streams.delete(exchange);
    },
    get underWay() {
      return underWay.size;
    },
    get arriving() {
      return arrivals.size;
    },
    get perSecond() {
      return perSecond;
    },
    get refused() {
      return refused + arrivals.turnedAway;
    },
    lastAnswers() {
      for (const exchange of [...underWay, ...streams]) {
        if (!exchange.answer) exchange.headers.connection = 'close';
        else if (isStream(exchange)) exchange.connection.destroy();
      }
    },
    close() {
      clearInterval(timer);
      delay.disable();
    },
  };
}
