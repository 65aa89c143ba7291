import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterFile } from '../../support/run/after-file.ts';

/** An older instance, written by hand: its records lack what version 13.12 lacked, and it answers as badly as told. */
export interface Older {
  readonly url: string;
  readonly token: string;
  /** Paths with query, in the order of the requests. */
  readonly asked: string[];
  /** Answers by path without query; a list is paged by two. */
  readonly answers: Map<string, unknown>;
  /** Answers a request itself, and returns true, or leaves it. */
  interferes: (request: IncomingMessage, response: ServerResponse, path: string) => boolean;
}

const perPage = 2;

export async function olderInstance(): Promise<Older> {
  const older: Older = {
    url: '',
    token: 'glpat-of-an-administrator',
    asked: [],
    answers: new Map<string, unknown>([['/user', { id: 1, username: 'root', is_admin: true }]]),
    interferes: () => false,
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://older');
    const path = pathname.replace('/api/v4', '');
    older.asked.push(request.url!.replace('/api/v4', ''));
    if (older.interferes(request, response, path)) return;
    response.setHeader('content-type', 'application/json');
    if (request.headers['private-token'] !== older.token) return void response.writeHead(401).end('{}');
    const answer = older.answers.get(path);
    if (answer === undefined) return void response.writeHead(404).end('{"message":"404 Not Found"}');
    if (!Array.isArray(answer)) return void response.end(JSON.stringify(answer));
    const page = Number(searchParams.get('page') ?? 1);
    const next = page * perPage < answer.length ? String(page + 1) : '';
    response.setHeader('x-next-page', next);
    response.setHeader('x-total', String(answer.length));
    response.end(JSON.stringify(answer.slice((page - 1) * perPage, page * perPage)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterFile(() => new Promise<unknown>((resolve) => server.close(resolve).closeAllConnections()));
  return Object.assign(older, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}
