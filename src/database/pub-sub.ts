import pg from 'pg';
import { Unavailable } from '../errors.ts';
import type { Log } from '../observability/index.ts';
import { statement, type Sql } from './index.ts';
import { destroy, type PrimaryWatch } from './wire/primary.ts';

/** Short texts for every process of the instance, none of which is kept: who isn't there misses them. */
export interface PubSub {
  /**
   * Tells the processes that listen, this one too.
   * @param message at most 7,900 bytes
   * @throws Unavailable
   */
  publish(message: string): Promise<void>;
  /**
   * @param interrupted is called when messages may have been missed
   * @returns what ends it
   */
  subscribe(handler: (message: string) => void, interrupted?: () => void): () => void;
  /**
   * Resolves once whatever is published from then on reaches the handlers.
   * @throws Unavailable
   */
  ready?(): Promise<void>;
  close(): Promise<void>;
}

export interface PostgresPubSubOptions {
  /** Of the server itself: a pooler that lends connections for one transaction doesn't carry LISTEN. */
  readonly connection: pg.PoolConfig;
  /** Where messages are published: that may be behind a pooler. */
  readonly sql: Sql;
  readonly log: Log;
  /** Watches for another primary, where there may be one. */
  readonly primary?: PrimaryWatch | undefined;
}

const channel = 'causeway';
/** $1 the channel, $2 the message. */
export const notify = statement<object>('notify', 'select pg_notify($1, $2)');

/** Milliseconds until an attempt to connect, or to hear from the server, is given up. */
const connectTimeout = 5_000;
/** Milliseconds between two looks whether the server is still there: a network that went away says nothing. */
const lookAgain = 15_000;

/**
 * Fan-out over PostgreSQL's LISTEN and NOTIFY. One connection listens, opened when
 * somebody first waits for messages. Losing it tells the subscribers, and whoever
 * is ready for messages again opens another one.
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
    // What it says of a loss follows from its end.
    client.on('error', () => undefined);
    try {
      await client.connect();
      await primary?.admit(client);
      await client.query(`listen ${channel}`);
    } catch (error) {
      listening = undefined;
      client.end().catch(() => undefined);
      log.warn({ error: (error as Error).message }, 'nothing listens for changes: the database can’t be reached');
      throw new Unavailable();
    }
    const look = setInterval(() => client.query('select 1').catch(() => destroy(client)), lookAgain).unref();
    // The last primary may live on, and hear nothing of what is published at the new one.
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
