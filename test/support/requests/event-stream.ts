import type { TestGateway } from '../gateway.ts';

/** An event of the stream (server-sent events). */
export interface StreamEvent {
  readonly event: string;
  // Tests check the shape.
  // eslint-disable-next-line
  readonly data: any;
}

/** An open event stream. */
export interface EventReader {
  readonly status: number;
  readonly headers: Headers;
  /** The next event; null when the stream has ended. */
  next(): Promise<StreamEvent | null>;
  /** The remaining events until the stream ends. */
  rest(): Promise<StreamEvent[]>;
  /** The number of comments so far. */
  comments(): number;
  /** Disconnects. */
  leave(): void;
}

export interface Listening {
  readonly token?: string;
  readonly headers?: Record<string, string>;
  readonly variables?: Record<string, unknown>;
}

/** Subscribes with `fetch`. */
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

/** Subscribes as `EventSource` does, which can't send headers of the caller. */
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
  const next = async (): Promise<StreamEvent | null> => {
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
      const all: StreamEvent[] = [];
      for (let event = await next(); event; event = await next()) all.push(event);
      return all;
    },
    comments: () => comments,
    leave: () => disconnect.abort(),
  };
}

/** The blocks of the stream, which empty lines separate. */
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

function parse(block: string): StreamEvent {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const data = fields.get('data');
  return { event: fields.get('event') ?? 'message', data: data ? (JSON.parse(data) as unknown) : undefined };
}
