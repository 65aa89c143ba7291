import { createServer, type IncomingMessage, type Server } from 'node:http';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { AccessLine, AccessLog, Log, Metrics, Tracing } from '../observability/index.ts';
import { isAmbiguous } from './ambiguous.ts';
import { exchanges, type Exchange } from './exchange.ts';
import { send } from './answer.ts';
import { Arrivals, type ArrivalBounds } from './arrivals.ts';
import { hasBody, receiveBody } from './body.ts';
import { traceParents } from './trace-parent.ts';
import { watchLoad, type Load, type OverloadOptions } from './load.ts';

/** Handles the requests below some prefixes. Answers itself, also what goes wrong. */
export type Door = (exchange: Exchange) => void | Promise<void>;

/** The door of what watches the gateway: never closed, and seldom worth a line. */
export interface MonitoringDoor {
  serves(path: string): boolean;
  open: Door;
}

export interface HttpServerOptions {
  readonly host: string;
  readonly port: number;
  readonly trustedProxies: readonly string[];
  /** Undefined: nobody wants a line for each request. */
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
  readonly refuse: (exchange: Exchange) => void;
}

export interface HttpServer {
  readonly port: number;
  readonly load: Pick<Load, 'underWay' | 'arriving' | 'refused'>;
  /**
   * Takes no new connections, lets requests under way finish and closes the rest.
   * @param timeout milliseconds until what is still open is cut
   */
  drain(timeout: number): Promise<void>;
}

/** Milliseconds that a client may take for its headers. */
const headersTimeout = 10_000;
/**
 * Milliseconds for which a draining server leaves idle connections open: whoever
 * sends the next request on one is told by its answer that it was the last, and
 * isn't cut off while it sends. Where few requests come, one is less likely to come just then.
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
  const load = watchLoad({ ...options.overload, requestTimeout, congested: options.congested ?? (() => false), refuse, arrivals, log });
  let draining = false;
  let endsIdle = false;

  const server: Server = createServer(
    {
      headersTimeout: Math.min(headersTimeout, bodyTimeout),
      // What Node.js calls so is the time until a request is there.
      requestTimeout: bodyTimeout,
      keepAliveTimeout: 60_000,
      // How often the two above are looked after.
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => {
      if (isAmbiguous(request)) return void response.writeHead(400, { connection: 'close' }).end();
      const exchange = toExchange(request, response);
      const parent = traceParent(request);
      exchange.notes.traceId = parent?.traceId;
      const watching = monitoring.serves(exchange.path);
      let taken = false;
      const trace = watching ? undefined : tracing?.begin(parent);
      if (trace) {
        exchange.notes.traceId = trace.traceId;
        exchange.ledger.trace = trace;
      }
      response.on('close', () => {
        if (taken) load.leave(exchange);
        // A connection that was busy until now is idle only now.
        if (endsIdle) setImmediate(() => server.closeIdleConnections());
        if (accessLog || metrics || trace) {
          const line = lineOf(exchange);
          accessLog?.(line, watching ? 'debug' : 'info');
          if (!watching) metrics?.count(line);
          trace?.end(line);
        }
      });
      const open = () => {
        if (draining) response.setHeader('connection', 'close');
        if (watching) return void handle(monitoring.open, exchange, log);
        taken = load.take(exchange);
        if (taken) void handle(options.door(exchange.path), exchange, log);
        else refuse(exchange);
      };
      if (watching || !hasBody(request)) open();
      // A connection that was cut just then has had its close event: the request would keep its place until it times out.
      else void receive(exchange).then((isThere) => isThere && !response.destroyed && open());
    },
  );
  /** @returns whether the body is there; not where its client has left, or it had to make room for others */
  async function receive(exchange: Exchange): Promise<boolean> {
    let hadToGo = false;
    const arrival = arrivals.begin(exchange.address, () => {
      hadToGo = true;
      refuse(exchange);
    });
    const isThere = await receiveBody(exchange, arrival.grow);
    arrival.end();
    return isThere && !hadToGo;
  }

  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Not HTTP, too slow, or headers too large: there is no request to answer in a dialect.
    // Who asked nothing gets no answer, which would be taken for one to what is asked just then.
    if (error.code === 'ECONNRESET' || !socket.writable || (socket as Socket).bytesRead === 0) return void socket.destroy();
    const status = { HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large', ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout' }[
      error.code ?? ''
    ];
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
    async drain(timeout) {
      await quietTurn(() => letIn, timeout / 10);
      draining = true;
      // Of the HTTP server's own way, which cuts idle connections at once, this is the part that listens no more.
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
 * Waits for a turn of the event loop in which there was next to nothing to do, and
 * nobody came: the system cuts off who waits to be let in when a door is shut.
 * @param letIn how many were let in so far
 * @param patience milliseconds
 */
async function quietTurn(letIn: () => number, patience: number): Promise<void> {
  const until = performance.now() + Math.min(patience, 250);
  for (;;) {
    const [before, beganAt] = [letIn(), performance.now()];
    await new Promise(setImmediate);
    const now = performance.now();
    if ((letIn() === before && now - beganAt < 0.5) || now > until) return;
  }
}

async function handle(door: Door, exchange: Exchange, log: Log): Promise<void> {
  try {
    await door(exchange);
  } catch (error) {
    // A door answers its own errors; what arrives here is a defect, and is masked.
    reportDefect(log, exchange, error);
    send(exchange, { status: 500, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'Internal Server Error' });
  }
}

/** A programming error: logged whole for the operator, never shown to a client. */
export function reportDefect(log: Log, exchange: Exchange, error: unknown): void {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  log.error({ requestId: exchange.id, path: exchange.path, error: message, stack }, 'a request failed in a way nobody foresaw');
}

function lineOf({ id, request, response, address, path, startedAt, notes, ledger }: Exchange): AccessLine {
  const { traceId, route, viewer, actor, operation, fields, cost } = notes;
  return {
    requestId: id,
    traceId,
    address,
    method: request.method ?? '',
    route,
    path,
    status: response.headersSent ? response.statusCode : 0,
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

/** A header's value where a client sent it once; of repeated ones, the last. */
export function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.at(-1) : value;
}
