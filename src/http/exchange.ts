import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';
import type { Unreadable } from './unreadable.ts';
import type { AccessLine, Trace } from '../observability/index.ts';

/** What a door needs from the connection of a request, and a Fetch `Request` doesn't have. */
export interface Connection {
  /** The address of the other end: the client, or the last proxy. */
  readonly peer: string;
  /**
   * Headers by lower-case name, as Node parsed them. A `Headers` object would sort and copy them for each look-up of a
   * missing one.
   */
  readonly headers: IncomingHttpHeaders;
  /** The body as a stream. */
  readonly body: NodeJS.ReadableStream | null;
  /** Whether the whole body was received. */
  readonly isComplete: boolean;
  /** Bytes that went over the connection so far, in both directions. */
  readonly bytes: number;
  /** Whether it is the client's turn: to send the rest of the body, or to read what was sent. */
  readonly waitsForClient: boolean;
  /** Whether the body may take longer than `bodyTimeout`. */
  takesItsTime(may: boolean): void;
  /** Closes the connection at once, even in the middle of a request. */
  destroy(): void;
}

/** One request and its answer, with everything that doors need to know about them. */
export interface Exchange {
  readonly request: Request;
  readonly connection: Connection;
  readonly id: string;
  /** The client's address. Forwarding headers count only from trusted proxies. */
  readonly address: string;
  /** The path as sent, not decoded. */
  readonly path: string;
  /** The query string as sent, without the question mark. */
  readonly query: string;
  /** When the request arrived, on the clock of `performance.now()`. */
  readonly startedAt: number;
  /** Additional fields for the access log: the route, the viewer. Never a secret. */
  readonly notes: Notes;
  /** The cost of the request: the number of its statements, their milliseconds, and its trace. */
  readonly ledger: { statements: number; milliseconds: number; trace?: Trace };
  /** The body; or why it can't be read. Undefined if there is none, or it isn't received yet. */
  body: Buffer | Unreadable | undefined;
  /** When the request was complete and admitted, on the same clock; before that, equal to `startedAt`. */
  takenAt: number;
  /** Its slot among the requests under way; undefined before and afterwards. */
  slot: number | undefined;
  /** Headers of the answer in addition to those of its door. */
  readonly headers: Record<string, string>;
  /** The answer, once it is determined. Later ones are ignored. */
  answer: Response | undefined;
  /** Answers instead of the door, for example after a timeout. */
  interrupt(answer: Response): void;
}

/** What is learnt about a request while it is handled. */
type Notes = {
  -readonly [Name in 'route' | 'viewer' | 'actor' | 'operation' | 'fields' | 'cost' | 'traceId']?: AccessLine[Name];
};

/** @param target the request target as sent: Fetch would decode parts of it */
export type ExchangeFactory = (request: Request, target: string, connection: Connection) => Exchange;

/** The form of a request id that a trusted proxy may set. */
const acceptableId = /^[\w.:-]{8,128}$/;

const ignore = () => undefined;

/** @param trustedProxies addresses and ranges, as proxy-addr takes them */
export function exchanges(trustedProxies: readonly string[]): ExchangeFactory {
  const trusts = proxyAddr.compile([...trustedProxies]);
  return (request, target, connection) => {
    // A client may send an absolute URL (RFC 9112 §3.2.2): remove scheme and host.
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
      slot: undefined,
      headers: {},
      answer: undefined,
      interrupt: ignore,
    };
  };
}

/** The value of a header; if it is repeated, the last one. */
export function header({ connection }: Pick<Exchange, 'connection'>, name: string): string | undefined {
  const value = connection.headers[name];
  return Array.isArray(value) ? value.at(-1) : value;
}

/** What the domain needs to know about a request: its origin, and the ledger of its costs. */
export function callOf({ address, id, ledger }: Exchange): {
  origin: { address: string; requestId: string };
  ledger: Exchange['ledger'];
} {
  return { origin: { address, requestId: id }, ledger };
}
