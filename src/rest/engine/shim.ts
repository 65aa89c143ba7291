import type { OutgoingHttpHeaders } from 'node:http';
import { isInCalendar } from '../../values/time/calendar.ts';
import { filePolicy } from '../../values/sent-files.ts';
import {
  clientContext,
  createContext,
  domainError,
  triggerContext,
  type Application,
  type Context,
  type Presented,
  type Sudo,
} from '../../context.ts';
import {
  isJobToken,
  presentedByMachine,
  presentedCredential,
  presentedJob,
  refuseTokenInQuery,
  tokenParameters,
} from '../../credential.ts';
import { Forbidden, JobNotRunning, Moved, NotFound, Unauthenticated } from '../../errors.ts';
import {
  beginTransfer,
  ClientDisconnect,
  entityTag,
  header,
  matches,
  callOf,
  parseForm,
  partOf,
  streamed,
  readBodyParameters,
  reportDefect,
  toResponse,
  isReadablePath,
  requireReadablePath,
  Unreadable,
  type Exchange,
  type Parameters,
} from '../../http/index.ts';
import type { Limits } from '../../limits/index.ts';
import type { Log } from '../../observability/index.ts';
import {
  dialectHeaders,
  internalError,
  ModelProblem,
  ParameterProblems,
  errorResponse,
  unknownPath,
  unreadablePath,
  type ErrorResponse,
} from './errors.ts';
import { counted } from './counted.ts';
import { coerce, merge, parametersOf, type Values } from './parameters.ts';
import { apiHeaders } from './headers.ts';
import { answerMoved } from './moved.ts';
import { pageHeaders } from './pages.ts';
import { render, requireSubject, type AnyRoute, type CompiledRoute, type RequestHeaders } from './route.ts';
import { unescapedPath } from './unescaped-path.ts';
import { dependsOnParameters, hintForAnswer, hintForRefusal, type Sent } from '../version-3/hints.ts';
import { hintForOldRunners, pathsOfOldRunners } from '../version-3/runners.ts';

const endsInSlash = ({ path, query }: Exchange): boolean => path.endsWith('/') && query === '';

/**
 * Runs a route: reads parameters, executes the operation, renders the record. It defines the order of refusals for all
 * routes.
 */
export async function runRoute(
  application: Application,
  limits: Limits,
  log: Log,
  compiled: CompiledRoute,
  pathParameters: Parameters,
  exchange: Exchange,
): Promise<Response> {
  const { route } = compiled;
  exchange.notes.route = compiled.name;
  exchange.notes.fields = compiled.fields;
  const received: Received = { parameters: undefined };
  try {
    const { values, data } = await execute(application, limits, compiled, pathParameters, exchange, received);
    if (route.stream) return await sendStream(exchange, log, route, data);
    if (route.emptyName !== undefined && endsInSlash(exchange) && route.connection!(data)?.nodes.length === 0)
      throw new NotFound(route.emptyName);
    const { status, body, headers: ofFile } = render(route, data);
    const headers: OutgoingHttpHeaders = route.connection
      ? pageHeaders(`${application.baseUrl}${exchange.path}`, values, route.connection(data)!, route)
      : {};
    if (ofFile) Object.assign(headers, filePolicy, ofFile);
    if (route.headers) Object.assign(headers, route.headers(data));
    if (compiled.deprecated.length > 0) Object.assign(headers, deprecation(compiled, values));
    const hint = compiled.removed.length > 0 ? hintForAnswer(compiled.removed, sentIn(received.parameters)) : undefined;
    if (hint !== undefined) headers['x-causeway-hint'] = hint;
    if (route.headStatus && exchange.request.method === 'HEAD')
      return sendAnswer(exchange, route, { status: route.headStatus, headers, body: null });
    return sendAnswer(exchange, route, { status, headers, body });
  } catch (thrown) {
    const moved = thrown instanceof Moved ? answerMoved(exchange, application.baseUrl, route, thrown) : undefined;
    return moved ?? sendError(exchange, log, route, thrown, received);
  }
}

/** The request's parameters, set as soon as they are read. Hints in the answer depend on them. */
interface Received {
  parameters: Parameters | undefined;
}

const sentIn = (parameters: Parameters | undefined) => (name: string) =>
  parameters !== undefined && Object.hasOwn(parameters, name);

