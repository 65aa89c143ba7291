export { closeRedis, openRedis, type RedisConnection } from './connection.ts';
export { redisFanOut } from './fan-out.ts';
