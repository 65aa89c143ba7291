import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Exchange, ServerEvent } from '../../http/index.ts';

/** What runs, as it goes on: server-sent events, each with all that the page shows of it. */

export interface Seen {
  /** Another text when there is something else to show. */
  readonly state: string;
  /** Whether more may come. */
  readonly running: boolean;
  /** Null: nothing that the viewer may see. */
  readonly html: (() => string) | null;
}

/** Milliseconds between two looks, and after which a page begins again. */
const interval = 1_000;
const longest = 600_000;

/** Most pages of this process that watch something at once; further ones load again by hand. */
const most = 100;
let watching = 0;

/** @param read is called about once a second, with the rights of the viewer at that time */
export function live(exchange: Exchange, read: () => Promise<Seen>): Answer {
  if (watching >= most) return { status: 204, headers: {}, body: null };
  return {
    status: 200,
    headers: { 'x-frame-options': 'DENY' },
    body: null,
    events: events(exchange.request.signal, read),
  };
}

async function* events(signal: AbortSignal, read: () => Promise<Seen>): AsyncGenerator<ServerEvent> {
  watching++;
  try {
    const until = performance.now() + longest;
    let before = '';
    while (!signal.aborted && performance.now() < until) {
      const { state, running, html } = await read();
      if (state !== before && html) yield { event: 'content', data: { html: html() } };
      before = state;
      if (!running) return yield { event: 'end' };
      await pause(interval, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    watching--;
  }
}
