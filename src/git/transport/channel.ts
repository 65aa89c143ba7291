import type { Readable } from 'node:stream';
import type { TransportOptions } from './index.ts';

/** How a door serves one request over a channel. */
interface Serving extends Omit<TransportOptions, 'owner'> {
  /** Receives what went wrong and people don't see. */
  readonly report: (error: unknown) => void;
}

/** What someone who may fetch from a repository, or push to it, gets: git behind it, and the rules of a push. */
export interface Channel {
  /** What git says first: the references. @throws NotFound, Busy, Broken */
  advertise(how: Serving): Promise<Readable>;
  /**
   * Serves one request.
   * @param request its body, decompressed
   * @returns the answer, a stream that fails if git fails
   * @throws NotFound, Busy, Broken
   */
  exchange(request: Readable, how: Serving): Promise<Readable>;
  /**
   * Serves a whole connection, both parts of it.
   * @param request what the client sends
   * @returns what git says, a stream that fails if git fails
   * @throws NotFound, Busy, Broken; the stream too
   */
  converse(request: Readable, how: Serving): Promise<Readable>;
}
