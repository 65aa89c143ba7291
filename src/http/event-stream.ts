import { once } from 'node:events';
import type { OutgoingHttpHeaders } from 'node:http';
import type { Exchange } from './exchange.ts';

/** An event of a stream (HTML §9.2). What has no data ends the thing that it speaks of. */
export interface ServerEvent {
  readonly event: string;
  /** Told as JSON, which has no line breaks. */
  readonly data?: unknown;
}

/** Milliseconds between two signs of life: proxies close what is silent for longer than 15 seconds at the soonest. */
const heartbeat = 12_000;
/** Milliseconds for which a client may leave unread what it was sent. */
const patience = 30_000;
const comment = ':\n\n';

const begun = new WeakSet<Exchange>();
/** Whether it is answered with events by now, which has no end of its own and isn't waited for. */
export const isStream = (exchange: Exchange): boolean => begun.has(exchange);

/**
 * Answers with events until there are no more, or the client leaves. Only one
 * event at a time waits for a client that reads slowly.
 * @param leave is called when the client has left, maybe before the first event
 */
export async function sendEvents(
  exchange: Exchange,
  headers: OutgoingHttpHeaders,
  events: AsyncIterable<ServerEvent>,
  leave: () => void,
): Promise<void> {
  const { response } = exchange;
  response.on('close', leave);
  if (response.destroyed) return leave();
  begun.add(exchange);
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // nginx would gather what is small.
    'x-accel-buffering': 'no',
  });
  // Some clients take an answer as begun only with its first byte.
  response.write(comment);
  const beat = setInterval(() => response.writableNeedDrain || response.write(comment), heartbeat);
  try {
    for await (const { event, data } of events) {
      if (!response.write(`event: ${event}\ndata:${data === undefined ? '' : ` ${JSON.stringify(data)}`}\n\n`)) await read(response);
      if (response.destroyed) return;
    }
    response.end();
  } finally {
    clearInterval(beat);
    leave();
  }
}

/** Waits until the client has read what was written, and cuts it off if it doesn't. */
async function read(response: Exchange['response']): Promise<void> {
  const waiting = new AbortController();
  const cut = setTimeout(() => response.destroy(), patience);
  try {
    await Promise.race([once(response, 'drain', waiting), once(response, 'close', waiting)]);
  } catch {
    // Broken, which is as good as closed.
  } finally {
    clearTimeout(cut);
    waiting.abort();
  }
}
