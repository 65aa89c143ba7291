import { toResponse, type Exchange } from '../../http/index.ts';
import { apiHeaders } from '../headers.ts';
import { hintForVersion3 } from './hints.ts';

/** Version 3 is gone: 410, the way to version 4, and a hint where the call changed. */
export function answerVersion3(exchange: Exchange): Response {
  const path = exchange.path.slice('/api/v3'.length);
  const hint = hintForVersion3(exchange.request.method, path);
  return toResponse(exchange, {
    status: 410,
    headers: { ...apiHeaders(exchange), link: `</api/v4${path.replace(/[^!-;=?-~]/g, encodeURIComponent)}>; rel="successor-version"` },
    body: JSON.stringify({ error: 'API V3 is no longer supported. Use API V4 instead.', ...(hint !== undefined && { hint }) }),
  });
}
