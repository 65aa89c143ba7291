import { toResponse, type Exchange } from '../../http/index.ts';
import { apiHeaders } from '../engine/headers.ts';
import { hintForVersion3, successorOf } from './hints.ts';

/** Answers a call of version 3: 410, a link to its successor in version 4, and a hint if the call changed. */
export function answerVersion3(exchange: Exchange): Response {
  const path = exchange.path.slice('/api/v3'.length);
  const { method } = exchange.request;
  const hint = hintForVersion3(method, path);
  const successor = `/api/v4${successorOf(method, path).replace(/[^!-;=?-~]/g, encodeURIComponent)}`;
  return toResponse(exchange, {
    status: 410,
    headers: { ...apiHeaders(exchange), link: `<${successor}>; rel="successor-version"` },
    body: JSON.stringify({
      error: 'API V3 is no longer supported. Use API V4 instead.',
      ...(hint !== undefined && { hint }),
    }),
  });
}
