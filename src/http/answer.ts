import { hash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { Response } from '@whatwg-node/fetch';
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

/** The answer as a response; HEAD gets everything but the body. */
export function toResponse(exchange: Exchange, { status, headers, body }: Answer): Response {
  return new Response(exchange.request.method === 'HEAD' ? null : (body as BodyInit | null), {
    status,
    headers: complete(exchange, status, headers, body),
  });
}

const nothing: ReadonlySet<string> = new Set();
/** Without content there is no type of it. */
const contentType: ReadonlySet<string> = new Set(['content-type']);
/** Headers that a 304 leaves out: a cache keeps them with the content (RFC 9110 §15.4.5). */
const aboutContent: ReadonlySet<string> = new Set([
  'content-type',
  'content-security-policy',
  'nel',
  'referrer-policy',
  'x-content-type-options',
  'x-frame-options',
]);

/** All headers of an answer. Copied one by one: a spread of several objects makes a dictionary, which is slower to walk. */
function complete(
  exchange: Exchange,
  status: number,
  headers: OutgoingHttpHeaders,
  body: Answer['body'],
): Record<string, string> {
  const all: OutgoingHttpHeaders = {};
  const common = commonHeaders(exchange);
  const leftOut = status === 304 ? aboutContent : body === null ? contentType : nothing;
  for (const name in common) if (headers[name] === undefined && !leftOut.has(name)) all[name] = common[name]!;
  for (const name in headers) if (!leftOut.has(name)) all[name] = headers[name]!;
  if (body !== null) all['content-length'] = String(Buffer.byteLength(body));
  // A 204 and a 304 have no content, and so no length of it (RFC 9110 §8.6).
  else if (status !== 204 && status !== 304) all['content-length'] = '0';
  // What is left of an unread body would be taken for the next request.
  if (hasBody(exchange) && !exchange.connection.isComplete) all.connection = 'close';
  // Several cookies are a list, which the adapter hands to Node as it is.
  return all as Record<string, string>;
}
