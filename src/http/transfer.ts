import type { OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { Response } from '@whatwg-node/fetch';
import { commonHeaders } from './answer.ts';
import type { Exchange } from './exchange.ts';

/**
 * A request whose body and answer are streams of any length, at the pace of the client: git's. It may take as long as it
 * moves. Its door has `streams`, so it is called before the body arrived.
 */

/** Milliseconds in which a client must send or read something, when it is its turn. */
const patience = 60_000;

/** How far a transfer got, and when that was last seen to change. */
interface Progress {
  bytes: number;
  since: number;
}

const begun = new WeakMap<Exchange, Progress>();

/** Whether an exchange has become a transfer: no timeout of requests ends it. */
export const isTransfer = (exchange: Exchange): boolean => begun.has(exchange);

/** Makes an exchange a transfer. @returns its body, and a signal for the end of the connection */
export function beginTransfer(exchange: Exchange): { body: Readable | null; signal: AbortSignal } {
  begun.set(exchange, { bytes: exchange.connection.bytes, since: performance.now() });
  return { body: exchange.connection.body as Readable | null, signal: exchange.request.signal };
}

/** Most bytes of a body that are read for an answer that doesn't need them. */
const mostDropped = 134_217_728;

/**
 * Reads the rest of a body, up to a bound, and drops it. An answer before its end closes the connection, and many clients
 * read no answer before they have sent all: they would see only that the connection broke.
 */
export function dropBody(exchange: Exchange): Promise<void> {
  const { body } = beginTransfer(exchange);
  if (!body || body.readableEnded || body.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let dropped = 0;
    body.on('data', (piece: Buffer) => {
      dropped += piece.length;
      if (dropped > mostDropped) resolve();
    });
    // A client that disconnects causes an error, or only a close.
    for (const event of ['end', 'error', 'close']) body.once(event, () => resolve());
    body.resume();
  });
}

/** Disconnects a client that is to send or to read, and has done neither for a minute. Called now and then. */
export function watchTransfer(exchange: Exchange, now: number): void {
  const progress = begun.get(exchange)!;
  const { bytes, waitsForClient } = exchange.connection;
  if (bytes !== progress.bytes || !waitsForClient) Object.assign(progress, { bytes, since: now });
  else if (now - progress.since > patience) exchange.connection.destroy();
}

/**
 * An answer as a stream. If the stream fails, the connection ends without the last chunk, so that the client knows.
 * @param report is called with the error of the stream
 */
export function streamed(
  exchange: Exchange,
  { status, headers, body }: { status: number; headers: OutgoingHttpHeaders; body: Readable },
  report: (error: Error) => void,
): Response {
  body.once('error', (error) => {
    report(error);
    exchange.connection.destroy();
  });
  // The adapter destroys a stream that it has begun to send, but a client may disconnect before that.
  const { signal } = exchange.request;
  if (signal.aborted) body.destroy();
  else signal.addEventListener('abort', () => body.destroy());
  return new Response(body as never, {
    status,
    headers: { ...(commonHeaders(exchange) as Record<string, string>), ...(headers as Record<string, string>) },
  });
}
