import { withoutTokens } from '../../credential.ts';
import type { Moved } from '../../errors.ts';
import { toResponse, type Exchange } from '../../http/index.ts';
import { methodOfMoved } from './errors.ts';
import { apiHeaders } from './headers.ts';
import type { AnyRoute } from './route.ts';

/**
 * Redirects (301) from a former path of a project to its number, if the viewer may see it. Methods except GET get 405.
 * @returns undefined if a parameter, not the address, contains the former path
 */
export function answerMoved(
  exchange: Exchange,
  baseUrl: string,
  route: AnyRoute,
  { id, formerPath }: Moved,
): Response | undefined {
  const segments = exchange.path.split('/');
  const at = route.path
    .split('/')
    .findIndex((name, index) => name.startsWith(':') && isPath(segments[index]!, formerPath));
  if (at < 0) return undefined;
  const { method } = exchange.request;
  if (method !== 'GET' && method !== 'HEAD') {
    return toResponse(exchange, {
      ...methodOfMoved,
      headers: apiHeaders(exchange),
      body: JSON.stringify(methodOfMoved.body),
    });
  }
  segments[at] = String(id);
  const query = withoutTokens(exchange.query);
  const location = `${baseUrl}${segments.join('/')}${query && `?${query}`}`;
  return toResponse(exchange, {
    status: 301,
    headers: { ...apiHeaders(exchange), 'content-type': 'text/plain', location },
    body: `This resource has been moved permanently to ${location}`,
  });
}

const isPath = (segment: string, path: string) => decodeURIComponent(segment).toLowerCase() === path;
