import type { Config } from '../config.ts';
import type { Sql } from '../database/index.ts';
import type { Log } from '../observability/index.ts';
import { openRedis } from '../redis/index.ts';
import { Counts } from './counts.ts';
import { limitsOver, noLimits, type Limits } from './limits.ts';
import { overPostgres, overRedis } from './shared.ts';

export interface LimitSettings {
  readonly limits: Config['limits'];
  /** The names of its counters begin with the prefix: other instances may use the same one. */
  readonly redis?: { readonly url: string; readonly prefix: string } | undefined;
}

export interface RunningLimits {
  readonly limits: Limits;
  close(): Promise<void>;
}

/**
 * The limits of the settings. Where there are none, nothing is loaded, opened or counted.
 * @param settings its Redis is where processes settle; without one they do over the database
 */
export async function startLimits({ limits, redis }: LimitSettings, sql: Sql, log: Log): Promise<RunningLimits> {
  if (!Object.values(limits).some(Boolean)) return { limits: noLimits, close: () => Promise.resolve() };
  // CommonJS, of which a bundle knows only the whole.
  const { RateLimiterMemory, RateLimiterRedis } = (await import('rate-limiter-flexible')).default;
  // Points and duration are those of counters that bring none; each of ours does.
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
