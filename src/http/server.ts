import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Response } from '@whatwg-node/fetch';
import { createServerAdapter } from '@whatwg-node/server';
import type { AccessLine, AccessLog, Log, Metrics, Tracing } from '../observability/index.ts';
import { isAmbiguous } from './ambiguous.ts';
import { exchanges, type Connection, type Exchange } from './exchange.ts';
import { toResponse } from './answer.ts';
import { Arrivals, type ArrivalBounds } from './arrivals.ts';
import { hasBody, receiveBody, takeBody, usualBody } from './body.ts';
import { traceParents } from './trace-parent.ts';
import { watchLoad, type Load, type OverloadOptions } from './load.ts';

/** Handles the requests below some path prefixes: it turns a request into a response, also after an error. */
export interface Door {
  (exchange: Exchange): Response | Promise<Response>;
  /** Whether it reads the body itself, as a stream of any length (`beginTransfer`): it is called before the body arrived. */
  readonly streams?: boolean;
  /** The longest body of a path, in bytes; `usualBody` if omitted or undefined. */
  readonly longestBody?: (path: string) => number | undefined;
}

/** The door for monitoring: open under load too, and logged at debug level only. */
interface MonitoringDoor {
  serves(path: string): boolean;
  open: Door;
}

export interface HttpServerOptions {
  readonly host: string;
  readonly port: number;
  readonly trustedProxies: readonly string[];
  /** The access log, if any. */
  readonly accessLog: AccessLog | undefined;
  /** Counts each finished request. */
  readonly metrics?: Pick<Metrics, 'count'>;
  /** Tracing, if it is configured. */
  readonly tracing?: Tracing | undefined;
  readonly log: Log;
  /** Milliseconds from the last byte of a request until its answer. */
  readonly requestTimeout: number;
  /** Milliseconds from the first byte of a request until its last. */
  readonly bodyTimeout: number;
  readonly arrivals: ArrivalBounds;
  readonly overload: OverloadOptions;
  /** Whether work is waiting for a shared resource: the connection pool. */
  readonly congested?: () => boolean;
  /** Returns the door of a request. */
  readonly door: (exchange: Exchange) => Door;
  readonly monitoring: MonitoringDoor;
  /** Answers 503 at once, in the dialect of the path's door. */
  readonly refuse: Door;
}

export interface HttpServer {
  readonly port: number;
  readonly load: Pick<Load, 'underWay' | 'arriving' | 'refused'>;
  /** Answers a request in memory, without a connection. */
  fetch(request: Request): Promise<Response>;
  /**
   * Graceful shutdown: accepts no new connections, finishes requests under way, and closes idle connections.
   * @param timeout milliseconds until the remaining connections are cut
   */
  drain(timeout: number): Promise<void>;
}

/** Milliseconds that a client has to send its headers. */
const headersTimeout = 10_000;
/**
 * Milliseconds for which a draining server leaves idle connections open (graceful shutdown): the next request on one is
 * answered with `connection: close` instead of being cut off. With few requests, a short time is enough.
 */
const lastRequests = { many: 1_000, few: 100 } as const;
/** Milliseconds that a draining server waits for the first byte on an accepted connection. */
const firstWord = 1_000;

