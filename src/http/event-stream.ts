import { Readable } from 'node:stream';
import type { OutgoingHttpHeaders } from 'node:http';
import { Response } from '@whatwg-node/fetch';
import type { Exchange } from './exchange.ts';

/** An event of a stream (HTML §9.2). What has no data ends the thing that it speaks of. */
export interface ServerEvent {
  readonly event: string;
  /** Sent as JSON, which has no line breaks. */
  readonly data?: unknown;
}

/** Milliseconds between two comments that keep the connection open: proxies close what is silent for longer than 15 seconds at the soonest. */
const heartbeat = 12_000;
/** Milliseconds for which a client may leave unread what it was sent. */
const readTimeout = 30_000;
const comment = ':\n\n';

const begun = new WeakSet<Exchange>();
/** Whether it is answered with events by now, which has no end of its own and isn't waited for. */
export const isStream = (exchange: Exchange): boolean => begun.has(exchange);

/**
 * Server-sent events as a response, until there are no more or the client disconnects. Backpressure: only one
 * event at a time waits for a client that reads slowly, and one that doesn't read for 30 seconds is cut off.
 * @param leave is called when the client has left, maybe before the first event
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

  /** Waits until the client has read what was written, and cuts it off if it doesn't. */
  async function read(): Promise<void> {
    const cut = setTimeout(() => exchange.connection.destroy(), readTimeout);
    await new Promise<void>((resolve) => (wanted = resolve));
    wanted = undefined;
    clearTimeout(cut);
  }

  async function write(): Promise<void> {
    // Some clients take an answer as begun only with its first byte.
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
  // The adapter destroys what it has begun to send; a client may disconnect before that.
  const { signal } = exchange.request;
  if (signal.aborted) stream.destroy();
  else signal.addEventListener('abort', () => stream.destroy());
  return new Response(stream as never, {
    status: 200,
    headers: {
      ...(headers as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // nginx would gather what is small.
      'x-accel-buffering': 'no',
    },
  });
}
