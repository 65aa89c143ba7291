import pg from 'pg';
import { Unavailable } from '../errors.ts';
import type { Log } from '../observability/index.ts';
import { statement, type Sql } from './index.ts';
import { destroy, type PrimaryWatch } from './wire/primary.ts';

/**
 * Publish and subscribe between all processes of the instance. Messages aren't stored: a process that isn't connected
 * misses them.
 */
export interface PubSub {
  /**
   * Sends a message to all subscribed processes, including this one.
   * @param message at most 7,900 bytes
   * @throws Unavailable
   */
  publish(message: string): Promise<void>;
  /** @param interrupted called when messages may have been missed @returns unsubscribes */
  subscribe(handler: (message: string) => void, interrupted?: () => void): () => void;
  /** Resolves once everything published from now on reaches the handlers. @throws Unavailable */
  ready?(): Promise<void>;
  close(): Promise<void>;
}

export interface PostgresPubSubOptions {
  /** Connection settings of the server itself: LISTEN doesn't work through a transaction pooler. */
  readonly connection: pg.PoolConfig;
  /** Publishes messages; may be behind a pooler. */
  readonly sql: Sql;
  readonly log: Log;
  /** Watches for a failover, where one is possible. */
  readonly primary?: PrimaryWatch | undefined;
}

const channel = 'causeway';
/** $1 the channel, $2 the message. */
export const notify = statement<object>('notify', 'select pg_notify($1, $2)');

/** Asked now and then on the listening connection: a network that fails doesn't close it. */
export const keepAlive = 'select 1';
/** Milliseconds until connecting, or a statement, fails. */
const connectTimeout = 5_000;
/** Milliseconds between keep-alive queries. */
const keepAliveInterval = 15_000;

/**
 * Publish and subscribe over PostgreSQL's LISTEN and NOTIFY. One connection listens, opened on the first `ready`. When
 * it is lost, subscribers are notified, and the next `ready` opens another one.
 */
export function postgresPubSub({ connection, sql, log, primary }: PostgresPubSubOptions): PubSub {
  const subscribers = new Set<{ handler: (message: string) => void; interrupted: (() => void) | undefined }>();
  let listening: Promise<pg.Client> | undefined;
  let closed = false;

  async function listen(): Promise<pg.Client> {
    const client = new pg.Client({
      ...connection,
      application_name: 'causeway listening',
      connectionTimeoutMillis: connectTimeout,
      query_timeout: connectTimeout,
    });
    client.on('notification', ({ payload = '' }) => {
      for (const { handler } of subscribers) handler(payload);
    });
    // The `end` event follows and handles the loss.
    client.on('error', () => undefined);
    try {
      await client.connect();
      await primary?.admit(client);
      await client.query(`listen ${channel}`);
    } catch (error) {
      listening = undefined;
      client.end().catch(() => undefined);
      log.warn({ error: (error as Error).message }, 'can’t listen for changes: the database can’t be reached');
      throw new Unavailable();
    }
    const look = setInterval(() => client.query(keepAlive).catch(() => destroy(client)), keepAliveInterval).unref();
    // The former primary may still run, but receives nothing that is published at the new one.
    const stopFollowing = primary?.onMoved(() => destroy(client));
    client.on('end', () => {
      clearInterval(look);
      stopFollowing?.();
      listening = undefined;
      if (closed) return;
      log.warn({}, 'the connection that listens for changes was lost');
      for (const { interrupted } of subscribers) interrupted?.();
    });
    return client;
  }

  return {
    async publish(message) {
      await sql.rows(notify, [channel, message]);
    },
    subscribe(handler, interrupted) {
      const subscriber = { handler, interrupted };
      subscribers.add(subscriber);
      return () => void subscribers.delete(subscriber);
    },
    async ready() {
      if (closed) throw new Unavailable();
      await (listening ??= listen());
    },
    async close() {
      closed = true;
      subscribers.clear();
      const client = await listening?.catch(() => undefined);
      await client?.end();
    },
  };
}
