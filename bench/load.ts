import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { Client, request } from 'undici';
import type { Server } from './server.ts';

/** A request, and what its response must look like. */
export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** 200 if omitted. */
  readonly status?: number;
  /** Part of a correct body. */
  readonly contains?: string;
  /** Reads from the response what a later call needs. */
  readonly after?: (body: string) => void;
}

/** The calls to a side. */
export interface Calls {
  /** Prepares what the next slice uses up. @param count of calls */
  readonly prepare?: (count: number) => Promise<void>;
  /** @param connection which connection sends it; each sends one call at a time */
  readonly next: (turn: number, connection: number) => Call;
}

/** The measurements of one slice of load. */
export interface Slice {
  readonly requests: number;
  readonly seconds: number;
  /** CPU of the server, in microseconds, for all requests. */
  readonly cpu: number;
  /** CPU of its PostgreSQL, likewise. */
  readonly database: number;
  /** Nanoseconds. */
  readonly latencies: RecordableHistogram;
}

/**
 * Sends calls over so many connections, each waiting for its response before the next, and checks every response.
 * @throws Error for a wrong response
 */
export async function runSlice(server: Server, calls: Calls, count: number, connections: number): Promise<Slice> {
  await calls.prepare?.(count);
  const latencies = createHistogram();
  const clients = Array.from({ length: connections }, () => new Client(server.origin, { pipelining: 1 }));
  let turn = 0;
  // Connect first: connecting isn't measured.
  await Promise.all(
    clients.map(async (client) => (await client.request({ method: 'GET', path: '/favicon.ico' })).body.dump()),
  );
  const [cpuBefore, databaseBefore] = [server.cpu(), server.databaseCpu()];
  const startedAt = performance.now();
  await Promise.all(
    clients.map(async (client, connection) => {
      while (turn < count) await ask(client, calls.next(turn++, connection), latencies);
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const [cpu, database] = [server.cpu() - cpuBefore, server.databaseCpu() - databaseBefore];
  await Promise.all(clients.map((client) => client.close()));
  return { requests: count, seconds, cpu, database, latencies };
}

async function ask(client: Client, call: Call, latencies: RecordableHistogram): Promise<void> {
  const { method = 'GET', path, headers, body: content, status = 200, contains, after } = call;
  const startedAt = process.hrtime.bigint();
  const answer = await client.request({ method, path, headers: headers ?? {}, body: content ?? null });
  const body = await answer.body.text();
  latencies.record(process.hrtime.bigint() - startedAt);
  if (answer.statusCode !== status || (contains !== undefined && !body.includes(contains))) {
    throw new Error(`${method} ${path} answered ${answer.statusCode} ${body.slice(0, 300)}`);
  }
  after?.(body);
}

/** Sends a call that isn't measured. */
export type Ask = (call: Call) => Promise<string>;

export const asking =
  ({ origin }: Server): Ask =>
  async ({ method = 'GET', path, headers = {}, body = null }) =>
    await (await request(origin + path, { method, headers, body })).body.text();
