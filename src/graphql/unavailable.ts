import { Unavailable } from '../errors.ts';
import { toResponse, type Exchange } from '../http/index.ts';
import { toGraphQLError } from './errors.ts';

const body = JSON.stringify({ errors: [toGraphQLError(new Unavailable())] });

/** Answers 503 without reading the request: the gateway is overloaded. */
export function graphqlUnavailable(exchange: Exchange): Response {
  return toResponse(exchange, {
    status: 503,
    headers: { 'content-type': 'application/json', 'retry-after': '1', 'access-control-allow-origin': '*' },
    body,
  });
}
