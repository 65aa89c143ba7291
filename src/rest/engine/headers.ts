import type { OutgoingHttpHeaders } from 'node:http';
import { header, type Exchange } from '../../http/index.ts';

/** CORS: the response headers that pages of other origins may read. */
const exposed = [
  'Link',
  'X-Total',
  'X-Total-Pages',
  'X-Per-Page',
  'X-Page',
  'X-Next-Page',
  'X-Prev-Page',
  'X-Gitlab-Blob-Id',
  'X-Gitlab-Commit-Id',
  'X-Gitlab-Content-Sha256',
  'X-Gitlab-Encoding',
  'X-Gitlab-File-Name',
  'X-Gitlab-File-Path',
  'X-Gitlab-Last-Commit-Id',
  'X-Gitlab-Ref',
  'X-Gitlab-Size',
  'X-Request-Id',
  'X-Causeway-Hint',
  'ETag',
  'Retry-After',
].join(', ');

/** The headers of every answer below `/api` and `/oauth`. */
export function apiHeaders(exchange: Exchange): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {
    'content-type': 'application/json',
    'cache-control': 'max-age=0, private, must-revalidate',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-frame-options': 'SAMEORIGIN',
    'x-gitlab-meta': `{"correlation_id":"${exchange.id}","version":"1"}`,
    'x-runtime': ((performance.now() - exchange.startedAt) / 1000).toFixed(6),
    nel: '{"max_age": 0}',
    vary: 'Origin',
  };
  if (header(exchange, 'origin') !== undefined) {
    headers['access-control-allow-origin'] = '*';
    headers['access-control-expose-headers'] = exposed;
  }
  return headers;
}

/** The headers of the answer to a CORS preflight. */
export function preflightHeaders(exchange: Exchange, allow: string): OutgoingHttpHeaders {
  return {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': allow,
    'access-control-allow-headers': header(exchange, 'access-control-request-headers') ?? '',
    'access-control-max-age': '7200',
    vary: 'Origin, Access-Control-Request-Headers',
  };
}
