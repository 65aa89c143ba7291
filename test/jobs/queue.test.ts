import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { openDatabase, type OpenDatabase } from '../../src/database/index.ts';
import { described, pauseAfter } from '../../src/jobs/failure.ts';
import { enqueue, type EnqueueOptions } from '../../src/jobs/enqueue.ts';
import type { Handlers } from '../../src/jobs/job.ts';
import { beginPeriods } from '../../src/jobs/statements/queue.ts';
import { Worker } from '../../src/jobs/worker.ts';
import { jobKinds, type JobName } from '../../src/values/kinds/job-kinds.ts';
import { createLog } from '../../src/observability/index.ts';
import { dropDatabase, makeDatabase, query } from '../support/databases/database.ts';

/** A kind of job that only these tests know. */
const name = 'test_job' as JobName;
Object.assign(jobKinds, {
  [name]: { meaning: 'a test', payload: z.object({ n: z.int() }), attempts: 3 },
  other_job: { meaning: 'a test', payload: z.object({ n: z.int() }), priority: 'high' },
});

let made: Awaited<ReturnType<typeof makeDatabase>>;
let database: OpenDatabase;
const log = createLog('silent');
const open = () =>
  openDatabase({ connection: { connectionString: made.url }, connections: 8, statementTimeout: 15_000, log });
beforeAll(async () => {
  made = await makeDatabase();
  database = open();
});
afterAll(async () => {
  await database.close();
  await dropDatabase(made.name);
});

const workers: Worker[] = [];
beforeEach(() => query(made.url, 'truncate jobs, job_periods'));
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.close(0)));
});

type Handle = (n: number, signal: AbortSignal) => Promise<void> | void;
/** A worker of another process: with a pool of its own, if one is given. */
function worker(handle: Handle, { concurrency = 4, on = database, onFull = (): unknown => undefined } = {}): Worker {
  const handlers = {
    [name]: ({ payload, signal }: { payload: { n: number }; signal: AbortSignal }) =>
      Promise.resolve(handle(payload.n, signal)),
  } as unknown as Partial<Handlers>;
  const started = new Worker({ database: on, log, handlers, concurrency, onFull });
  workers.push(started);
  return started;
}
const put = (n: number, options?: EnqueueOptions, of = name) => enqueue(database, of, { n } as never, options);

interface Row {
  readonly id: string;
  readonly key: string | null;
  readonly payload: { n: number };
  readonly attempts: number;
  readonly lease: string | null;
  readonly last_error: string | null;
  readonly dead_at: Date | null;
  /** Seconds from now. */
  readonly due: number;
}
const rows = () =>
  query<Row & Record<string, unknown>>(
    made.url,
    'select *, extract(epoch from run_at - now())::float8 as due from jobs order by id',
  );
const endLeases = () => query(made.url, `update jobs set run_at = now() where lease is not null`);
const until = (what: () => unknown) =>
  vi.waitFor(async () => expect(await what()).toBeTruthy(), { timeout: 5_000, interval: 10 });
const empty = async () => (await rows()).length === 0;

test('jobs run once each, however many workers look for them', async () => {
  const ran: number[] = [];
  const others = [open(), open()];
  const all = [database, ...others].map((on) =>
    worker(
      async (n) => {
        ran.push(n);
        await pause(1);
      },
      { on },
    ),
  );
  await Promise.all(Array.from({ length: 200 }, (_, n) => put(n)));
  all.forEach((one) => one.wake());
  await until(empty);
  expect(ran.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 200 }, (_, n) => n));
  await Promise.all(all.map((one) => one.close(1_000)));
  await Promise.all(others.map((one) => one.close()));
});

