import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { Client, request } from 'undici';
import type { Server } from './server.ts';

/** One request, and what its answer must look like. */
export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** 200 unless said otherwise. */
  readonly status?: number;
  /** Part of a right answer's body. */
  readonly contains?: string;
  /** Takes from the answer what a later call needs. */
  readonly after?: (body: string) => void;
}

/** What a side is asked, call by call. */
export interface Calls {
  /** Makes ready what the next slice uses up. @param count of calls */
  readonly prepare?: (count: number) => Promise<void>;
  /** @param connection which of the connections asks; its calls come one after the other */
  readonly next: (turn: number, connection: number) => Call;
}

/** What one slice of load showed. */
export interface Slice {
  readonly requests: number;
  readonly seconds: number;
  /** Of the server, in microseconds, all requests together. */
  readonly cpu: number;
  /** Of its PostgreSQL, likewise. */
  readonly database: number;
  /** Nanoseconds. */
  readonly latencies: RecordableHistogram;
}

/**
 * Sends calls over so many connections, each waiting for its answer before it asks
 * again, and checks every answer.
 * @throws Error for an answer that isn't right
 */
export async function runSlice(server: Server, calls: Calls, count: number, connections: number): Promise<Slice> {
  await calls.prepare?.(count);
  const latencies = createHistogram();
  const clients = Array.from({ length: connections }, () => new Client(server.origin, { pipelining: 1 }));
  let turn = 0;
  // Connecting isn't what is measured.
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

/** Asks outside what is measured. */
export type Ask = (call: Call) => Promise<string>;

export const asking =
  ({ origin }: Server): Ask =>
  async ({ method = 'GET', path, headers = {}, body = null }) =>
    await (await request(origin + path, { method, headers, body })).body.text();
