import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { afterAll } from 'vitest';
import type { Repository } from '../../../src/git/repository.ts';
import { advertise, receivePack, uploadPack, type PushPolicy, type Service } from '../../../src/git/transport/index.ts';

/** Accepts every push, and records what the hooks say. */
export function openPolicy(): PushPolicy & { readonly said: string[] } {
  const said: string[] = [];
  return {
    said,
    accept: async ({ changes }) => void said.push(...changes.map(({ ref }) => `accept ${ref}`)),
    prepared: async (changes) => void said.push(...changes.map(({ ref }) => `prepared ${ref}`)),
    committed: async (changes) => void said.push(...changes.map(({ ref }) => `committed ${ref}`)),
  };
}

/** The smallest door of git over HTTP: one repository, no rights. */
export async function serve(
  repository: Repository,
  policy: PushPolicy,
): Promise<{ url: string; errors: unknown[]; server: Server }> {
  const errors: unknown[] = [];
  const report = (error: unknown) => void errors.push(error);
  const server = createServer((request, response) => {
    const gone = new AbortController();
    response.once('close', () => gone.abort(new Error('the client is gone')));
    const url = new URL(request.url!, 'http://localhost');
    const protocol = request.headers['git-protocol'] as string | undefined;
    const how = { protocol, signal: gone.signal };
    const answer = async () => {
      if (url.pathname.endsWith('/info/refs')) {
        const service = url.searchParams.get('service') as Service;
        response.setHeader('content-type', `application/x-${service}-advertisement`);
        return await advertise(repository, service, how);
      }
      const service = url.pathname.split('/').at(-1) as Service;
      response.setHeader('content-type', `application/x-${service}-result`);
      const body = inflated(request);
      return service === 'git-upload-pack'
        ? await uploadPack(repository, body, how)
        : await receivePack(repository, body, { ...how, policy, report });
    };
    answer()
      .then((stream) => pipeline(stream, response))
      .catch((error: unknown) => {
        report(error);
        response.destroy();
      });
  });
  server.listen(0);
  await new Promise((resolve) => server.once('listening', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/r.git`, errors, server };
}

function inflated(request: IncomingMessage) {
  if (request.headers['content-encoding'] !== 'gzip') return request;
  const gunzip = createGunzip();
  pipeline(request, gunzip).catch(() => undefined);
  return gunzip;
}