/** Starts the HTTP server. @throws the system's error, such as EADDRINUSE */
export async function listen(options: HttpServerOptions): Promise<HttpServer> {
  const { log, accessLog, metrics, tracing, monitoring, refuse, requestTimeout, bodyTimeout } = options;
  const toExchange = exchanges(options.trustedProxies);
  const traceParent = traceParents(options.trustedProxies);
  const arrivals = new Arrivals(options.arrivals);
  const load = watchLoad({
    ...options.overload,
    requestTimeout,
    congested: options.congested ?? (() => false),
    refuse: async (exchange) => exchange.interrupt(await refuse(exchange)),
    arrivals,
    log,
  });
  let draining = false;
  let endsIdle = false;

  /**
   * Answers one request.
   * @param target the request target as sent
   * @param ended registers a callback for the end of the exchange; it gets the status that the client received
   */
  function serve(
    request: Request,
    target: string,
    connection: Connection,
    ended: (finish: (status: number) => void) => void,
  ): Promise<Response> {
    const exchange = toExchange(request, target, connection);
    const parent = traceParent(exchange);
    exchange.notes.traceId = parent?.traceId;
    const watching = monitoring.serves(exchange.path);
    const door = watching ? monitoring.open : options.door(exchange);
    let taken = false;
    const trace = watching ? undefined : tracing?.begin(parent);
    if (trace) {
      exchange.notes.traceId = trace.traceId;
      exchange.ledger.trace = trace;
    }
    ended((status) => {
      if (taken) load.leave(exchange);
      if (door.streams) connection.takesItsTime(false);
      // This connection becomes idle only now.
      if (endsIdle) setImmediate(() => server.closeIdleConnections());
      if (accessLog || metrics || trace) {
        const line = lineOf(exchange, status);
        accessLog?.(line, watching ? 'debug' : 'info');
        if (!watching) metrics?.count(line);
        trace?.end(line);
      }
    });
    const open = () => {
      if (draining) exchange.headers.connection = 'close';
      if (watching) return answerOf(door, exchange, log);
      taken = load.take(exchange);
      return answerOf(taken ? door : refuse, exchange, log);
    };
    if (door.streams) connection.takesItsTime(true);
    if (watching || door.streams || !hasBody(exchange)) return open();
    return Promise.resolve().then(async () =>
      takeBody(exchange) ? open() : ((await receive(exchange, door)) ?? open()),
    );
  }

  /**
   * Receives the body. @returns undefined once it is there; otherwise the answer: the client disconnected, or the body
   * was dropped to make room
   */
  function receive(exchange: Exchange, { longestBody }: Door): Promise<Response | undefined> {
    return new Promise((resolve) => {
      const arrival = arrivals.begin(exchange.address, () => void answerOf(refuse, exchange, log).then(resolve));
      const limit = longestBody?.(exchange.path) ?? usualBody;
      void receiveBody(exchange, limit, arrival.grow).then((isThere) => {
        arrival.end();
        // If the connection was cut meanwhile, its close event has fired: end the request now, or it stays under way
        // until its timeout.
        const { aborted } = exchange.request.signal;
        resolve(isThere && !aborted ? undefined : new Response(null, { status: 400 }));
      });
    });
  }

  const adapter = createServerAdapter<{ req: IncomingMessage; res: ServerResponse }>((request, { req, res }) => {
    if (isAmbiguous(req)) return new Response(null, { status: 400, headers: { connection: 'close' } });
    return serve(request, req.url ?? '/', new NodeConnection(req, unhurried), (finish) => {
      res.on('close', () => finish(res.headersSent ? res.statusCode : 0));
    });
  });

  /** Connections whose request may take longer than `bodyTimeout` to arrive. */
  const unhurried = new WeakSet<Socket>();
  const server: Server = createServer(
    {
      headersTimeout: Math.min(headersTimeout, bodyTimeout),
      // Node's name for the time in which the whole request must arrive.
      requestTimeout: bodyTimeout,
      keepAliveTimeout: 60_000,
      // How often Node checks these timeouts.
      connectionsCheckingInterval: 1_000,
    },
    // Not the adapter itself: for each request it would detect whether it runs on Node.
    adapter.requestListener,
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && unhurried.has(socket as Socket)) return;
    // Not HTTP, too slow, or the headers are too large: no door can answer. Don't answer a connection that has sent
    // nothing: the client would match the answer to its next request.
    if (error.code === 'ECONNRESET' || !socket.writable || (socket as Socket).bytesRead === 0)
      return void socket.destroy();
    const status = {
      HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
      ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
    }[error.code ?? ''];
    socket.end(`HTTP/1.1 ${status ?? '400 Bad Request'}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  });
  /** Open connections, and when each was accepted. */
  const connections = new Map<Socket, number>();
  let letIn = 0;
  server.on('connection', (socket: Socket) => {
    letIn++;
    connections.set(socket, performance.now());
    socket.once('close', () => connections.delete(socket));
  });
  /** Closes connections that sent nothing within `firstWord`. */
  async function endSilent(): Promise<void> {
    for (const [socket, since] of connections) {
      if (socket.bytesRead > 0) continue;
      await pause(Math.max(since + firstWord - performance.now(), 0), undefined, { ref: false });
      if (socket.bytesRead === 0) socket.destroy();
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    load,
    fetch: (request) => serveWithoutConnection(serve, request),
    async drain(timeout) {
      await quietTurn(() => letIn, timeout / 10);
      draining = true;
      // Call only the `close` of `net`: the HTTP server's would also close idle connections at once.
      const closed = new Promise<void>((resolve) => void NetServer.prototype.close.call(server, () => resolve()));
      const cut = setTimeout(() => server.closeAllConnections(), timeout);
      load.lastAnswers();
      const grace = lastRequests[load.perSecond > 20 ? 'many' : 'few'];
      await Promise.race([closed, pause(Math.min(grace, timeout / 10), undefined, { ref: false })]);
      endsIdle = true;
      server.close();
      void endSilent();
      await closed;
      clearTimeout(cut);
      load.close();
    },
  };
}

/**
 * Waits for a turn of the event loop with almost no work and no new connection: closing the listening socket resets
 * connections that aren't accepted yet.
 * @param letIn how many connections were accepted so far
 * @param longest maximum milliseconds to wait
 */
async function quietTurn(letIn: () => number, longest: number): Promise<void> {
  const until = performance.now() + Math.min(longest, 250);
  for (;;) {
    const [before, beganAt] = [letIn(), performance.now()];
    await new Promise(setImmediate);
    const now = performance.now();
    if ((letIn() === before && now - beganAt < 0.5) || now > until) return;
  }
}

/**
 * The connection of an HTTP request. A class, because an object literal with a getter takes microseconds to create.
 */
class NodeConnection implements Connection {
  readonly peer: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: IncomingMessage;
  readonly #unhurried: WeakSet<Socket>;

  constructor(request: IncomingMessage, unhurried: WeakSet<Socket>) {
    this.peer = request.socket.remoteAddress ?? '';
    this.headers = request.headers;
    this.body = request;
    this.#unhurried = unhurried;
  }

  get isComplete(): boolean {
    return this.body.complete;
  }

  get bytes(): number {
    const { bytesRead, bytesWritten } = this.body.socket;
    return bytesRead + bytesWritten;
  }

  get waitsForClient(): boolean {
    const { complete, readableLength, socket } = this.body;
    return (!complete && readableLength === 0) || socket.writableLength > 0;
  }

  takesItsTime(may: boolean): void {
    if (may) this.#unhurried.add(this.body.socket);
    else this.#unhurried.delete(this.body.socket);
  }

  destroy(): void {
    this.body.socket.destroy();
  }
}

/** Answers a request that was created in memory: for tests, and servers other than Node's. */
async function serveWithoutConnection(
  serve: (...given: [Request, string, Connection, (finish: (status: number) => void) => void]) => Promise<Response>,
  request: Request,
): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const body = request.body ? Readable.fromWeb(request.body as never) : null;
  const connection: Connection = {
    peer: '127.0.0.1',
    headers: Object.fromEntries(request.headers),
    body,
    get isComplete() {
      return body === null || body.readableEnded;
    },
    bytes: 0,
    waitsForClient: false,
    takesItsTime: () => undefined,
    destroy: () => undefined,
  };
  let finish: ((status: number) => void) | undefined;
  const response = await serve(request, pathname + search, connection, (given) => (finish = given));
  finish?.(response.status);
  return response;
}

/**
 * The response of a door, or the one that interrupted it. A door handles its own errors: anything it throws is a
 * defect, and is masked.
 */
function answerOf(door: Door, exchange: Exchange, log: Log): Promise<Response> {
  return new Promise((resolve) => {
    const answer = (response: Response) => {
      exchange.answer ??= response;
      resolve(exchange.answer);
    };
    exchange.interrupt = answer;
    const fail = (error: unknown) => {
      reportDefect(log, exchange, error);
      answer(
        toResponse(exchange, {
          status: 500,
          headers: { 'content-type': 'text/plain; charset=utf-8' },
          body: 'Internal Server Error',
        }),
      );
    };
    try {
      Promise.resolve(door(exchange)).then(answer, fail);
    } catch (error) {
      fail(error);
    }
  });
}

/** Logs a programming error with all details; clients never see them. */
export function reportDefect(log: Log, exchange: Exchange, error: unknown): void {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  log.error({ requestId: exchange.id, path: exchange.path, error: message, stack }, 'unhandled error');
}

function lineOf({ id, request, address, path, startedAt, notes, ledger }: Exchange, status: number): AccessLine {
  const { traceId, route, viewer, actor, operation, fields, cost } = notes;
  return {
    requestId: id,
    traceId,
    address,
    method: request.method,
    route,
    path,
    status,
    milliseconds: performance.now() - startedAt,
    viewer,
    actor,
    operation,
    fields,
    cost,
    statements: ledger.statements,
    databaseMilliseconds: ledger.milliseconds,
  };
}
