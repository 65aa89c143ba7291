import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { keyFingerprints, loadInstanceKeys } from '../../src/auth/index.ts';
import { makeKeyFile } from '../../src/auth/keys/instance-keys.ts';
import { readConfig, type Config, type Rate } from '../../src/config/index.ts';
import type { Exchange } from '../../src/http/index.ts';
import { Counts, type CounterIncrement, type Total } from '../../src/limits/counts.ts';
import { startLimits, type RunningLimits } from '../../src/limits/index.ts';
import { closeRedis, openRedis, redisPubSub } from '../../src/redis/index.ts';
import { sweep } from '../../src/jobs/sweep.ts';
import { changesOf } from '../../src/services.ts';
import { testGateway } from '../support/gateway.ts';
import { hasRedis, redisServer, type RedisServer } from '../support/databases/redis.ts';

/** How processes share their counts; the doors are in request-limits.test.ts. */

const patience = { timeout: 30_000, interval: 100 };

function noted() {
  const lines: string[] = [];
  const note = (level: string) => (_fields: object, message: string) => void lines.push(`${level}: ${message}`);
  return { lines, log: { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') } };
}
const alone = 'warn: rate limits count only requests to this process, until the others can be reached';
const together = 'info: rate limits are shared between processes again';

describe('one process', () => {
  const many: Rate = { most: 1_000, seconds: 600 };
  const few: Rate = { most: 10, seconds: 600 };
  const sent: CounterIncrement[][] = [];
  let add: (counted: readonly CounterIncrement[]) => Promise<readonly Total[]>;
  let local: RateLimiterMemory;
  let counts: Counts;
  const { lines, log } = noted();
  beforeEach(() => {
    vi.useFakeTimers();
    sent.length = lines.length = 0;
    add = (counted) => Promise.resolve(counted.map(({ key, points }) => ({ key, points, milliseconds: 600_000 })));
    local = new RateLimiterMemory({ points: 1, duration: 60, keyPrefix: '' });
    const shared = {
      add: (counted: readonly CounterIncrement[]) => (sent.push([...counted]), add(counted)),
      close() {},
    };
    counts = new Counts(local, shared, log);
  });
  afterEach(async () => {
    await counts.close();
    vi.useRealTimers();
  });
  const aSecond = () => vi.advanceTimersByTimeAsync(1_000);

  test('shares new counts about once a second, and nothing where there are none', async () => {
    await counts.count('a', few, 2);
    await counts.count('a', few);
    await aSecond();
    await aSecond();
    expect(sent).toEqual([[{ key: 'a', points: 3, seconds: 600 }]]);
    await counts.count('a', few);
    await aSecond();
    expect(sent[1]).toEqual([{ key: 'a', points: 1, seconds: 600 }]);
  });

  test('doesn’t share less than a hundredth of a limit', async () => {
    await counts.count('a', many, 9);
    await aSecond();
    expect(sent).toEqual([]);
    await counts.count('a', many);
    await aSecond();
    expect(sent).toEqual([[{ key: 'a', points: 10, seconds: 600 }]]);
  });

  test('drops a counter when its time is over', async () => {
    await counts.count('a', many, 9);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(await counts.count('a', many)).toMatchObject({ observed: 1 });
    await aSecond();
    expect(sent).toEqual([]);
  });

  test('takes over what the others counted, and when that ends, beside what it counted meanwhile', async () => {
    await counts.count('a', few);
    let answer!: (totals: Total[]) => void;
    add = () => new Promise((resolve) => (answer = resolve));
    await aSecond();
    await counts.count('a', few, 2);
    answer([{ key: 'a', points: 6, milliseconds: 5_000 }]);
    await vi.advanceTimersByTimeAsync(0);
    expect(await counts.count('a', few)).toEqual({ observed: 9, milliseconds: 5_000 });
  });

  test('goes on without the others, logs it once, and shares everything when they are back', async () => {
    const back = add;
    add = () => Promise.reject(new Error('gone'));
    for (const observed of [1, 2, 3]) {
      expect(await counts.count('a', few)).toMatchObject({ observed });
      await aSecond();
    }
    expect(lines).toEqual([alone]);
    add = back;
    await aSecond();
    expect(sent.at(-1)).toEqual([{ key: 'a', points: 3, seconds: 600 }]);
    expect(lines).toEqual([alone, together]);
  });

  test('keeps a bounded number of counters, the busiest the longest', async () => {
    await counts.count('much', few, 5);
    for (let index = 0; index < 19_999; index++) await counts.count(`once ${index}`, many);
    await aSecond();
    for (let index = 0; index < 500; index++) await counts.count(`again ${index}`, many);
    expect(local.dump().storage).toHaveLength(20_000);
    expect(await counts.count('much', few)).toMatchObject({ observed: 6 });
    expect(await counts.count('once 0', many)).toMatchObject({ observed: 1 });
  });

  test('shares a thousand at once at most, and the rest a second later', async () => {
    for (let index = 0; index < 1_001; index++) await counts.count(`key ${index}`, few);
    await aSecond();
    await aSecond();
    expect(sent.map(({ length }) => length)).toEqual([1_000, 1]);
  });
});

test('counters of the database whose time is over are swept', async () => {
  const gateway = await testGateway();
  const { database } = gateway.gateway.application;
  await gateway.sql(
    `insert into request_counters values ('over', 1, now() - interval '1 second'), ('counting', 1, now() + interval '1 hour')`,
  );
  await sweep({ database, auditDays: 365 });
  expect(await gateway.sql('select key from request_counters')).toEqual([{ key: 'counting' }]);
});

describe.runIf(hasRedis)('with Redis', () => {
  let redis: RedisServer;
  beforeEach(async () => {
    redis = await redisServer();
    return () => redis.kill();
  });

  const unused = { rows: () => Promise.reject(new Error('the database isn’t asked')) };

  /** Counts over Redis as a process does. */
  async function aProcess(
    log = noted().log,
    prefix = 'an instance',
  ): Promise<RunningLimits & { ask(): Promise<number> }> {
    const limits: Config['limits'] = {
      unauthenticatedApi: undefined,
      authenticatedApi: undefined,
      runnerApi: undefined,
      protectedPaths: { most: 100, seconds: 600 },
      endpoints: false,
    };
    const running = await startLimits({ limits, redis: { url: redis.url, prefix } }, unused, log);
    return {
      ...running,
      async ask() {
        const headers: Record<string, string> = {};
        await running.limits.guess({ address: '192.0.2.1', headers } as Exchange);
        return Number(headers['RateLimit-Observed']);
      },
    };
  }

  test('processes count together, each alone while it is gone, and together again by themselves', async () => {
    const { lines, log } = noted();
    const one = await aProcess(log);
    const other = await aProcess();
    try {
      // Not there yet: no request waits for it.
      expect(await one.ask()).toBe(1);
      await vi.waitFor(() => expect(lines).toEqual([alone]), patience);
      await redis.start();
      await vi.waitFor(() => expect(lines).toEqual([alone, together]), patience);
      for (let times = 0; times < 30; times++) await one.ask();
      await vi.waitFor(async () => expect(await other.ask()).toBeGreaterThan(31), { timeout: 15_000, interval: 600 });

      await redis.kill();
      const before = await one.ask();
      expect(await one.ask()).toBe(before + 1);
      await vi.waitFor(() => expect(lines).toEqual([alone, together, alone]), patience);
      await redis.start();
      await vi.waitFor(() => expect(lines).toEqual([alone, together, alone, together]), patience);
      expect(await one.ask()).toBeGreaterThan(0);
    } finally {
      await one.close();
      await other.close();
    }
  });

  test('instances that share a Redis count apart', async () => {
    await redis.start();
    const [one, same, another] = [await aProcess(), await aProcess(), await aProcess(noted().log, 'another instance')];
    try {
      for (let times = 0; times < 30; times++) await one.ask();
      let asked = 0;
      // Each shares its counts and gets the totals.
      const meets = async () => {
        asked++;
        expect(await another.ask()).toBe(asked);
        expect(await same.ask()).toBeGreaterThan(31);
      };
      await vi.waitFor(meets, { timeout: 15_000, interval: 600 });
      await meets();
    } finally {
      for (const process of [one, same, another]) await process.close();
    }
  });

  test('shared counts go by the key', async () => {
    await redis.start();
    const dataDir = await mkdtemp(join(tmpdir(), 'causeway-key-'));
    const config = readConfig({ DATA_DIR: dataDir, REDIS_URL: redis.url });
    makeKeyFile(dataDir);
    const feed = await changesOf(config, loadInstanceKeys(config)!, unused, {}, noted().log);
    const asking = await openRedis(redis.url, 'waits');
    try {
      await vi.waitFor(
        async () => expect(await asking.pubSubChannels()).toEqual([`causeway ${keyFingerprints(config)[0]} changes`]),
        patience,
      );
    } finally {
      await feed.close();
      closeRedis(asking);
      await rm(dataDir, { recursive: true });
    }
  });

  test('messages reach every process, and again after it was gone', async () => {
    const { lines, log } = noted();
    await redis.start();
    const [one, other] = [
      await redisPubSub(redis.url, 'a-channel', log),
      await redisPubSub(redis.url, 'a-channel', noted().log),
    ];
    const heard: string[] = [];
    const end = one.subscribe((message) => heard.push(`one ${message}`));
    other.subscribe((message) => heard.push(`other ${message}`));
    /** Messages are lost before there is a subscriber, so this publishes until one arrives. */
    const reaches = (message: string, names: string[]) =>
      vi.waitFor(async () => {
        await one.publish(message);
        expect(heard).toEqual(expect.arrayContaining(names.map((who) => `${who} ${message}`)));
      }, patience);
    try {
      await reaches('first', ['one', 'other']);
      // Messages that came too early were reported as lost.
      lines.length = 0;
      await redis.kill();
      await vi.waitFor(async () => {
        await one.publish('lost');
        expect(lines).toEqual(['warn: can’t publish changes to other processes: Redis can’t be reached']);
      }, patience);
      await redis.start();
      await reaches('second', ['one', 'other']);
      expect(lines[1]).toBe('info: changes are published to other processes again');
      end();
      heard.length = 0;
      await reaches('third', ['other']);
      expect(heard.filter((message) => message.startsWith('one'))).toEqual([]);
    } finally {
      await one.close();
      await other.close();
    }
  });
});
