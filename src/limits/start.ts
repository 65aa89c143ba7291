import type { Config } from '../config/index.ts';
import type { Sql } from '../database/index.ts';
import type { Log } from '../observability/index.ts';
import { openRedis } from '../redis/index.ts';
import { Counts } from './counts.ts';
import { limitsOver, noLimits, type Limits } from './limits.ts';
import { overPostgres, overRedis } from './shared.ts';

export interface LimitSettings {
  readonly limits: Config['limits'];
  /** Keys begin with the prefix, so that instances can use the same Redis. */
  readonly redis?: { readonly url: string; readonly prefix: string } | undefined;
}

export interface RunningLimits {
  readonly limits: Limits;
  close(): Promise<void>;
}

/**
 * Starts the rate limits of the settings. If there are none, nothing is loaded, opened or counted. Processes share
 * counts over Redis if it is configured, otherwise over the database.
 */
export async function startLimits({ limits, redis }: LimitSettings, sql: Sql, log: Log): Promise<RunningLimits> {
  if (!Object.values(limits).some(Boolean)) return { limits: noLimits, close: () => Promise.resolve() };
  // CommonJS: in a bundle it has only its default export.
  const { RateLimiterMemory, RateLimiterRedis } = (await import('rate-limiter-flexible')).default;
  // Required, but never used: each of our counters has its own points and duration.
  const usual = { points: 1, duration: 60, keyPrefix: '' };
  let shared = overPostgres(sql);
  if (redis) {
    const connection = await openRedis(redis.url, 'is refused');
    shared = overRedis(
      new RateLimiterRedis({ ...usual, keyPrefix: redis.prefix, storeClient: connection, useRedisPackage: true }),
      connection,
    );
  }
  const counts = new Counts(new RateLimiterMemory(usual), shared, log);
  return { limits: limitsOver(counts, limits), close: () => counts.close() };
}
