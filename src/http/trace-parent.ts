import proxyAddr from 'proxy-addr';
import type { TraceParent } from '../observability/index.ts';
import type { Exchange } from './exchange.ts';

/** Version 00, or a later one, of which no more than this is known. All zeros are no id. */
const wellFormed = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-|$)/;

/**
 * Reads `traceparent` where a trusted proxy sent it: a stranger who may name traces
 * could mix requests of others into theirs, and have everything traced.
 * @param trustedProxies addresses and ranges, as proxy-addr takes them
 */
export function traceParents(trustedProxies: readonly string[]): (exchange: Exchange) => TraceParent | undefined {
  const trusts = proxyAddr.compile([...trustedProxies]);
  return ({ connection }) => {
    const given = trusts(connection.peer, 0) ? connection.headers.traceparent : undefined;
    if (typeof given !== 'string') return undefined;
    const [, traceId, spanId, flags] = wellFormed.exec(given) ?? [];
    return traceId && spanId && flags ? { traceId, spanId, sampled: (parseInt(flags, 16) & 1) === 1 } : undefined;
  };
}
