import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { hashPassword, verifyPassword } from '../../src/auth/keys/crypto.ts';
import { password } from '../store.ts';
import { answer, digest, type Asked } from './by-hand.ts';
import { oauth } from './floor-oauth.ts';
import { pipelines } from './floor-pipelines.ts';
import { places } from './floor-places.ts';
import { planning } from './floor-planning.ts';
import { repository } from './floor-repository.ts';
import { reviews } from './floor-reviews.ts';
import { settings } from './floor-settings.ts';

/**
 * The floor: the cost of the same answers written by hand, with node:http and pg alone. One joined, prepared statement
 * per request, the same tables, the same bodies; no validation, no log, no errors beyond a wrong token.
 */

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const baseUrl = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** A hash to verify a password against, to measure that alone. */
const someHash = hashPassword(password);

const areas = [oauth, settings, places, repository, planning, reviews, pipelines];

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = request.url!;
  const secret = digest(
    (request.headers['private-token'] as string | undefined) ??
      request.headers.authorization?.slice('Bearer '.length) ??
      '',
  );
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  if (path === '/favicon.ico') return void response.writeHead(204).end();
  if (path === '/bare') return answer(response, 200, {});
  if (path === '/argon2') return answer(response, 200, { right: await verifyPassword(await someHash, password) });
  const asked: Asked = { pool, request, response, secret, url, path, baseUrl: baseUrl() };
  for (const area of areas) if (await area(asked)) return;
  answer(response, 404, { error: '404 Not Found' });
}

const server = createServer((request, response) => {
  handle(request, response).catch((error: unknown) => {
    console.error(error);
    answer(response, 500, {});
  });
});
server.listen(0, '127.0.0.1', () => console.log(`floor on ${baseUrl()}`));
process.on('SIGTERM', () => process.exit(0));
