import proxyAddr from 'proxy-addr';
import type { TraceParent } from '../observability/index.ts';
import type { Exchange } from './exchange.ts';

/** `traceparent` of version 00, or the same fields of a later version. Ids of only zeros are invalid. */
const wellFormed = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-|$)/;

/**
 * Reads the header `traceparent`, from trusted proxies only: others could mix requests into their trace, and have
 * every request traced.
 * @param trustedProxies addresses and ranges, in proxy-addr's syntax
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
