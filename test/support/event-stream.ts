import type { TestGateway } from './gateway.ts';

/** An event as it came. */
export interface ErrorResponse {
  readonly event: string;
  // A test looks into whatever comes back.
  // eslint-disable-next-line
  readonly data: any;
}

/** An answer that goes on. */
export interface EventReader {
  readonly status: number;
  readonly headers: Headers;
  /** The next event; null where the stream has ended. */
  next(): Promise<ErrorResponse | null>;
  /** Everything that still comes until the stream ends. */
  rest(): Promise<ErrorResponse[]>;
  /** How many comments came so far. */
  comments(): number;
  /** Goes away without a word. */
  leave(): void;
}

export interface Listening {
  readonly token?: string;
  readonly headers?: Record<string, string>;
  readonly variables?: Record<string, unknown>;
}

/** Subscribes as a client does that reads what it fetches. */
export async function subscribe(
  { url }: Pick<TestGateway, 'url'>,
  query: string,
  { token, headers, variables }: Listening = {},
): Promise<EventReader> {
  return await open(new URL('/graphql', url), {
    method: 'POST',
    headers: {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify({ query, variables }),
  });
}

/** Subscribes as `EventSource` does, which can't send a header of its own. */
export async function eventSource(
  { url }: Pick<TestGateway, 'url'>,
  query: string,
  token: string,
): Promise<EventReader> {
  const address = new URL('/graphql', url);
  address.search = String(new URLSearchParams({ query, access_token: token }));
  return await open(address, { headers: { accept: 'text/event-stream', 'cache-control': 'no-cache' } });
}

async function open(address: URL, init: RequestInit): Promise<EventReader> {
  const disconnect = new AbortController();
  const { status, headers, body } = await fetch(address, { ...init, signal: disconnect.signal });
  let comments = 0;
  const events = blocks(body!);
  const next = async (): Promise<ErrorResponse | null> => {
    for (;;) {
      const { value, done } = await events.next();
      if (done) return null;
      if (value.startsWith(':')) comments++;
      else return parse(value);
    }
  };
  return {
    status,
    headers,
    next,
    async rest() {
      const all: ErrorResponse[] = [];
      for (let told = await next(); told; told = await next()) all.push(told);
      return all;
    },
    comments: () => comments,
    leave: () => disconnect.abort(),
  };
}

/** What stands between two empty lines. */
async function* blocks(body: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      yield text.slice(0, end);
      text = text.slice(end + 2);
    }
  }
  return undefined;
}

function parse(block: string): ErrorResponse {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const data = fields.get('data');
  return { event: fields.get('event') ?? 'message', data: data ? (JSON.parse(data) as unknown) : undefined };
}
