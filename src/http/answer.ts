import { hash } from 'node:crypto';
import type { OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http';
import type { Exchange } from './exchange.ts';
import { hasBody } from './body.ts';

/** What a door answers. */
export interface Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  /** Null: none, and no content type either. */
  readonly body: string | Buffer | null;
}

/** On every answer of the gateway, whichever door it comes from. */
export function commonHeaders(exchange: Exchange): OutgoingHttpHeaders {
  const headers = {
    'x-request-id': exchange.id,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
  };
  // Spread into the literal they would make a dictionary of it.
  return Object.assign(headers, exchange.headers);
}

/** A weak validator of a body (RFC 9110 §8.8.1): the same bytes, the same tag. */
export function entityTag(body: string | Buffer): string {
  return `W/"${hash('sha256', body, 'base64url').slice(0, 27)}"`;
}

/** RFC 9110 §13.1.2: weak comparison, a list, or any. */
export function matches(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = (value: string) => value.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((candidate) => opaque(candidate) === opaque(tag));
}

/** Writes the answer; HEAD gets everything but the body. */
export function send(exchange: Exchange, { status, headers, body }: Answer): void {
  const { request, response } = exchange;
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, listed(exchange, status, headers, body));
  response.end(request.method === 'HEAD' || body === null ? undefined : body);
}

const nothing: ReadonlySet<string> = new Set();
/** Without content there is no type of it. */
const contentType: ReadonlySet<string> = new Set(['content-type']);
/** What a cache keeps with the content that hasn't changed, and needn't be told again (RFC 9110 §15.4.5). */
const aboutContent: ReadonlySet<string> = new Set([
  'content-type', 'content-security-policy', 'nel', 'referrer-policy', 'x-content-type-options', 'x-frame-options',
]);

/**
 * All headers as one list of names and values. Spreading several objects into one makes
 * it a dictionary, which at so many headers is kilobytes of garbage a request.
 */
function listed(exchange: Exchange, status: number, headers: OutgoingHttpHeaders, body: Answer['body']): OutgoingHttpHeader[] {
  const list: OutgoingHttpHeader[] = [];
  const common = commonHeaders(exchange);
  const leftOut = status === 304 ? aboutContent : body === null ? contentType : nothing;
  for (const name in common) if (headers[name] === undefined && !leftOut.has(name)) list.push(name, common[name]!);
  for (const name in headers) if (!leftOut.has(name)) list.push(name, headers[name]!);
  if (body !== null) list.push('content-length', Buffer.byteLength(body));
  // A 204 and a 304 have no content, and so no length of it (RFC 9110 §8.6).
  else if (status !== 204 && status !== 304) list.push('content-length', 0);
  const { request } = exchange;
  // What is left of an unread body would be taken for the next request.
  if (hasBody(request) && !request.complete) list.push('connection', 'close');
  return list;
}
