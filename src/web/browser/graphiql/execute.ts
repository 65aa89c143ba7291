import { getOperationAST, parse } from 'graphql';
import { noteRefusal } from '../explorer.ts';
import { isWanted } from './shared-document.ts';
import { pageToken, tokenInUse } from '../token.ts';

/** The header with the complexity of an operation and the limit; the event of this page that passes it on. */
const costHeader = 'x-causeway-complexity';
export const costEvent = 'causeway-cost';

interface Parameters {
  readonly query: string;
  readonly variables?: unknown;
  readonly operationName?: string | null | undefined;
}

/** Receives the results of a subscription, as GraphiQL passes it. */
interface Observer {
  next(result: object): void;
  error(problem: unknown): void;
  complete(): void;
}

/**
 * Posts an operation to the path of this page. A query or a mutation has one answer; a
 * subscription streams results as server-sent events until it is stopped.
 * @throws Error when the response isn't a GraphQL answer
 */
export function execute(parameters: Parameters) {
  // GraphiQL shows the stack of an error: an answer is one line.
  if (!isWanted(parameters)) return { data: null, errors: [{ message: 'It wasn’t run.' }] };
  return isSubscription(parameters) ? subscription(parameters) : answer(parameters);
}

/** Parses the query itself: GraphiQL's parsed document may still be that of the previous tab. */
function isSubscription({ query, operationName }: Parameters): boolean {
  try {
    return getOperationAST(parse(query), operationName)?.operation === 'subscription';
  } catch {
    // The gateway reports the syntax error.
    return false;
  }
}

async function answer(parameters: Parameters) {
  const response = await post(parameters, 'application/graphql-response+json, application/json');
  if (response.status === 401) noteRefusal(pageToken() === undefined ? 'typed' : 'own');
  if (!/json/.test(response.headers.get('content-type') ?? '')) throw unexpected(response);
  noteCost(parameters, response);
  return await response.json();
}

/** Says what the operation cost, beside the run button. */
function noteCost({ operationName }: Parameters, { headers }: Response): void {
  const cost = headers.get(costHeader);
  if (cost !== null && operationName !== 'IntrospectionQuery')
    dispatchEvent(new CustomEvent(costEvent, { detail: cost }));
}

/** The observable that GraphiQL expects: it sends nothing before `subscribe`. */
const subscription = (parameters: Parameters) => ({
  subscribe(observer: Observer) {
    const abort = new AbortController();
    readEvents(parameters, abort.signal, (result) => observer.next(result)).then(
      () => observer.complete(),
      (problem) => abort.signal.aborted || observer.error(problem),
    );
    return { unsubscribe: () => abort.abort() };
  },
});

async function readEvents(
  parameters: Parameters,
  signal: AbortSignal,
  onResult: (result: object) => void,
): Promise<void> {
  const response = await post(parameters, 'text/event-stream', signal);
  if (response.status === 401) noteRefusal(pageToken() === undefined ? 'typed' : 'own');
  if (!/event-stream/.test(response.headers.get('content-type') ?? '')) throw unexpected(response);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value = '' } = await reader.read();
    const events = (text + value).split('\n\n');
    text = events.pop()!;
    for (const event of events) {
      const data = /^event: next\ndata: (.*)$/.exec(event)?.[1];
      if (data) onResult(JSON.parse(data));
    }
    if (done) return;
  }
}

async function post(parameters: Parameters, accept: string, signal?: AbortSignal): Promise<Response> {
  // Introspection needs no token. Send none: an expired one would make it fail.
  const token = parameters.operationName === 'IntrospectionQuery' ? '' : tokenInUse();
  return await fetch(location.pathname, {
    method: 'POST',
    credentials: 'omit',
    headers: { accept, 'content-type': 'application/json', ...(token !== '' && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(parameters),
    ...(signal && { signal }),
  });
}

const unexpected = ({ status, statusText }: Response) =>
  new Error(`The gateway answered with ${status} ${statusText}.`);
