import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Log } from '../observability/index.ts';
import type { Arrivals } from './arrivals.ts';
import { isStream } from './event-stream.ts';
import type { Exchange } from './exchange.ts';
import { isTransfer, watchTransfer } from './transfer.ts';
import { Slots } from './slots.ts';

/** The limits above which requests are refused. */
export interface OverloadOptions {
  /** Maximum number of requests under way. */
  readonly requests: number;
  /** Maximum mean delay of the event loop, in milliseconds; 0: no limit. */
  readonly eventLoopDelay: number;
}

export interface LoadOptions extends OverloadOptions {
  /** Milliseconds until a request times out. */
  readonly requestTimeout: number;
  /** Whether work is waiting for a shared resource: the connection pool. */
  readonly congested: () => boolean;
  /** Answers 503 in the dialect of the path's door. */
  readonly refuse: (exchange: Exchange) => void | Promise<void>;
  /** The bodies that are being received; their requests aren't under way yet. */
  readonly arrivals: Pick<Arrivals, 'size' | 'turnedAway'>;
  readonly log: Log;
}

/** The requests under way, and the decision whether to admit another one. */
export interface Load {
  /** @returns false to refuse the request: the gateway is overloaded */
  take(exchange: Exchange): boolean;
  leave(exchange: Exchange): void;
  readonly underWay: number;
  /** Requests whose bodies are being received. */
  readonly arriving: number;
  /** Requests answered per second, measured over the last quarter of a second. */
  readonly perSecond: number;
  /** How many requests were refused so far, including those whose bodies were dropped. */
  readonly refused: number;
  /** Marks every answer not sent yet as the last of its connection (`Connection: close`), and ends event streams. */
  lastAnswers(): void;
  close(): void;
}

/** Milliseconds between two measurements of the load. */
const pause = 250;
/** Sampling interval of the event loop monitor, in milliseconds. The delays it reports include it. */
const resolution = 10;
/** Milliseconds after which a request counts as waiting. */
const slow = 1_000;
/** Up to this number of requests under way, slow ones are no sign of overload: they may all wait for one lock. */
const fewEnough = 50;

/**
 * Load shedding. It measures the load four times a second, so that admitting a request costs almost nothing. New
 * requests are refused with 503 when too many are under way, when the event loop stays late, or when requests wait
 * longer than a second for the connection pool while more are under way than were answered in the last second. Queued
 * password checks delay no other request, and have a limit of their own.
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
  const underWay = new Slots();
  /** Event streams: they don't end by themselves, and don't count as requests under way. */
  const streams = new Set<Exchange>();
  /** Transfers: they take as long as they take. A graceful shutdown waits for them. */
  const transfers = new Set<Exchange>();
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
    /** For what requests were refused until now. */
    const reason = behind ?? 'too many are under way';
    // Late once isn't overload: it may be a single task, such as the start or a large answer.
    behind = isLate && wasLate ? 'the event loop is late' : waits ? 'requests wait too long' : undefined;
    wasLate = isLate;
    answered = 0;
    if (refused > reported)
      log.warn({ requests: refused - reported, underWay: underWay.size, because: reason }, 'requests were refused');
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
   * Answers 503 to requests that took too long, and disconnects clients that don't read their answer.
   * @returns whether a request has been waiting for its answer for long
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
      } else if (isTransfer(exchange)) {
        underWay.delete(exchange);
        transfers.add(exchange);
      } else if (age > requestTimeout) {
        underWay.delete(exchange);
        if (exchange.answer) exchange.connection.destroy();
        else void refuse(exchange);
      } else oneWaits ||= !exchange.answer;
    }
    for (const exchange of transfers) watchTransfer(exchange, now);
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
      if (!underWay.delete(exchange) && !streams.delete(exchange)) transfers.delete(exchange);
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
      for (const exchange of [...underWay, ...streams, ...transfers]) {
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
