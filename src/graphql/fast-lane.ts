import { processRegularResult } from 'graphql-yoga';
import type { ExecutionResult, GraphQLError } from 'graphql';
import { presentedCredential } from '../credential.ts';
import { counters } from '../counters.ts';
import { header, isAllStorable, isObject, toResponse, type Answer, type Exchange } from '../http/index.ts';
import type { Limits } from '../limits/index.ts';
import { toRefusal, type Admission, type Served } from './admission.ts';
import type { Documents, KnownOperation } from './documents.ts';
import { limits, surplusOf } from './limits.ts';
import { noteOperation } from './notes.ts';
import type { PersistedDocuments } from './persisted.ts';

/**
 * The fast lane of `/graphql`: answers the common request, one operation as JSON, before Yoga sees it. All other
 * requests continue through Yoga. It saves most of the CPU time of a request (decision 0035).
 * `test/graphql/lanes.test.ts` checks that both answers are equal.
 */
export interface FastLaneOptions {
  readonly documents: Documents;
  readonly persisted: PersistedDocuments;
  readonly admission: Admission;
  readonly requestLimits: Limits;
  /** Masks errors for the client. */
  readonly mask: (exchange: Exchange, errors: readonly unknown[]) => GraphQLError[];
}

/** @returns a function that answers a request, or leaves it to Yoga, with what was learnt about it in its context */
export function fastLane({
  documents,
  persisted,
  admission,
  requestLimits,
  mask,
}: FastLaneOptions): (served: Served) => Promise<Response | undefined> {
  /**
   * @returns undefined for a request that isn't plain, or that Yoga must refuse: Yoga continues with the work done
   * here
   */
  async function answer(served: Served): Promise<Answer | undefined> {
    const { exchange } = served;
    const plain = readPlain(exchange, persisted);
    if (!plain) return undefined;
    const { query, operationName, variables } = plain;
    try {
      const presented = presentedCredential(
        (name) => header(exchange, name),
        () => undefined,
      );
      // Anonymous requests are counted before their document is read.
      if (!presented) served.domain = await admission.admit(served, null);
      const reading = (served.reading = documents.read(query));
      const operation = documents.operationOf(reading, operationName);
      const context = (served.domain ??= await admission.admit(served, presented, operation?.prefetch(variables)));
      if (reading.document && !operation) return undefined;
      const problems = documents.problemsOf(reading);
      if (problems.length > 0 || !operation) {
        counters.operations.count('with errors');
        return render({ errors: mask(exchange, problems) });
      }
      const cost = costOf(operation, variables);
      if (cost === undefined || cost > limits.complexity) return undefined;
      noteOperation(exchange.notes, operation.notes, cost);
      const counted = requestLimits.more(exchange, context.viewer, surplusOf(cost));
      if (counted) await counted;
      documents.keep(reading);
      const { errors, ...result } = await operation.run(context, variables);
      counters.operations.count(errors ? 'with errors' : 'done');
      return render(errors ? { errors: mask(exchange, errors), ...result } : result);
    } catch (thrown) {
      return render({ errors: [toRefusal(thrown)] });
    }
  }

  return async (served) => {
    if (served.exchange.request.method !== 'POST') return undefined;
    const answered = await answer(served);
    return answered && toResponse(served.exchange, answered);
  };
}

/** One operation, as JSON. */
interface PlainRequest {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Record<string, unknown>;
}

/** Values of `Accept` that are answered with `application/json`. */
const accepted = new Set([undefined, '*/*', 'application/json', 'application/json, text/plain, */*']);

/** @returns undefined for a request that isn't plain */
function readPlain(exchange: Exchange, persisted: PersistedDocuments): PlainRequest | undefined {
  const { headers } = exchange.connection;
  if (exchange.query !== '' || headers.origin !== undefined || headers.sudo !== undefined) return undefined;
  if (!/^application\/json(; ?charset=utf-8)?$/i.test(header(exchange, 'content-type') ?? '')) return undefined;
  if (!accepted.has(header(exchange, 'accept')) || !Buffer.isBuffer(exchange.body)) return undefined;
  let sent: unknown;
  try {
    sent = JSON.parse(exchange.body.toString());
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

/** Renders the answer. Its errors are masked already, and determine the status. */
function render(result: ExecutionResult): Answer {
  if (!result.errors) return { status: 200, headers: contentType, body: JSON.stringify(result) };
  const rendered = processRegularResult(result, { Response: Rendered } as never, 'application/json');
  return (rendered as unknown as Rendered).answer;
}

/**
 * Replaces the Fetch API's `Response` where Yoga renders errors: creating one costs as much as parsing a large
 * document.
 */
class Rendered {
  readonly answer: Answer;

  constructor(body: string, { status, headers }: { status: number; headers: Record<string, string> }) {
    const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
    this.answer = { status, headers: Object.fromEntries(named), body };
  }
}

/** The complexity of an operation; undefined for invalid variables. */
function costOf(operation: KnownOperation, variables: Record<string, unknown>): number | undefined {
  try {
    return operation.complexity(variables);
  } catch {
    return undefined;
  }
}
