import { Unavailable } from '../../errors.ts';
import type { Exchange } from '../../http/index.ts';
import { dialectHeaders, errorResponse } from './errors.ts';
import type { AnyRoute, Dialect } from './route.ts';
import { routes } from '../routes.ts';
import { sendErrorResponse } from './shim.ts';

/** Dialects by exact path. This works because OAuth's paths have no parameters. */
const dialects = new Map<string, Dialect>(
  routes
    .filter(({ path }: AnyRoute) => path.startsWith('/oauth/'))
    .map(({ path, dialect }: AnyRoute) => [path, dialect]),
);

/** Load shedding: answers 503 before the request is read. */
export function restUnavailable(exchange: Exchange): Response {
  const dialect = dialects.get(exchange.path) ?? 'version 4';
  const response = errorResponse(dialect, new Unavailable())!;
  return sendErrorResponse(exchange, { ...response, headers: { ...dialectHeaders[dialect], ...response.headers } });
}
