import { createHash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import type { Exchange } from './exchange.ts';
import { hasBody } from './parameters.ts';

/** What a door answers. */
export interface Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  /** Null: none, and no content type either. */
  readonly body: string | Buffer | null;
}

/** On every answer of the gateway, whichever door it comes from. */
export function commonHeaders(exchange: Exchange): OutgoingHttpHeaders {
  return {
    'x-request-id': exchange.id,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    ...exchange.headers,
  };
}

/** A weak validator of a body (RFC 9110 §8.8.1): the same bytes, the same tag. */
export function entityTag(body: string | Buffer): string {
  return `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
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
  const { 'content-type': type, ...others } = headers;
  response.writeHead(status, {
    ...commonHeaders(exchange),
    ...others,
    ...(body === null ? withoutContent(status) : { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
    // What is left of an unread body would be taken for the next request.
    ...(hasBody(request) && !request.complete ? { connection: 'close' } : {}),
  });
  response.end(request.method === 'HEAD' || body === null ? undefined : body);
}

/** A 204 and a 304 have no content, and so no length of it (RFC 9110 §8.6). */
function withoutContent(status: number): OutgoingHttpHeaders {
  return status === 204 || status === 304 ? {} : { 'content-length': 0 };
}
