export type RedisConnection = Awaited<ReturnType<typeof openRedis>>;

/** Milliseconds: to connect; without an answer until the connection is given up; between two looks whether it still answers. */
const connectTimeout = 2_000;
const socketTimeout = 5_000;
const pingInterval = 2_000;
/** Longest pause before it is tried again, in milliseconds. */
const maxPause = 1_000;

/**
 * A connection to Redis or Valkey, which is opened in the background, and again
 * whenever it is lost. The library is loaded only here, where a gateway was told to
 * use one.
 * @param whileAway what becomes of that which is asked while it isn't there
 */
export async function openRedis(url: string, whileAway: 'is refused' | 'waits') {
  // CommonJS, of which a bundle knows only the whole.
  const { createClient } = (await import('@redis/client')).default;
  const connection = createClient({
    url,
    disableOfflineQueue: whileAway === 'is refused',
    pingInterval,
    socket: { connectTimeout, socketTimeout, reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, maxPause) },
  });
  // Whoever uses it says what its absence means; an event that nobody hears would end the process.
  connection.on('error', () => {});
  connection.connect().catch(() => {});
  return connection;
}

/** Closes it at once, whether it was ever open or not. */
export function closeRedis(connection: RedisConnection): void {
  if (connection.isOpen) connection.destroy();
}
