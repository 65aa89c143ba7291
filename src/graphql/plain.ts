import { processRegularResult } from 'graphql-yoga';
import type { ExecutionResult } from 'graphql';
import { header, isAllStorable, isObject, type Answer, type Exchange } from '../http/index.ts';
import type { KnownOperation } from './documents.ts';
import type { PersistedDocuments } from './persisted.ts';

/**
 * The fast lane of `/graphql`: what nearly every client sends, one operation as JSON,
 * is read and answered here, without Yoga's requests and responses. Whatever is unusual
 * about a request, or to be refused of it, is Yoga's; a test holds both answers equal.
 */
export interface PlainRequest {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Record<string, unknown>;
}

/** What clients accept that want JSON as it always was. */
const accepted = new Set([undefined, '*/*', 'application/json', 'application/json, text/plain, */*']);

/** @returns undefined for a request that isn't plain */
export function readPlain(exchange: Exchange, body: Buffer, persisted: PersistedDocuments): PlainRequest | undefined {
  const { headers } = exchange.connection;
  if (
    exchange.query !== '' ||
    headers.origin !== undefined ||
    headers.sudo !== undefined ||
    headers['content-encoding'] !== undefined
  )
    return undefined;
  if (
    !/^application\/json(; ?charset=utf-8)?$/i.test(header(exchange, 'content-type') ?? '') ||
    !accepted.has(header(exchange, 'accept'))
  )
    return undefined;
  let sent: unknown;
  try {
    sent = JSON.parse(body.toString());
  } catch {
    return undefined;
  }
  if (!isObject(sent)) return undefined;
  const { query: given, operationName = null, variables = null, extensions = null, ...others } = sent;
  const source = extensions === null ? given : given === undefined ? persisted.find(extensions) : undefined;
  const fits =
    typeof source === 'string' &&
    (operationName === null || typeof operationName === 'string') &&
    (variables === null || isObject(variables)) &&
    isAllStorable(variables) &&
    Object.keys(others).length === 0;
  return fits ? { query: source, operationName: operationName ?? undefined, variables: variables ?? {} } : undefined;
}

const contentType = { 'content-type': 'application/json; charset=utf-8' };

/** What a client gets for a result whose errors are already fit to be told. */
export function answerPlain(result: ExecutionResult): Answer {
  if (!result.errors) return { status: 200, headers: contentType, body: JSON.stringify(result) };
  return (processRegularResult(result, { Response: Rendered } as never, 'application/json') as unknown as Rendered)
    .answer;
}

/** Takes the place of a `Response` of the fetch API, which costs as much as reading a large document. */
class Rendered {
  readonly answer: Answer;

  constructor(body: string, { status, headers }: { status: number; headers: Record<string, string> }) {
    const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
    this.answer = { status, headers: Object.fromEntries(named), body };
  }
}

/** How many fields an operation may be answered with; undefined for variables that don't fit. */
export function costOf(operation: KnownOperation, variables: Record<string, unknown>): number | undefined {
  try {
    return operation.complexity(variables);
  } catch {
    return undefined;
  }
}