/** Executes the operation. @returns its data, and all parameter values, including those of the path */
async function execute(
  application: Application,
  limits: Limits,
  compiled: CompiledRoute,
  pathParameters: Parameters,
  exchange: Exchange,
  received: Received,
): Promise<{ values: Values; data: Record<string, unknown> }> {
  const { route, operation } = compiled;
  requireReadablePath(exchange);
  const read = readers[route.auth ?? ''] ?? readForBearer;
  const { context, asked } = await counted(
    limits,
    route,
    exchange,
    read(application, compiled, pathParameters, exchange, received),
  );
  const { values, variables, problem } = asked;
  exchange.notes.viewer = context.viewer.person?.id;
  exchange.notes.actor = context.viewer.actor?.id;
  // A runner that omits its token gets that problem, not a refusal.
  if (problem && ofMachine(route)) throw problem;
  operation.admit(context);
  if (route.person && context.viewer.person === null)
    throw route.person === 401 ? new Unauthenticated() : new Forbidden('Not authorized!');
  if (problem) {
    if (problem instanceof ModelProblem || route.guard?.before === 'every problem')
      await runGuard(context, compiled, values);
    throw problem;
  }
  if (route.ofViewer) Object.assign(variables, route.ofViewer(context.viewer, values));
  return { values, data: await operation.execute(context, variables) };
}

/** The parsed parameters of a request. Authentication fails before `problem` is reported. */
interface ParsedRequest {
  readonly values: Values;
  readonly variables: Record<string, unknown>;
  readonly problem?: Error;
}

const noVariables: Record<string, unknown> = {};

function parseRequest(
  route: AnyRoute,
  sent: Parameters,
  pathParameters: Parameters,
  exchange: Exchange,
): ParsedRequest {
  const { values: coerced, problems } = coerce(route.parameters, sent);
  const values: Values = Object.assign(coerced, pathParameters as Values);
  if (problems.length > 0) return { values, variables: noVariables, problem: new ParameterProblems(problems) };
  try {
    return { values, variables: route.variables(values, headersOf(route, exchange)) };
  } catch (problem) {
    return { values, variables: noVariables, problem: problem as Error };
  }
}

/** The `Deprecation` header (RFC 9745) for deprecated parameters that were sent. */
function deprecation({ deprecated }: CompiledRoute, values: Values): OutgoingHttpHeaders {
  const dates = deprecated.flatMap(({ name, since }) => (values[name] !== undefined ? [since] : []));
  return dates.length > 0
    ? { deprecation: `@${Math.min(...dates) / 1000}`, link: '</docs/migration>; rel="deprecation"' }
    : {};
}

function headersOf(route: AnyRoute, exchange: Exchange): RequestHeaders {
  const date = route.conditional ? new Date(header(exchange, 'if-unmodified-since') ?? '') : undefined;
  return {
    authorization: header(exchange, 'authorization'),
    // RFC 9110 §13.1.4: ignore a value that isn't a date.
    unmodifiedSince: date && isInCalendar(date) ? date.toISOString() : undefined,
  };
}

/** Reads the parameters of a request, and authenticates the request. */
type Reading = (
  application: Application,
  compiled: CompiledRoute,
  pathParameters: Parameters,
  exchange: Exchange,
  received: Received,
) => Promise<{ readonly context: Context; readonly asked: ParsedRequest }>;

/** Takes parameters, and the credential, from query string, body and path. */
const readForBearer: Reading = async (application, { route, operation }, pathParameters, exchange, received) => {
  const query = parseForm(exchange.query);
  const body = await readBodyParameters(exchange);
  const sent = merge(query, body, pathParameters);
  received.parameters = sent;
  // Routes for machines read the parameter `token`.
  if (!application.profile.tokenInQuery)
    refuseTokenInQuery((name) => name in query, ...(ofMachine(route) ? ['token'] : []));
  const presented = presentedIn(route, exchange, sent);
  // Routes outside version 4 are about the credential itself, so sudo doesn't apply to them.
  const sudo = route.path.startsWith('/api/v4/') ? readSudo(route, sent, exchange) : undefined;
  const asked = parseRequest(route, sent, pathParameters, exchange);
  // No prefetch under sudo: finding the viewer takes another look-up first.
  const prefetch = presented && !sudo && !asked.problem ? operation.prefetch(asked.variables) : undefined;
  if (route.waits) beginTransfer(exchange);
  const call = route.waits
    ? { ...callOf(exchange), disconnect: new ClientDisconnect(exchange.request) }
    : callOf(exchange);
  return { asked, context: await createContext(application, presented, call, { sudo, prefetch }) };
};

