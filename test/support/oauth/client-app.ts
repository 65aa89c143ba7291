import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterFile } from '../run/after-file.ts';

/** A third-party application, on another site than the gateway. */
export interface ClientApp {
  readonly origin: string;
  /** Its redirect URI. */
  readonly redirectUri: string;
  /** The requests that it got, the latest last. */
  readonly requests: { readonly path: string; readonly referer: string | undefined }[];
  /** Its pages by path. */
  readonly pages: Map<string, (url: URL, request: IncomingMessage) => string | Promise<string> | { location: string }>;
}

/** Stops with the test file. */
export async function clientApp(): Promise<ClientApp> {
  const requests: ClientApp['requests'] = [];
  const pages: ClientApp['pages'] = new Map();
  const server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url!, 'http://localhost');
      const page = pages.get(url.pathname);
      if (url.pathname !== '/favicon.ico') requests.push({ path: request.url!, referer: request.headers.referer });
      const answer = page ? await page(url, request) : '';
      if (typeof answer === 'object') return response.writeHead(302, answer).end();
      response.writeHead(page ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' }).end(answer);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  afterFile(() => {
    server.closeAllConnections();
    server.close();
  });
  // The gateway is at 127.0.0.1, so to browsers this is another site, not only another port.
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return { origin, redirectUri: `${origin}/callback`, requests, pages };
}
