import type { Socket } from 'node:net';
import type pg from 'pg';

/** What pg keeps on a client and leaves out of its types. */
interface Internals {
  readonly connection: { readonly stream: Socket };
  _getActiveQuery(): { readonly name?: string } | null;
}

/**
 * Ends a connection on which a statement gets no answer though PostgreSQL would have
 * ended it by now: the server hangs, or the network between has forgotten the
 * connection. Without this the pool would keep it for a quarter of an hour, as TCP does.
 * @param milliseconds longer than any statement may run
 * @param exempt name of the one that may wait for ever
 * @param onSilence is told before
 */
export function endWhenSilent(
  client: pg.PoolClient,
  milliseconds: number,
  exempt: string,
  onSilence: () => void,
): void {
  const internals = client as unknown as Internals;
  const { stream } = internals.connection;
  stream.setTimeout(milliseconds, () => {
    const waiting = internals._getActiveQuery();
    if (!waiting || waiting.name === exempt) return;
    onSilence();
    stream.destroy();
  });
}
