import { listen, type Door, type HttpServer, type HttpServerOptions } from '../../../src/http/index.ts';

/** Starts the gateway's HTTP server with one door, on a free port of the loopback. */
export async function listenBefore(
  door: Door,
  options: Pick<HttpServerOptions, 'log'> & Partial<HttpServerOptions>,
): Promise<HttpServer & { readonly url: string }> {
  const server = await listen({
    host: '127.0.0.1',
    port: 0,
    trustedProxies: [],
    accessLog: undefined,
    requestTimeout: 30_000,
    bodyTimeout: 30_000,
    arrivals: { bodies: 1_000, bodiesPerAddress: 100 },
    overload: { requests: 1_000, eventLoopDelay: 0 },
    door: () => door,
    monitoring: { serves: () => false, open: door },
    refuse: door,
    ...options,
  });
  return { ...server, url: `http://127.0.0.1:${server.port}` };
}
