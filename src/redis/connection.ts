export type RedisConnection = Awaited<ReturnType<typeof openRedis>>;

/** Milliseconds until connecting times out, until a silent connection is dropped, and between two pings. */
const connectTimeout = 2_000;
const socketTimeout = 5_000;
const pingInterval = 2_000;
/** Longest pause between reconnects, in milliseconds (retry with backoff). */
const maxPause = 1_000;

/**
 * A connection to Redis or Valkey, opened in the background and reopened whenever it is lost. The library is loaded
 * only here, where a gateway is configured to use one.
 * @param whileAway what happens to commands while there is no connection
 */
export async function openRedis(url: string, whileAway: 'is refused' | 'waits') {
  // CommonJS: a bundle sees only the default export.
  const { createClient } = (await import('@redis/client')).default;
  const connection = createClient({
    url,
    disableOfflineQueue: whileAway === 'is refused',
    pingInterval,
    socket: { connectTimeout, socketTimeout, reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, maxPause) },
  });
  // The user of the connection handles its loss; an event without listener would end the process.
  connection.on('error', () => {});
  connection.connect().catch(() => {});
  return connection;
}

/** Closes the connection at once, whether it is open or not. */
export function closeRedis(connection: RedisConnection): void {
  if (connection.isOpen) connection.destroy();
}
