import { optional } from '../run/optional.ts';
import { redisProgram } from './redis-server.ts';

export { redisServer, type RedisServer } from './redis-server.ts';

/** Whether Redis is installed. */
export const hasRedis = optional(
  'redis-server',
  redisProgram !== undefined,
  'No redis-server found: install one, or name it in REDIS_SERVER.',
);
