import type { PubSub } from '../database/pub-sub.ts';
import type { Log } from '../observability/index.ts';
import { closeRedis, openRedis } from './connection.ts';

/**
 * Fan-out over a channel of Redis or Valkey, by two connections: one that listens can't speak.
 * Losing the way there is told to the subscribers, and logged once; what is published meanwhile is lost.
 */
export async function redisPubSub(url: string, channel: string, log: Log): Promise<PubSub> {
  const publisher = await openRedis(url, 'is refused');
  const listener = await openRedis(url, 'waits');
  const subscribers = new Set<{ handler: (message: string) => void; interrupted: (() => void) | undefined }>();
  let broken = false;
  const lost = (error: Error) => {
    if (broken) return;
    broken = true;
    log.warn({ error: error.message }, 'processes can’t tell each other of changes, until Redis can be reached');
    for (const { interrupted } of subscribers) interrupted?.();
  };
  const back = () => {
    if (broken && publisher.isReady && listener.isReady) {
      log.info({}, 'processes tell each other of changes again');
      broken = false;
    }
  };
  for (const connection of [publisher, listener]) connection.on('error', lost).on('ready', back);
  // Begins once it is connected, and again by itself whenever it is.
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
