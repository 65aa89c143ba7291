import type { OutgoingHttpHeaders } from 'node:http';
import { domainError } from '../context.ts';
import { BadRequest, Busy, NotFound, RateLimited, TooLarge, Unavailable, type DomainError } from '../errors.ts';
import { reportDefect, toResponse, Unreadable, type Exchange } from '../http/index.ts';
import type { Log } from '../observability/index.ts';

/** Answers to runners (contract §9.4, §9.5). They stop at 403, go on after 404, and come again after 503. */

const headers: OutgoingHttpHeaders = { 'content-type': 'application/json', 'cache-control': 'no-store' };

/** @param body null for none */
export function answer(
  exchange: Exchange,
  status: number,
  body: object | null,
  own: OutgoingHttpHeaders = {},
): Response {
  // Drop what is left of the body: many clients read the answer only after sending all.
  exchange.connection.body?.resume();
  const text = body === null ? null : JSON.stringify(body);
  return toResponse(exchange, { status, headers: { ...headers, ...own }, body: text });
}

/** Not the token of a running job: the runner ends it. Only the runner that had it gets `status`. */
export const refused = (exchange: Exchange, status?: string): Response =>
  answer(exchange, 403, { message: '403 Forbidden' }, status === undefined ? {} : { 'job-status': status });

export const notAllowed = (exchange: Exchange, allow: string): Response =>
  answer(exchange, 405, { error: '405 Not Allowed' }, { allow });

/** Load shedding. */
export const runnerUnavailable = (exchange: Exchange): Response => failed(exchange, new Unavailable());

const later = (seconds: number) => ({ 'retry-after': String(seconds) });

function failed(exchange: Exchange, error: DomainError | Unreadable): Response {
  const { message } = error;
  if (error instanceof RateLimited) return answer(exchange, 429, { message }, later(error.retryAfter));
  if (error instanceof NotFound) return answer(exchange, 404, { message: '404 Not Found' });
  if (error instanceof TooLarge || (error instanceof Unreadable && error.status === 413))
    return answer(exchange, 413, { message: '413 Request Entity Too Large' });
  if (error instanceof Unreadable) return answer(exchange, error.status, { error: message });
  if (error instanceof BadRequest) return answer(exchange, 400, { message: `400 Bad request - ${message}` });
  if (error instanceof Busy) return answer(exchange, 503, { message }, later(error.retryAfter));
  if (error instanceof Unavailable) return answer(exchange, 503, { message: '503 Service Unavailable' }, later(1));
  return refused(exchange);
}

/** The answer for what an operation threw. */
export function answerFor(exchange: Exchange, log: Log, thrown: unknown): Response {
  const error = thrown instanceof Unreadable ? thrown : domainError(thrown);
  if (error) return failed(exchange, error);
  reportDefect(log, exchange, thrown);
  return answer(exchange, 500, { message: '500 Internal Server Error' });
}
