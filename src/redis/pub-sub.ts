import type { PubSub } from '../database/pub-sub.ts';
import type { Log } from '../observability/index.ts';
import { closeRedis, openRedis } from './connection.ts';

/**
 * Publish and subscribe over a channel of Redis or Valkey. It uses two connections, since a subscribed one can't
 * publish. When the connection is lost, subscribers are notified and the loss is logged once; messages published
 * meanwhile are lost.
 */
export async function redisPubSub(url: string, channel: string, log: Log): Promise<PubSub> {
  const publisher = await openRedis(url, 'is refused');
  const listener = await openRedis(url, 'waits');
  const subscribers = new Set<{ handler: (message: string) => void; interrupted: (() => void) | undefined }>();
  let broken = false;
  const lost = (error: Error) => {
    if (broken) return;
    broken = true;
    log.warn({ error: error.message }, 'can’t publish changes to other processes: Redis can’t be reached');
    for (const { interrupted } of subscribers) interrupted?.();
  };
  const back = () => {
    if (broken && publisher.isReady && listener.isReady) {
      log.info({}, 'changes are published to other processes again');
      broken = false;
    }
  };
  for (const connection of [publisher, listener]) connection.on('error', lost).on('ready', back);
  // Subscribes once connected, and again after each reconnect.
  listener
    .subscribe(channel, (message) => {
      for (const { handler } of subscribers) handler(message);
    })
    .catch(lost);
  return {
    async publish(message) {
      await publisher.publish(channel, message).catch(lost);
    },
    subscribe(handler, interrupted) {
      const subscriber = { handler, interrupted };
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
    async close() {
      for (const connection of [publisher, listener]) {
        connection.off('error', lost);
        closeRedis(connection);
      }
    },
  };
}
