export { closeRedis, openRedis, type RedisConnection } from './connection.ts';
export { redisFanOut, type FanOut } from './fan-out.ts';