test('a job exists if and when its transaction commits, and the commit is announced', async () => {
  let announced = 0;
  const stop = database.onEnqueued(() => announced++);
  const failing = database.transaction(async (sql) => {
    await enqueue(sql, name, { n: 1 } as never);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect([announced, await rows()]).toEqual([0, []]);
  await database.transaction(async (sql) => {
    await enqueue(sql, name, { n: 1 } as never);
    expect([announced, await rows()]).toEqual([0, []]);
  });
  stop();
  expect([announced, (await rows()).length]).toEqual([1, 1]);
});

test('a worker runs no more at once than it may, and says that it is full', async () => {
  let running = 0;
  let most = 0;
  let full = 0;
  const one = worker(
    async () => {
      most = Math.max(most, ++running);
      await pause(5);
      running--;
    },
    { concurrency: 3, onFull: () => full++ },
  );
  await Promise.all(Array.from({ length: 12 }, (_, n) => put(n)));
  one.wake();
  await until(empty);
  expect([most, full > 0]).toEqual([3, true]);
});

test('urgent jobs run first, then the older ones; those of the future wait', async () => {
  const ran: string[] = [];
  await put(1);
  await put(2);
  await put(3, {}, 'other_job' as JobName);
  await put(4, { runAt: new Date(Date.now() + 60_000) });
  const handler =
    (prefix: string) =>
    ({ payload }: { payload: { n: number } }) => {
      ran.push(`${prefix}${payload.n}`);
      return Promise.resolve();
    };
  const handlers = { [name]: handler('n'), other_job: handler('o') } as unknown as Handlers;
  const one = new Worker({ database, log, handlers, concurrency: 1 });
  workers.push(one);
  one.wake();
  await until(async () => (await rows()).length === 1);
  expect(ran).toEqual(['o3', 'n1', 'n2']);
});

test('a worker leaves jobs alone that it has no handler for', async () => {
  await put(1);
  await put(2, {}, 'other_job' as JobName);
  worker(() => undefined).wake();
  await until(async () => (await rows()).length === 1);
  expect((await rows())[0]!.payload).toEqual({ n: 2 });
});

test('while a job waits, another one with its key is the same job: the earlier time, the newer payload', async () => {
  const later = new Date(Date.now() + 3_600_000);
  await put(1, { key: 'a', runAt: later });
  await put(2, { key: 'a' });
  await put(3, { key: 'a', runAt: later });
  await put(4, { key: 'b', runAt: later });
  const all = await rows();
  expect(all.map(({ key, payload, due }) => [key, payload.n, due < 1])).toEqual([
    ['a', 3, true],
    ['b', 4, false],
  ]);
});

test('many requests at once for one key make one job', async () => {
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      database.transaction((sql) => enqueue(sql, name, { n } as never, { key: 'a' })),
    ),
  );
  expect(await rows()).toHaveLength(1);
});

test('a job is not claimed while a transaction that repeats it is open: it would miss what that changes', async () => {
  const ran: number[] = [];
  await put(1, { key: 'a' });
  const one = worker((n) => void ran.push(n));
  await database.transaction(async (sql) => {
    await enqueue(sql, name, { n: 2 } as never, { key: 'a' });
    one.wake();
    await pause(100);
    expect(ran).toEqual([]);
  });
  one.wake();
  await until(empty);
  expect(ran).toEqual([2]);
});

test('what is enqueued while its key runs waits for the end of that run', async () => {
  const order: string[] = [];
  let release: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  const one = worker(async (n) => {
    order.push(`begin ${n}`);
    if (n === 1) await held;
    order.push(`end ${n}`);
  });
  await put(1, { key: 'a' });
  one.wake();
  await until(() => order.length === 1);
  await put(2, { key: 'a' });
  one.wake();
  await pause(100);
  expect(order).toEqual(['begin 1']);
  release!();
  await until(empty);
  expect(order).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
});

test('a failed job waits longer after each attempt, and is a dead letter after the last', async () => {
  let attempts = 0;
  const one = worker(() => {
    attempts++;
    throw new Error('refused: password=hunter2 at https://ada:lovelace@example.com/x');
  });
  await put(1, { key: 'a' });
  const dues: number[] = [];
  for (let attempt = 1; attempt <= 3; attempt++) {
    await query(made.url, 'update jobs set run_at = now()');
    one.wake();
    await until(async () => (await rows())[0]!.attempts === attempt && (await rows())[0]!.lease === null);
    dues.push((await rows())[0]!.due);
  }
  const [job] = await rows();
  expect([dues[0]! > 5 && dues[0]! < 15, dues[1]! > 20 && dues[1]! < 40]).toEqual([true, true]);
  expect([attempts, job!.dead_at !== null, job!.last_error]).toEqual([
    3,
    true,
    'Error: refused: password=… at https://…@example.com/x',
  ]);
  one.wake();
  await pause(50);
  expect(attempts).toBe(3);
  // A dead letter doesn't prevent new work of its key, whose success settles it.
  const works = worker(() => undefined);
  await put(2, { key: 'a' });
  works.wake();
  await until(empty);
});

test('a failed job gives way to one of its key that waits already', async () => {
  let release: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  const one = worker(async (n) => {
    if (n > 1) return;
    await held;
    throw new Error('failed');
  });
  await put(1, { key: 'a' });
  one.wake();
  await until(async () => (await rows())[0]!.lease !== null);
  await put(2, { key: 'a' });
  release!();
  await until(empty);
});

test('a payload that the kind does not allow is a failure, not a crash', async () => {
  const ran: number[] = [];
  await query(made.url, `insert into jobs (name, payload, max_attempts) values ('test_job', '{"n": "x"}', 1)`);
  worker((n) => void ran.push(n)).wake();
  await until(async () => (await rows())[0]!.dead_at !== null);
  expect([ran, (await rows())[0]!.last_error]).toEqual([[], expect.stringContaining('expected number')]);
});

