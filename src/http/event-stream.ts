import { Readable } from 'node:stream';
import type { OutgoingHttpHeaders } from 'node:http';
import { Response } from '@whatwg-node/fetch';
import type { Exchange } from './exchange.ts';

/** A server-sent event (HTML §9.2). */
export interface ServerEvent {
  readonly event: string;
  /** Sent as JSON, which has no line breaks. */
  readonly data?: unknown;
}

/**
 * Milliseconds between two heartbeat comments. They keep the connection open: proxies close silent ones, none sooner
 * than after 15 seconds.
 */
const heartbeat = 12_000;
/** Milliseconds that a client has to read what was sent. */
const readTimeout = 30_000;
const comment = ':\n\n';

const begun = new WeakSet<Exchange>();
/** Whether the answer of an exchange is an event stream: it has no end of its own, so nothing waits for it. */
export const isStream = (exchange: Exchange): boolean => begun.has(exchange);

/**
 * A response of server-sent events. It ends with the events or when the client disconnects. Backpressure: at most one
 * event waits for a slow client, and a client that doesn't read for 30 seconds is disconnected.
 * @param leave called when the stream has ended, perhaps before the first event
 */
export function eventStream(
  exchange: Exchange,
  headers: OutgoingHttpHeaders,
  events: AsyncIterable<ServerEvent>,
  leave: () => void,
): Response {
  begun.add(exchange);
  let wanted: (() => void) | undefined;
  let ended = false;
  const stream = new Readable({
    highWaterMark: 1,
    read: () => wanted?.(),
    destroy(error, done) {
      ended = true;
      clearInterval(beat);
      wanted?.();
      leave();
      done(error);
    },
  });
  const beat = setInterval(() => stream.readableLength > 0 || stream.push(comment), heartbeat);

  /** Waits until the client has read what was written; disconnects a client that doesn't. */
  async function read(): Promise<void> {
    const cut = setTimeout(() => exchange.connection.destroy(), readTimeout);
    await new Promise<void>((resolve) => (wanted = resolve));
    wanted = undefined;
    clearTimeout(cut);
  }

  async function write(): Promise<void> {
    // Send a byte at once: some clients consider a response started only with its first byte.
    stream.push(comment);
    for await (const { event, data } of events) {
      if (ended) return;
      if (!stream.push(`event: ${event}\ndata:${data === undefined ? '' : ` ${JSON.stringify(data)}`}\n\n`))
        await read();
      if (ended) return;
    }
    clearInterval(beat);
    stream.push(null);
  }

  write().catch((error: Error) => stream.destroy(error));
  // The adapter destroys a stream that it has begun to send, but a client may disconnect before that.
  const { signal } = exchange.request;
  if (signal.aborted) stream.destroy();
  else signal.addEventListener('abort', () => stream.destroy());
  return new Response(stream as never, {
    status: 200,
    headers: {
      ...(headers as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // Without this, nginx buffers small events.
      'x-accel-buffering': 'no',
    },
  });
}