/** The machines that a route is for; undefined for one that people use. */
const ofMachine = ({ auth }: AnyRoute) => (auth === 'client' || auth === 'trigger' ? undefined : auth);

function presentedIn(route: AnyRoute, exchange: Exchange, sent: Parameters): Presented | null {
  const from = [(name: string) => header(exchange, name), (name: string) => sent[name]] as const;
  const machine = ofMachine(route);
  return machine ? presentedByMachine(machine, ...from) : (presentedCredential(...from) ?? presentedJob(...from));
}

/** The user that an administrator acts as (sudo): from the parameter or, without one, the header. */
function readSudo({ method }: AnyRoute, sent: Parameters, exchange: Exchange): Sudo | undefined {
  const user = sent.sudo ?? header(exchange, 'sudo');
  if (user === undefined) return undefined;
  if (typeof user !== 'string' && typeof user !== 'number') throw new ParameterProblems(['sudo is invalid']);
  return { user: String(user), asks: `${method} ${exchange.path}`, reads: method === 'GET' };
}

/** Takes parameters from the body only (RFC 6749 §3.2): each at most once; empty ones count as omitted. */
const readForClient: Reading = async (application, { route }, pathParameters, exchange) => {
  const query = parseForm(exchange.query, 'refuse');
  if (parametersOf(route.parameters).some(({ name }) => name in query)) {
    throw new ParameterProblems(['The parameters must be sent in the body of the request.']);
  }
  const sent = await readBodyParameters(exchange, 'refuse');
  const asked = parseRequest(route, sent, pathParameters, exchange);
  return { asked, context: await clientContext(application, callOf(exchange)) };
};

/** Runs the guard: its refusal takes precedence over a parameter error. */
async function runGuard(context: Context, { route, guard }: CompiledRoute, values: Values): Promise<void> {
  if (!guard || !route.guard) return;
  try {
    await guard.execute(context, route.guard.variables(values));
  } catch (refusal) {
    const subject = (refusal as { subject?: string }).subject;
    if (subject === undefined || subject !== route.guard.except) throw refusal;
  }
}

/**
 * Takes the token of a trigger, or of a job that runs, from the query string or the body. Other credentials don't count. A
 * webhook of ours starts nothing: it could start itself.
 */
const readForTrigger: Reading = async (application, { route }, pathParameters, exchange, received) => {
  if (header(exchange, 'x-gitlab-event') === 'Pipeline Hook') throw new Forbidden();
  const query = parseForm(exchange.query);
  if (!application.profile.tokenInQuery) refuseTokenInQuery((name) => name in query, 'token');
  const sent = merge(query, await readBodyParameters(exchange), pathParameters);
  received.parameters = sent;
  const { token } = sent;
  // Jobs read it: no credential that was sent beside belongs there.
  const handedOn = Object.entries(sent).filter(([name]) => name !== 'token' && !tokenParameters.includes(name));
  const payload = JSON.stringify(Object.fromEntries(handedOn));
  const asked = parseRequest(route, sent, { ...pathParameters, payload }, exchange);
  const call = callOf(exchange);
  const isJob = !asked.problem && isJobToken(token);
  const context = isJob
    ? await createContext(application, { as: 'job', token }, call).catch((error: unknown) => {
        // As with a trigger: an unknown token is as one of another project.
        throw error instanceof Unauthenticated && !(error instanceof JobNotRunning) ? new NotFound('Trigger') : error;
      })
    : await triggerContext(application, call);
  return { asked, context };
};

const readers: Readonly<Record<string, Reading>> = { client: readForClient, trigger: readForTrigger };

interface Rendered {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | Buffer | null;
}

function sendAnswer(exchange: Exchange, { dialect }: AnyRoute, { status, headers: own, body }: Rendered): Response {
  const headers = Object.assign(apiHeaders(exchange), dialectHeaders[dialect], own);
  const { method } = exchange.request;
  // Only reads get an ETag; answers of OAuth must not be cached at all.
  if (body === null || dialect !== 'version 4' || (method !== 'GET' && method !== 'HEAD')) {
    return toResponse(exchange, { status, headers, body });
  }
  const tag = entityTag(body);
  const unchanged = matches(header(exchange, 'if-none-match'), tag);
  headers.etag = tag;
  return toResponse(exchange, { status: unchanged ? 304 : status, headers, body: unchanged ? null : body });
}

