import type { RateLimiterRedis } from 'rate-limiter-flexible';
import type { Sql } from '../database/index.ts';
import { addRequests } from './statements.ts';
import { closeRedis, type RedisConnection } from '../redis/index.ts';
import type { SharedCounts } from './counts.ts';

/** Shares counts over the database: one statement for all counters. */
export function overPostgres(sql: Sql): SharedCounts {
  return {
    async add(counted) {
      const sorted = counted.toSorted((one, other) => (one.key < other.key ? -1 : 1));
      const rows = await sql.rows(addRequests, [
        sorted.map(({ key }) => key),
        sorted.map(({ points }) => points),
        sorted.map(({ seconds }) => seconds),
      ]);
      return rows.map(({ key, count, milliseconds_left: milliseconds }) => ({ key, points: count, milliseconds }));
    },
    close() {},
  };
}

/** Shares counts over Redis or Valkey: one round trip, since the connection pipelines commands. */
export function overRedis(limiter: RateLimiterRedis, connection: RedisConnection): SharedCounts {
  return {
    add: (counted) =>
      Promise.all(
        counted.map(async ({ key, points, seconds }) => {
          const { consumedPoints, msBeforeNext } = await limiter.penalty(key, points, { customDuration: seconds });
          return { key, points: consumedPoints, milliseconds: Math.max(msBeforeNext, 1) };
        }),
      ),
    close: () => closeRedis(connection),
  };
}
