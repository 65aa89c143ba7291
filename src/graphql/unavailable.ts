import { Unavailable } from '../errors.ts';
import { toResponse, type Exchange } from '../http/index.ts';
import { toGraphQLError } from './errors.ts';

const body = JSON.stringify({ errors: [toGraphQLError(new Unavailable())] });

/** Answers that there is no time for a request, before it is read. */
export function graphqlUnavailable(exchange: Exchange): Response {
  return toResponse(exchange, {
    status: 503,
    headers: { 'content-type': 'application/json', 'retry-after': '1', 'access-control-allow-origin': '*' },
    body,
  });
}
