import { createContext, domainError, presentedCredential, type Application, type Context } from '../context.ts';
import { entityTag, header, matches, parseForm, readBodyParameters, reportDefect, send, type Exchange, type Parameters } from '../http/index.ts';
import type { Log } from '../observability/index.ts';
import { internalError, ModelProblem, ParameterProblems, tell, type Told } from './errors.ts';
import { coerce, merge, type Values } from './parameters.ts';
import { apiHeaders } from './headers.ts';
import type { CompiledRoute, Dialect } from './route.ts';

/**
 * Runs a route: reads parameters, executes its operation, renders the record.
 * It knows the order in which things are refused, and no subject.
 */
export async function runRoute(
  application: Application,
  log: Log,
  compiled: CompiledRoute,
  pathParameters: Parameters,
  exchange: Exchange,
): Promise<void> {
  const { route } = compiled;
  exchange.notes.route = `${route.method} ${route.path}`;
  try {
    const record = await answer(application, compiled, pathParameters, exchange);
    sendRecord(exchange, record);
  } catch (thrown) {
    sendError(exchange, log, route.dialect, thrown);
  }
}

async function answer(
  application: Application,
  { route, operation, guard }: CompiledRoute,
  pathParameters: Parameters,
  exchange: Exchange,
): Promise<object> {
  const query = parseForm(exchange.query);
  const body = await readBodyParameters(exchange.request);
  const sent = merge(query, body, pathParameters);
  const presented = presentedCredential(
    (name) => header(exchange.request, name),
    (name) => sent[name],
  );
  const context = await createContext(application, presented);
  exchange.notes.viewer = context.viewer.person?.id;
  operation.admit(context);

  const { values, problems } = coerce(route.parameters, sent);
  const all: Values = { ...values, ...(pathParameters as Values) };
  if (problems.length > 0) {
    if (route.guard?.before === 'every problem') await runGuard(context, { route, operation, guard }, all);
    throw new ParameterProblems(problems);
  }
  let variables: Record<string, unknown>;
  try {
    variables = route.variables(all);
  } catch (problem) {
    if (problem instanceof ModelProblem) await runGuard(context, { route, operation, guard }, all);
    throw problem;
  }
  return route.record.present(await operation.execute(context, variables));
}

/** Throws what the contract wants to be refused before a bad parameter is. */
async function runGuard(context: Context, { route, guard }: CompiledRoute, values: Values): Promise<void> {
  if (!guard || !route.guard) return;
  try {
    await guard.execute(context, route.guard.variables(values));
  } catch (refusal) {
    const subject = (refusal as { subject?: string }).subject;
    if (subject === undefined || subject !== route.guard.except) throw refusal;
  }
}

function sendRecord(exchange: Exchange, record: object): void {
  const { method } = exchange.request;
  const body = JSON.stringify(record);
  const tag = entityTag(body);
  const headers = { ...apiHeaders(exchange), etag: tag };
  if ((method === 'GET' || method === 'HEAD') && matches(header(exchange.request, 'if-none-match'), tag)) {
    send(exchange, { status: 304, headers, body: null });
    return;
  }
  send(exchange, { status: 200, headers, body });
}

function sendError(exchange: Exchange, log: Log, dialect: Dialect, thrown: unknown): void {
  const known = domainError(thrown) ?? (thrown instanceof Error ? thrown : undefined);
  const told = known && tell(dialect, known);
  if (!told) reportDefect(log, exchange, thrown);
  sendTold(exchange, told ?? internalError);
}

/** Answers with an error that is already in the dialect. */
export function sendTold(exchange: Exchange, { status, headers, body }: Told): void {
  send(exchange, { status, headers: { ...apiHeaders(exchange), ...headers }, body: JSON.stringify(body) });
}

