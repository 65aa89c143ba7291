import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';
import type { Unreadable } from './unreadable.ts';
import type { AccessLine, Trace } from '../observability/index.ts';

/** What a door needs of the connection that a request came on, and what a Fetch request doesn't say. */
export interface Connection {
  /** The address at its other end. */
  readonly peer: string;
  /** By their names in lower case. Node has read them already; a `Headers` would sort and copy them for each look-up that misses. */
  readonly headers: IncomingHttpHeaders;
  /** The body's bytes, as they come. */
  readonly body: NodeJS.ReadableStream | null;
  /** Whether the whole body was received. */
  readonly isComplete: boolean;
  /** Closes it at once, whatever is under way. */
  destroy(): void;
}

/** One request and its answer, with what every door wants to know of it. */
export interface Exchange {
  readonly request: Request;
  readonly connection: Connection;
  readonly id: string;
  /** The client's address, by the forwarding headers of trusted proxies only. */
  readonly address: string;
  /** As sent, without the query: nothing decoded. */
  readonly path: string;
  /** As sent, without the question mark. */
  readonly query: string;
  /** Milliseconds, on the clock of `performance.now()`. */
  readonly startedAt: number;
  /** What the access log adds: the route, the viewer. Never a secret. */
  readonly notes: Notes;
  /** Its statements, the milliseconds that they took, and the trace that they belong to. */
  readonly ledger: { statements: number; milliseconds: number; trace?: Trace };
  /** The body once it is there, or why it can't be read; undefined where none was announced. */
  body: Buffer | Unreadable | undefined;
  /** When all of it was there and it was taken, on the same clock as `startedAt`; until then the same. */
  takenAt: number;
  /** Among the requests under way; undefined before and afterwards. */
  place: number | undefined;
  /** What the answer has beside the headers of its door. */
  readonly headers: Record<string, string>;
  /** The answer, once there is one. The first counts. */
  answer: Response | undefined;
  /** Answers before the door does, as when it takes too long. */
  interrupt(answer: Response): void;
}

/** What is found out of a request on its way. */
type Notes = {
  -readonly [Name in 'route' | 'viewer' | 'actor' | 'operation' | 'fields' | 'cost' | 'traceId']?: AccessLine[Name];
};

/** @param target of the request line: Fetch would decode parts of it */
export type ExchangeFactory = (request: Request, target: string, connection: Connection) => Exchange;

/** A request id that a trusted proxy may hand over. */
const acceptableId = /^[\w.:-]{8,128}$/;

const ignore = () => undefined;

/** @param trustedProxies addresses and ranges, as proxy-addr takes them */
export function exchanges(trustedProxies: readonly string[]): ExchangeFactory {
  const trusts = proxyAddr.compile([...trustedProxies]);
  return (request, target, connection) => {
    // A client may send the whole address (RFC 9112 §3.2.2); only what follows the host matters.
    const url = target.replace(/^https?:\/\/[^/?]*\/?/i, '/');
    const mark = url.indexOf('?');
    const { peer, headers } = connection;
    const given = headers['x-request-id'];
    const startedAt = performance.now();
    const keepsId = typeof given === 'string' && acceptableId.test(given) && trusts(peer, 0);
    return {
      request,
      connection,
      id: keepsId ? given : randomUUID(),
      address:
        trustedProxies.length > 0
          ? proxyAddr({ headers, socket: { remoteAddress: peer } } as IncomingMessage, trusts)
          : peer,
      path: mark < 0 ? url : url.slice(0, mark),
      query: mark < 0 ? '' : url.slice(mark + 1),
      startedAt,
      body: undefined,
      takenAt: startedAt,
      notes: {},
      ledger: { statements: 0, milliseconds: 0 },
      place: undefined,
      headers: {},
      answer: undefined,
      interrupt: ignore,
    };
  };
}

/** A header's value where a client sent it once; of repeated ones, the last. */
export function header({ connection }: Pick<Exchange, 'connection'>, name: string): string | undefined {
  const value = connection.headers[name];
  return Array.isArray(value) ? value.at(-1) : value;
}

/** What the domain wants to know of a request: where it comes from, and where to count what it costs. */
export function callOf({ address, id, ledger }: Exchange): {
  origin: { address: string; requestId: string };
  ledger: Exchange['ledger'];
} {
  return { origin: { address, requestId: id }, ledger };
}
