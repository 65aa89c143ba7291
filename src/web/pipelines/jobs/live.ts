import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Exchange, ServerEvent } from '../../../http/index.ts';
import { logHtml } from './log.ts';
import type { ShownLog } from './view.tsx';

/** The log of a running job, as it grows: server-sent events, each with all lines that the page shows. */

interface Seen {
  readonly status: string;
  readonly running: boolean;
  readonly log: ShownLog | null;
}

/** Milliseconds between two looks, and after which a page begins anew. */
const interval = 1_000;
const longest = 600_000;

/** Most pages of this process that watch a log at once; further ones load again by hand. */
const most = 100;
let watching = 0;

/** @param read is called about once a second, with the rights of the viewer at that time */
export function liveLog(exchange: Exchange, read: () => Promise<Seen>): Answer {
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
      const { status, running, log } = await read();
      const now = `${status} ${log?.size}`;
      if (now !== before && log) yield { event: 'log', data: { html: logHtml(log.text) } };
      before = now;
      if (!running) return yield { event: 'end' };
      await pause(interval, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    watching--;
  }
}