test('when the process of a run ends, the job runs again after its lease, elsewhere', async () => {
  const ran: string[] = [];
  const first = worker(() => new Promise(() => ran.push('first')), { on: database });
  await put(1);
  first.wake();
  await until(() => ran.length === 1);
  const second = worker(() => void ran.push('second'));
  second.wake();
  await pause(100);
  expect(ran).toEqual(['first']);
  expect((await rows())[0]!.due).toBeGreaterThan(55);
  await endLeases();
  second.wake();
  await until(empty);
  expect(ran).toEqual(['first', 'second']);
});

test('a job whose process ended during every attempt is a dead letter and runs no more', async () => {
  const ran: number[] = [];
  await query(
    made.url,
    `insert into jobs (name, payload, max_attempts, attempts, lease) values ('test_job', '{"n": 1}', 2, 2, gen_random_uuid())`,
  );
  worker((n) => void ran.push(n)).wake();
  await until(async () => (await rows())[0]!.dead_at !== null);
  expect([ran, (await rows())[0]!.last_error]).toEqual([[], 'Error: its process ended during every attempt']);
});

test('the end of a run whose lease was lost changes nothing of the run that has it now', async () => {
  let release: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  const slow = worker(() => held);
  await put(1);
  slow.wake();
  await until(async () => (await rows())[0]!.lease !== null);
  await query(made.url, 'update jobs set lease = gen_random_uuid()');
  release!();
  await slow.close(1_000);
  expect((await rows())[0]).toMatchObject({ attempts: 1, lease: expect.any(String) });
});

test('after the begin of a shutdown nothing is claimed; running jobs finish, or are given back', async () => {
  const ran: number[] = [];
  let release: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  const one = worker(
    async (n, signal) => {
      ran.push(n);
      await (n === 1
        ? held
        : new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))));
    },
    { concurrency: 2 },
  );
  for (const n of [1, 2, 3]) await put(n);
  await until(() => {
    one.wake();
    return ran.length === 2;
  });
  const closed = one.close(300);
  one.wake();
  release!();
  await closed;
  expect(ran).toEqual([1, 2]);
  const left = await rows();
  expect(left.map(({ payload, attempts, lease, due }) => [payload.n, attempts, lease, due < 1])).toEqual([
    [2, 0, null, true],
    [3, 0, null, true],
  ]);
});

test('a run that takes too long is stopped and counts as failed', async () => {
  Object.assign(jobKinds[name], { timeout: 0.05 });
  try {
    worker(() => new Promise(() => undefined)).wake();
    await put(1);
    workers.at(-1)!.wake();
    await until(async () => (await rows())[0]!.last_error !== null);
    expect((await rows())[0]!.last_error).toBe('Error: took longer than 0.05 s');
  } finally {
    Object.assign(jobKinds[name], { timeout: undefined });
  }
});

test('a periodic job is enqueued once in each period, by however many processes', async () => {
  const begin = () =>
    Promise.all(Array.from({ length: 10 }, () => database.rows(beginPeriods, [[name], [3_600], [1], [3]])));
  await begin();
  expect(await rows()).toHaveLength(1);
  await query(made.url, 'delete from jobs');
  await begin();
  expect(await rows()).toHaveLength(0);
  await query(made.url, `update job_periods set period = period - interval '1 hour'`);
  await begin();
  expect(await rows()).toHaveLength(1);
});

test('a job that an operator asks for runs in that process, and its failure is thrown', async () => {
  await put(1, { key: 'now', runAt: new Date(Date.now() + 60_000) });
  const failing = worker(() => Promise.reject(new Error('no disk')));
  await expect(failing.runNow(name, 'now')).rejects.toThrow('no disk');
  const ran: number[] = [];
  const one = worker((n) => void ran.push(n));
  expect([await one.runNow(name, 'now'), await one.runNow(name, 'now'), ran]).toEqual([true, false, [1]]);
  expect(await rows()).toEqual([]);
});

test('pauses grow threefold up to an hour, with a quarter of jitter', () => {
  expect([1, 2, 3, 9].map((attempt) => pauseAfter(attempt, undefined, 0.5))).toEqual([10, 30, 90, 3_600]);
  expect([pauseAfter(1, undefined, 0), pauseAfter(1, undefined, 1), pauseAfter(5, 20, 0.5)]).toEqual([7.5, 12.5, 20]);
});

test.each([
  ['a bearer token', 'Authorization: Bearer abc.def', 'abc.def'],
  ['a token of ours', 'invalid cwpat_0123456789abcdefghij given', 'cwpat_0123456789'],
  ['a password in an address', 'connect postgres://u:p4ss@db/x', 'p4ss'],
  ['a named value', '{"secret":"s3cr3t"}', 's3cr3t'],
])('an error is stored without %s', (_what, message, secret) => {
  expect(described(new Error(message))).not.toContain(secret);
});
