import { getOperationAST, type FieldNode, type GraphQLSchema } from 'graphql';
import createRouter from 'find-my-way';
import type { Application } from '../../context.ts';
import { compileOperation, type Operation } from '../../operation.ts';
import { header, toResponse, type Door, type Exchange, type Parameters } from '../../http/index.ts';
import type { Limits } from '../../limits/index.ts';
import type { Log } from '../../observability/index.ts';
import { unsupportedFormat, wrongMethod } from './errors.ts';
import { answerVersion3 } from '../version-3/answer.ts';
import { preflightHeaders } from './headers.ts';
import { parametersOf } from './parameters.ts';
import { routes } from '../routes.ts';
import type { AnyRoute, CompiledRoute } from './route.ts';
import { runRoute, sendErrorResponse, sendUnknown } from './shim.ts';
import { removedParameters } from '../version-3/hints.ts';

/**
 * Compiles all routes against the schema. The build runs this, so an operation that doesn't fit the schema fails the
 * build. A gateway compiles each route on its first request.
 */
export function compileRoutes(schema: GraphQLSchema): CompiledRoute[] {
  return routes.map((route) => compileRoute(schema, route));
}

function compileRoute(schema: GraphQLSchema, route: AnyRoute): CompiledRoute {
  const operation: Operation = compileOperation(schema, route.operation);
  const deprecated = parametersOf(route.parameters).flatMap(({ name, deprecated: since }) =>
    since === undefined ? [] : [{ name, since: Date.parse(since) }],
  );
  return {
    name: `${route.method} ${route.path}`,
    fields: fieldsOf(operation),
    route,
    operation,
    guard: route.guard && compileOperation(schema, route.guard.operation),
    deprecated,
    removed: removedOf(route),
  };
}

function fieldsOf({ document }: Operation): string[] {
  return getOperationAST(document)!.selectionSet.selections.map((selection) => (selection as FieldNode).name.value);
}

function removedOf({ method, path }: AnyRoute) {
  return path.startsWith('/api/v4/') ? removedParameters(method, path.slice('/api/v4'.length)) : [];
}

/** Where files are sent to repositories. */
const takesFiles = /^\/api\/v4\/projects\/[^/]+\/repository\/(?:commits(?:\.json)?|files\/[^/]+)\/?$/;

/** What is larger belongs into a push. All bodies that arrive at once may have twice as much. */
const longestBody = (path: string) => (takesFiles.test(path) ? 32 * 1_048_576 : undefined);

/** A route in the router; compiled on its first request. */
interface Routed {
  readonly route: AnyRoute;
  /** The parameter that takes the rest of the path. */
  readonly rest: string | undefined;
  /** What a `.json` may follow: a literal last segment, or a number in its place. Names keep it. */
  readonly endsIn: 'literal' | 'number' | 'name';
  compiled: CompiledRoute | undefined;
}

/** The door of `/api/v4`, `/api/v3` and `/oauth`. */
export function restDoor(application: Application, schema: GraphQLSchema, limits: Limits, log: Log): Door {
  // Some clients send a trailing slash. Paths are case-sensitive.
  const router = createRouter({ ignoreTrailingSlash: true, maxParamLength: 4_096 });
  for (const route of routes) {
    const { method, path } = route;
    // A last parameter with an asterisk takes the rest of the path, slashes too.
    const rest = /:(\w+)\*$/.exec(path)?.[1];
    const pattern = path.replace(/:\w+\*$/, '*');
    const routed: Routed = { route, rest, endsIn: endOf(path), compiled: undefined };
    router.on(method, pattern, () => undefined, routed);
  }

  /** The route of a path, which may end in `.json`. */
  function find(method: string, path: string) {
    const found = router.find(method as 'GET', path);
    if (!endsInJson.test(path)) return found;
    const ends = (one: typeof found) => (one?.store as Routed | undefined)?.endsIn;
    // A name that ends in `.json` is a name: only a number may have it instead.
    if (found && ends(found) !== 'number') return found;
    const bare = router.find(method as 'GET', path.slice(0, -'.json'.length));
    return ends(bare) === 'literal' || (found && /\/\d+\.json$/.test(path)) ? bare : found;
  }

  const door: Door = async (exchange) => {
    if (exchange.path === '/api/v3' || exchange.path.startsWith('/api/v3/')) return answerVersion3(exchange);
    const method = exchange.request.method === 'HEAD' ? 'GET' : exchange.request.method;
    const found = find(method, exchange.path);
    if (found) {
      const routed = found.store as Routed;
      // Clients that ask for a file may accept only its media type.
      const format = routed.route.file || routed.route.stream ? undefined : refusedFormat(exchange);
      if (format) return sendErrorResponse(exchange, unsupportedFormat(format));
      const compiled = (routed.compiled ??= compileRoute(schema, routed.route));
      const parameters = found.params as Parameters;
      if (routed.rest !== undefined) parameters[routed.rest] = parameters['*'];
      return await runRoute(application, limits, log, compiled, parameters, exchange);
    }
    const allow = allowed(exchange.path);
    if (!allow) return await sendUnknown(exchange);
    if (method === 'OPTIONS') return answerOptions(exchange, allow);
    return sendErrorResponse(exchange, wrongMethod(allow));
  };
  return Object.assign(door, { longestBody });

  /** The methods of a path as `Allow` lists them, or undefined for a path without a route. */
  function allowed(path: string): string | undefined {
    const known = (['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const).filter((method) => find(method, path));
    if (known.length === 0) return undefined;
    return ['OPTIONS', ...known.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))].join(', ');
  }
}

const endsInJson = /^\/api\/v4\/.*[^/]\.json$/;

/** How the path of a route ends. Numbers are ids; projects, groups and people have paths besides. */
function endOf(path: string): Routed['endsIn'] {
  const last = path.slice(path.lastIndexOf('/') + 1);
  if (!last.startsWith(':')) return 'literal';
  return /^:(?:\w+_)?i?id$/.test(last) ? 'number' : 'name';
}

function answerOptions(exchange: Exchange, allow: string): Response {
  const preflight = header(exchange, 'access-control-request-method') !== undefined;
  // CORS preflight: browsers accept any 2xx; we keep the 200 that clients know.
  return toResponse(exchange, {
    status: preflight ? 200 : 204,
    headers: preflight ? preflightHeaders(exchange, allow) : { allow, vary: 'Origin' },
    body: null,
  });
}

/** Content negotiation (RFC 9110 §12.5.1): the `Accept` header, if it excludes JSON. */
function refusedFormat(exchange: Exchange): string | undefined {
  const accept = header(exchange, 'accept')?.trim();
  if (!accept) return undefined;
  const ranges = accept.split(',').map((range) => range.split(';').map((part) => part.trim().toLowerCase()));
  const takesJson = ranges.some(
    ([type, ...rest]) =>
      ['*/*', 'application/*', 'application/json'].includes(type!) && !rest.some((part) => /^q=0(\.0*)?$/.test(part)),
  );
  return takesJson ? undefined : accept.slice(0, 200);
}
