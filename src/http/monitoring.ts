import proxyAddr from 'proxy-addr';
import type { Exposition } from '../observability/index.ts';
import { toResponse, type Answer } from './answer.ts';
import type { Exchange } from './exchange.ts';

/** The readiness checks by name: null for a passed one, otherwise the problem in plain words. */
export type Readiness = Readonly<Record<string, string | null>>;

export interface MonitoringOptions {
  /** Addresses and ranges, in proxy-addr's syntax, that may see details and metrics. */
  readonly addresses: readonly string[];
  /** Never blocks, even if the database hangs. */
  readonly readiness: () => Promise<Readiness>;
  /** All metrics in Prometheus's format; undefined if they aren't available now. */
  readonly metrics: () => Promise<Exposition | undefined>;
}

const plain = 'text/plain; charset=utf-8';
const answer = (status: number, type: string, body: string): Answer => ({
  status,
  headers: { 'content-type': type, 'cache-control': 'no-store' },
  body,
});
const json = (status: number, body: object) => answer(status, 'application/json', JSON.stringify(body));

const nothingHere = answer(404, plain, 'Not Found\n');

type Monitor = (exchange: Exchange) => Answer | Promise<Answer>;

/**
 * The door for monitoring, with the paths and answers of GitLab's health checks. It needs no credential and works
 * under load. Addresses that aren't allowed see only a status.
 */
export function monitoringDoor({ addresses, readiness, metrics }: MonitoringOptions): {
  serves(path: string): boolean;
  open(exchange: Exchange): Promise<Response>;
} {
  const isInside = proxyAddr.compile([...addresses]);
  /**
   * Whether the client may see details. A request through untrusted proxies is never allowed: it may come from
   * anywhere, and its address is the last proxy's.
   */
  const seesMore = ({ address, connection: { peer, headers } }: Exchange) =>
    isInside(address, 0) && (address !== peer || (headers['x-forwarded-for'] ?? headers.forwarded) === undefined);

  const paths = new Map<string, Monitor>([
    ['/-/health', () => answer(200, plain, 'Causeway OK')],
    ['/-/liveness', () => json(200, { status: 'ok' })],
    [
      '/-/readiness',
      async (exchange) => {
        const found = Object.entries(await readiness());
        const well = found.every(([, problem]) => problem === null);
        const checks = found.map(([name, problem]) => [
          `${name}_check`,
          [problem === null ? { status: 'ok' } : { status: 'failed', message: problem }],
        ]);
        return json(well ? 200 : 503, {
          status: well ? 'ok' : 'failed',
          ...(seesMore(exchange) && Object.fromEntries(checks)),
        });
      },
    ],
  ]);

  paths.set('/-/metrics', async (exchange) => {
    if (!seesMore(exchange)) return nothingHere;
    const found = await metrics();
    return found
      ? answer(200, found.contentType, found.text)
      : answer(503, plain, 'The process that watches over the workers doesn’t answer.\n');
  });

  return {
    serves: (path) => paths.has(path),
    async open(exchange) {
      const { method } = exchange.request;
      exchange.notes.route = exchange.path;
      if (method !== 'GET' && method !== 'HEAD')
        return toResponse(exchange, {
          ...answer(405, plain, 'Method Not Allowed\n'),
          headers: { 'content-type': plain, allow: 'GET, HEAD' },
        });
      return toResponse(exchange, (await paths.get(exchange.path)?.(exchange)) ?? nothingHere);
    },
  };
}
