import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from '../observability/index.ts';
import { isAmbiguous } from './ambiguous.ts';
import { exchanges, type Exchange } from './exchange.ts';
import { send } from './answer.ts';

/** Handles the requests below some prefixes. Answers itself, also what goes wrong. */
export type Door = (exchange: Exchange) => void | Promise<void>;

export interface HttpServerOptions {
  readonly host: string;
  readonly port: number;
  readonly trustedProxies: readonly string[];
  readonly accessLog: boolean;
  readonly log: Log;
  /** Picks the door of a path. */
  readonly door: (path: string) => Door;
}

export interface HttpServer {
  readonly port: number;
  /**
   * Takes no new connections, lets requests under way finish and closes the rest.
   * @param timeout milliseconds until what is still open is cut
   */
  drain(timeout: number): Promise<void>;
}

/** Milliseconds a client may take for its headers, and for its whole request. */
const headersTimeout = 10_000;
const requestTimeout = 30_000;

/** Starts to listen. @throws the system's error, as EADDRINUSE */
export async function listen(options: HttpServerOptions): Promise<HttpServer> {
  const toExchange = exchanges(options.trustedProxies);
  let draining = false;

  const server: Server = createServer({ headersTimeout, requestTimeout, keepAliveTimeout: 60_000 }, (request, response) => {
    if (isAmbiguous(request)) return void response.writeHead(400, { connection: 'close' }).end();
    const exchange = toExchange(request, response);
    if (draining) response.setHeader('connection', 'close');
    // A connection that was busy when the drain began is idle only now.
    response.on('close', () => {
      if (draining) setImmediate(() => server.closeIdleConnections());
    });
    if (options.accessLog) response.on('close', () => logAccess(options.log, exchange));
    void handle(options.door(exchange.path), exchange, options.log);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Not HTTP, too slow, or headers too large: there is no request to answer in a dialect.
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const status = { HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large', ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout' }[
      error.code ?? ''
    ];
    socket.end(`HTTP/1.1 ${status ?? '400 Bad Request'}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    async drain(timeout) {
      draining = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const cut = setTimeout(() => server.closeAllConnections(), timeout);
      await closed;
      clearTimeout(cut);
    },
  };
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

function logAccess(log: Log, exchange: Exchange): void {
  const { request, response, notes } = exchange;
  log.info(
    {
      requestId: exchange.id,
      address: exchange.address,
      method: request.method,
      // Never the query: it may carry a token.
      path: exchange.path,
      status: response.headersSent ? response.statusCode : 0,
      milliseconds: Math.round((performance.now() - exchange.startedAt) * 10) / 10,
      ...notes,
    },
    'request',
  );
}

/** A header's value where a client sent it once; of repeated ones, the last. */
export function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.at(-1) : value;
}
