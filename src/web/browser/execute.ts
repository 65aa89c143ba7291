import { getOperationAST, parse } from 'graphql';
import { storedToken } from './token.ts';

interface Parameters {
  readonly query: string;
  readonly variables?: unknown;
  readonly operationName?: string | null | undefined;
}

/** What is told of a subscription. */
interface Observer {
  next(result: object): void;
  error(problem: unknown): void;
  complete(): void;
}

/**
 * Posts an operation to the path of this page: a query or a mutation for its
 * answer, a subscription for whatever is told until it is stopped.
 * @throws Error when what comes back isn't a GraphQL answer
 */
export function execute(parameters: Parameters) {
  return isSubscription(parameters) ? subscription(parameters) : answer(parameters);
}

/** GraphiQL's own idea of the document is, for a moment, that of the tab before. */
function isSubscription({ query, operationName }: Parameters): boolean {
  try {
    return getOperationAST(parse(query), operationName)?.operation === 'subscription';
  } catch {
    // The gateway says what is wrong with it.
    return false;
  }
}

async function answer(parameters: Parameters) {
  const response = await post(parameters, 'application/graphql-response+json, application/json');
  if (!/json/.test(response.headers.get('content-type') ?? '')) throw unexpected(response);
  return await response.json();
}

/** As GraphiQL takes it: nothing is sent before somebody listens. */
const subscription = (parameters: Parameters) => ({
  subscribe(observer: Observer) {
    const leaving = new AbortController();
    follow(parameters, leaving.signal, (result) => observer.next(result)).then(
      () => observer.complete(),
      (problem) => leaving.signal.aborted || observer.error(problem),
    );
    return { unsubscribe: () => leaving.abort() };
  },
});

async function follow(parameters: Parameters, signal: AbortSignal, tell: (result: object) => void): Promise<void> {
  const response = await post(parameters, 'text/event-stream', signal);
  if (!/event-stream/.test(response.headers.get('content-type') ?? '')) throw unexpected(response);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value = '' } = await reader.read();
    const events = (text + value).split('\n\n');
    text = events.pop()!;
    for (const event of events) {
      const data = /^event: next\ndata: (.*)$/.exec(event)?.[1];
      if (data) tell(JSON.parse(data));
    }
    if (done) return;
  }
}

async function post(parameters: Parameters, accept: string, signal?: AbortSignal): Promise<Response> {
  // The schema is there for everyone; a token that has expired shouldn't hide it.
  const token = parameters.operationName === 'IntrospectionQuery' ? '' : storedToken();
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
