import { hash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { Response } from '@whatwg-node/fetch';
import type { ServerEvent } from './event-stream.ts';
import type { Exchange } from './exchange.ts';
import { hasBody } from './body.ts';

/** The answer of a door, before it becomes a `Response`. */
export interface Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  /** Null: no body, and no content type but for HEAD. */
  readonly body: string | Buffer | null;
  /** What is sent instead of a body. */
  readonly stream?: Readable;
  /** Server-sent events instead of a body. */
  readonly events?: AsyncIterable<ServerEvent>;
}

/** Headers of every answer of the gateway, from any door. */
export function commonHeaders(exchange: Exchange): OutgoingHttpHeaders {
  const headers = {
    'x-request-id': exchange.id,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
  };
  // Not a spread: the result would be a slower dictionary-mode object.
  return Object.assign(headers, exchange.headers);
}

/** A weak validator of a body (RFC 9110 §8.8.1): the same bytes, the same tag. */
export function entityTag(body: string | Buffer): string {
  return `W/"${hash('sha256', body, 'base64url').slice(0, 27)}"`;
}

/** Whether `If-None-Match` matches the tag (RFC 9110 §13.1.2): weak comparison; a list or `*`. */
export function matches(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = (value: string) => value.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((candidate) => opaque(candidate) === opaque(tag));
}

/** The answer as a response; HEAD gets everything but the body. */
export function toResponse(exchange: Exchange, { status, headers, body }: Answer): Response {
  return new Response(exchange.request.method === 'HEAD' ? null : (body as BodyInit | null), {
    status,
    headers: complete(exchange, status, headers, body),
  });
}

const nothing: ReadonlySet<string> = new Set();
/** Headers to omit when there is no content. */
const contentType: ReadonlySet<string> = new Set(['content-type']);
/** Headers that a 304 omits: the cache keeps them with the content (RFC 9110 §15.4.5). */
const aboutContent: ReadonlySet<string> = new Set([
  'content-type',
  'content-security-policy',
  'nel',
  'referrer-policy',
  'x-content-type-options',
  'x-frame-options',
]);

/**
 * All headers of an answer. Copied one by one: a spread of several objects makes a dictionary-mode object, which is
 * slower to iterate.
 */
function complete(
  exchange: Exchange,
  status: number,
  headers: OutgoingHttpHeaders,
  body: Answer['body'],
): Record<string, string> {
  const all: OutgoingHttpHeaders = {};
  const common = commonHeaders(exchange);
  // HEAD has the headers of GET (RFC 9110 §9.3.2), also where a stream isn't opened for it.
  const isHead = exchange.request.method === 'HEAD';
  const isEmpty = body === null && !isHead;
  const leftOut = status === 304 ? aboutContent : isEmpty ? contentType : nothing;
  for (const name in common) if (headers[name] === undefined && !leftOut.has(name)) all[name] = common[name]!;
  for (const name in headers) if (!leftOut.has(name)) all[name] = headers[name]!;
  if (body !== null) all['content-length'] = String(Buffer.byteLength(body));
  // A 204 or 304 has no content and no `Content-Length` (RFC 9110 §8.6). Of a stream that isn't opened, none is known.
  else if (status !== 204 && status !== 304 && !isHead) all['content-length'] ??= '0';
  // Close the connection: the rest of an unread body would be read as the next request.
  if (hasBody(exchange) && !exchange.connection.isComplete) all.connection = 'close';
  // Several cookies are an array, which the adapter passes to Node unchanged.
  return all as Record<string, string>;
}
