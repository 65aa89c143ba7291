import { Unavailable } from '../../errors.ts';
import type { Exchange } from '../../http/index.ts';
import { dialectHeaders, errorResponse } from './errors.ts';
import type { AnyRoute, Dialect } from './route.ts';
import { routes } from '../routes.ts';
import { sendErrorResponse } from './shim.ts';

/** The paths of OAuth have nothing in them that varies, so they name their dialects. */
const dialects = new Map<string, Dialect>(
  routes
    .filter(({ path }: AnyRoute) => path.startsWith('/oauth/'))
    .map(({ path, dialect }: AnyRoute) => [path, dialect]),
);

/** Answers that there is no time for a request, before it is read. */
export function restUnavailable(exchange: Exchange): Response {
  const dialect = dialects.get(exchange.path) ?? 'version 4';
  const response = errorResponse(dialect, new Unavailable())!;
  return sendErrorResponse(exchange, { ...response, headers: { ...dialectHeaders[dialect], ...response.headers } });
}
