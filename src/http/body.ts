import type { Exchange } from './exchange.ts';
import { Unreadable } from './unreadable.ts';

/** Longest body that is accepted, in bytes, unless a door says otherwise. */
export const usualBody = 1_048_576;

const none = Buffer.alloc(0);

/** Whether a request announces a body (RFC 9112 §6). */
export function hasBody({ connection: { headers } }: Exchange): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Takes a body that arrived together with its headers, as most do: Node has parsed it by the first microtask after the
 * request began. This avoids the listeners and ticks of a stream. Such a body is one read of the socket, far below the limit.
 * @returns false if there is more to come, or the body isn't readable; then `receiveBody` decides
 */
export function takeBody(exchange: Exchange): boolean {
  const { body: stream, isComplete, headers } = exchange.connection;
  if (!stream || !isComplete || headers['content-encoding'] !== undefined) return false;
  exchange.body = (stream.read() as Buffer | null) ?? none;
  return true;
}

/**
 * Receives the whole body into its exchange. A body that is longer than the limit, or compressed, becomes `Unreadable` at
 * once: decompressed it might have any size (RFC 9110 §8.4, §15.5.16). It listens to the stream's events, because
 * async iteration costs more than the reading itself.
 * @param limit in bytes
 * @param onBytes called with the length of each part that is kept
 * @returns false if the client disconnected before the end
 */
export function receiveBody(exchange: Exchange, limit: number, onBytes: (count: number) => void): Promise<boolean> {
  const { body: stream, headers } = exchange.connection;
  if (!stream) return Promise.resolve(true);
  const packed = headers['content-encoding']?.trim() || 'identity';
  if (packed.toLowerCase() !== 'identity') {
    exchange.body = new Unreadable(415, `The provided content-encoding '${packed.slice(0, 100)}' is not supported.`);
    return Promise.resolve(true);
  }
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let size = 0;
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return onBytes(chunk.length);
      }
      // Read and drop the rest: many clients read the answer only after sending all.
      chunks = [];
      exchange.body = new Unreadable(413, 'Request Entity Too Large');
      resolve(true);
    });
    stream.on('end', () => {
      exchange.body ??= chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      resolve(true);
    });
    // A client that disconnects causes an error, or only a close.
    stream.on('error', () => resolve(false));
    stream.on('close', () => resolve(false));
  });
}

/** The body of a request, received before its door was called. @throws Unreadable */
export function bodyOf({ body = none }: Pick<Exchange, 'body'>): Buffer {
  if (body instanceof Unreadable) throw body;
  return body;
}