/** Sends a stream: what breaks it off after its beginning ends the connection, so that no one takes a part for the whole. */
async function sendStream(
  exchange: Exchange,
  log: Log,
  route: AnyRoute,
  data: Record<string, unknown>,
): Promise<Response> {
  requireSubject(route, data);
  const { contentType, disposition, bytes, size, open, part } = route.stream!(data);
  const headers = Object.assign(apiHeaders(exchange), filePolicy, route.headers?.(data), {
    'content-type': contentType,
    'content-disposition': disposition,
    ...(size !== undefined && { 'content-length': String(size) }),
    ...(part && { 'accept-ranges': 'bytes' }),
  });
  if (bytes || exchange.request.method === 'HEAD')
    return toResponse(exchange, { status: 200, headers, body: bytes ?? null });
  const asked = part && size !== undefined ? partOf(header(exchange, 'range'), size) : undefined;
  if (asked === 'outside')
    return toResponse(exchange, { status: 416, headers: { 'content-range': `bytes */${size}` }, body: null });
  const report = (error: Error) => (domainError(error) ? undefined : reportDefect(log, exchange, error));
  if (asked) {
    headers['content-length'] = String(asked.end - asked.start);
    headers['content-range'] = `bytes ${asked.start}-${asked.end - 1}/${size}`;
  }
  const stream = asked ? part!(asked.start, asked.end) : await open();
  beginTransfer(exchange);
  return streamed(exchange, { status: asked ? 206 : 200, headers, body: stream }, report);
}

function sendError(exchange: Exchange, log: Log, route: AnyRoute, thrown: unknown, { parameters }: Received): Response {
  const { dialect } = route;
  const known = domainError(thrown) ?? (thrown instanceof Error ? thrown : undefined);
  const basic = /^basic( |$)/i.test(header(exchange, 'authorization') ?? '');
  const response = (known && errorResponse(dialect, known, route, { basic })) ?? internalError;
  if (response === internalError) reportDefect(log, exchange, thrown);
  return sendErrorResponse(
    exchange,
    { ...response, headers: { ...dialectHeaders[dialect], ...response.headers } },
    parameters,
  );
}

/** Sends an error that is already in its dialect. Adds a hint if the call is one of version 3. */
export function sendErrorResponse(exchange: Exchange, response: ErrorResponse, parameters?: Parameters): Response {
  const { status, headers, body } = response;
  const hint = hintFor(exchange, response, sentIn(parameters));
  return toResponse(exchange, {
    status,
    headers: { ...apiHeaders(exchange), ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(hint === undefined ? body : { ...body, hint }),
  });
}

/** Answers an unknown path. Reads the parameters only if the hint depends on them. */
export async function sendUnknown(exchange: Exchange): Promise<Response> {
  const { path, request } = exchange;
  // The router finds no route for such a path either.
  if (!isReadablePath(path)) return sendErrorResponse(exchange, unreadablePath);
  const matters = path.startsWith(version4) && dependsOnParameters(request.method, path.slice(version4.length));
  return sendErrorResponse(exchange, unknownPath, matters ? await readableParameters(exchange) : undefined);
}

/** The parameters, or undefined if they can't be read: the answer is 404 in any case. */
async function readableParameters(exchange: Exchange): Promise<Parameters | undefined> {
  try {
    return merge(parseForm(exchange.query), await readBodyParameters(exchange), {});
  } catch (problem) {
    if (problem instanceof Unreadable) return undefined;
    throw problem;
  }
}

const version4 = '/api/v4';

function hintFor(
  { path: fullPath, request: { method } }: Exchange,
  response: ErrorResponse,
  sent: Sent,
): string | undefined {
  if (pathsOfOldRunners.test(fullPath)) return hintForOldRunners;
  if (!fullPath.startsWith(`${version4}/`)) return undefined;
  const path = fullPath.slice(version4.length);
  return (
    hintForRefusal(method, path, response.status, sent) ??
    (response === unknownPath ? unescapedPath(method, path)?.hint : undefined)
  );
}
