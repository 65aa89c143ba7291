import { Agent, request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';

export interface RawRequest {
  readonly method?: string;
  /** The path as sent: nothing is encoded or resolved. */
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer | undefined;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends requests that `fetch` would normalize or refuse, over keep-alive connections. */
export function rawClient(baseUrl: string): (request: RawRequest) => Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return ({ method = 'GET', path, headers = {}, body }) =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
      const sent = request({ agent, hostname, port, method, path, headers: { ...length, ...headers } }, (response) => {
        const chunks: Buffer[] = [];
        const answered = () =>
          resolve({ status: response.statusCode!, headers: response.headers, text: Buffer.concat(chunks).toString() });
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          // An event stream doesn't end: its beginning counts as the answer.
          if (!response.headers['content-type']?.startsWith('text/event-stream')) return;
          answered();
          response.destroy();
        });
        response.on('error', reject);
        response.on('end', answered);
      });
      sent.on('error', reject);
      sent.end(body);
    });
}
