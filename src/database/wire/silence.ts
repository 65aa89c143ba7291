import type { Socket } from 'node:net';
import type pg from 'pg';

/** Members of pg's client that its types omit. */
interface Internals {
  readonly connection: { readonly stream: Socket };
  _getActiveQuery(): { readonly name?: string } | null;
}

/**
 * Closes a connection on which a statement gets no answer for longer than PostgreSQL's own timeout: the server hangs,
 * or the network dropped the connection. Otherwise the pool would keep it for a quarter of an hour, until TCP times
 * out.
 * @param milliseconds longer than any statement may run
 * @param exempt name of the statement that may wait without limit
 * @param onSilence called before closing
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
