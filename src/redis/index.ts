export { closeRedis, openRedis, type RedisConnection } from './connection.ts';
export { redisPubSub } from './pub-sub.ts';
