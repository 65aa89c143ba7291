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
import { hasBody, receiveBody } from './body.ts';
import { traceParents } from './trace-parent.ts';
import { watchLoad, type Load, type OverloadOptions } from './load.ts';

/** Handles the requests below some prefixes: from a request to its response, also where something goes wrong. */
export type Door = (exchange: Exchange) => Response | Promise<Response>;

/** The door for monitoring: open under load too, and logged at debug level only. */
interface MonitoringDoor {
  serves(path: string): boolean;
  open: Door;
}

export interface HttpServerOptions {
  readonly host: string;
  readonly port: number;
  readonly trustedProxies: readonly string[];
  /** Undefined: no access log. */
  readonly accessLog: AccessLog | undefined;
  /** Counts each request when it is over. */
  readonly metrics?: Pick<Metrics, 'count'>;
  /** Undefined: nothing is traced. */
  readonly tracing?: Tracing | undefined;
  readonly log: Log;
  /** Milliseconds from a request's last byte to its answer. */
  readonly requestTimeout: number;
  /** Milliseconds from a request's first byte to its last. */
  readonly bodyTimeout: number;
  readonly arrivals: ArrivalBounds;
  readonly overload: OverloadOptions;
  /** Whether work waits for what all requests share. */
  readonly congested?: () => boolean;
  /** Picks the door of a path. */
  readonly door: (path: string) => Door;
  readonly monitoring: MonitoringDoor;
  /** Answers 503 in the words of the path's door, at once. */
  readonly refuse: Door;
}

export interface HttpServer {
  readonly port: number;
  readonly load: Pick<Load, 'underWay' | 'arriving' | 'refused'>;
  /** Answers a request without a connection, as it would over one. */
  fetch(request: Request): Promise<Response>;
  /**
   * Takes no new connections, lets requests under way finish and closes the rest.
   * @param timeout milliseconds until what is still open is cut
   */
  drain(timeout: number): Promise<void>;
}

/** Milliseconds that a client may take for its headers. */
const headersTimeout = 10_000;
/**
 * Milliseconds for which a draining server leaves idle connections open (graceful shutdown): the next request on one is
 * answered with `connection: close` instead of being cut off. With few requests, a short time is enough.
 */
const lastRequests = { many: 1_000, few: 100 } as const;
/** Milliseconds for which a draining server waits for the first word on a connection that was let in. */
const firstWord = 1_000;

/** Starts to listen. @throws the system's error, as EADDRINUSE */
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
   * @param target of the request line
   * @param ended is called with what to do when the exchange is over, with the status that the client got
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
    let taken = false;
    const trace = watching ? undefined : tracing?.begin(parent);
    if (trace) {
      exchange.notes.traceId = trace.traceId;
      exchange.ledger.trace = trace;
    }
    ended((status) => {
      if (taken) load.leave(exchange);
      // A connection that was busy until now is idle only now.
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
      if (watching) return answerOf(monitoring.open, exchange, log);
      taken = load.take(exchange);
      return answerOf(taken ? options.door(exchange.path) : refuse, exchange, log);
    };
    if (watching || !hasBody(exchange)) return open();
    return receive(exchange).then((response) => response ?? open());
  }

  /** Waits for the body. @returns the answer where it doesn't come: its client disconnected, or it had to make room for others */
  function receive(exchange: Exchange): Promise<Response | undefined> {
    return new Promise((resolve) => {
      const arrival = arrivals.begin(exchange.address, () => void answerOf(refuse, exchange, log).then(resolve));
      void receiveBody(exchange, arrival.grow).then((isThere) => {
        arrival.end();
        // If the connection was cut meanwhile, its close event has fired: drop the request now, or it holds its place until it times out.
        const { aborted } = exchange.request.signal;
        resolve(isThere && !aborted ? undefined : new Response(null, { status: 400 }));
      });
    });
  }

  const adapter = createServerAdapter<{ req: IncomingMessage; res: ServerResponse }>((request, { req, res }) => {
    if (isAmbiguous(req)) return new Response(null, { status: 400, headers: { connection: 'close' } });
    return serve(request, req.url ?? '/', new NodeConnection(req), (finish) => {
      res.on('close', () => finish(res.headersSent ? res.statusCode : 0));
    });
  });

  const server: Server = createServer(
    {
      headersTimeout: Math.min(headersTimeout, bodyTimeout),
      // What Node.js calls so is the time until a request is there.
      requestTimeout: bodyTimeout,
      keepAliveTimeout: 60_000,
      // How often the two above are looked after.
      connectionsCheckingInterval: 1_000,
    },
    // Not the adapter itself, which would ask each time whether this is Node.
    adapter.requestListener,
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Not HTTP, too slow, or headers too large: there is no request to answer in a dialect.
    // Who asked nothing gets no answer, which would be taken for one to what is asked just then.
    if (error.code === 'ECONNRESET' || !socket.writable || (socket as Socket).bytesRead === 0)
      return void socket.destroy();
    const status = {
      HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
      ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
    }[error.code ?? ''];
    socket.end(`HTTP/1.1 ${status ?? '400 Bad Request'}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  });
  /** With the moments at which they were let in. */
  const connections = new Map<Socket, number>();
  let letIn = 0;
  server.on('connection', (socket: Socket) => {
    letIn++;
    connections.set(socket, performance.now());
    socket.once('close', () => connections.delete(socket));
  });
  /** Ends those on which nothing came, though there was time for it. */
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
      // Calls only net's `close`: the HTTP server's would also cut idle connections at once.
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
 * Waits for a turn of the event loop with next to no work and no new connection: closing the listening socket
 * resets connections that wait to be accepted.
 * @param letIn how many were let in so far
 * @param longest milliseconds
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

/** The connection of a request that came over HTTP. A class: an object with a getter of its own takes microseconds to make. */
class NodeConnection implements Connection {
  readonly peer: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: IncomingMessage;

  constructor(request: IncomingMessage) {
    this.peer = request.socket.remoteAddress ?? '';
    this.headers = request.headers;
    this.body = request;
  }

  get isComplete(): boolean {
    return this.body.complete;
  }

  destroy(): void {
    this.body.socket.destroy();
  }
}

/** For tests and for other servers than Node's: a request that was made, not received. */
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
    destroy: () => undefined,
  };
  let finish: ((status: number) => void) | undefined;
  const response = await serve(request, pathname + search, connection, (given) => (finish = given));
  finish?.(response.status);
  return response;
}

/** The response of a door, or the one that interrupted it. A door answers its own errors; what it throws is a defect, and is masked. */
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

/** Logs a programming error whole; clients never see it. */
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
