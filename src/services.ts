import type pg from 'pg';
import { fingerprintsOf, type InstanceKeys } from './auth/index.ts';
import { ChangeFeed } from './changes/index.ts';
import type { Config } from './config/index.ts';
import type { OpenDatabase, Sql } from './database/index.ts';
import { postgresPubSub } from './database/pub-sub.ts';
import { inboxMail, mailWay, noMail, startMail, type Mail } from './mail/index.ts';
import type { Log } from './observability/index.ts';
import { redisPubSub } from './redis/index.ts';

/** What a gateway uses beside its database, by its settings: mail, the change feed, Redis; and its own address. */

/** The way to send mail, and whether people are notified: they aren't if there is none. */
export async function mailOf(
  config: Config,
  database: OpenDatabase,
  log: Log,
): Promise<{ mail: Mail; notifies: boolean }> {
  const { url, from } = config.smtp;
  const { hostname } = new URL(urlOf(config));
  if (url && from) return { mail: await startMail({ url, from, host: hostname, log }), notifies: true };
  const notifies = notifiesPeople(config);
  return { mail: notifies ? inboxMail(database, log) : noMail, notifies };
}

/** Whether people are notified: there is a mail server, or an inbox. */
export const notifiesPeople = (config: Config): boolean => mailWay(config, urlOf(config)) !== 'none';

/** The URL of the gateway, as far as the settings say it. */
const urlOf = ({ baseUrl, host, port }: Config): string => baseUrl ?? addressOf(host, port);

/** Publishes changes to every process of the instance, over PostgreSQL or Redis. */
export async function changesOf(
  config: Config,
  keys: InstanceKeys,
  database: Sql & Partial<Pick<OpenDatabase, 'primary'>>,
  connection: pg.PoolConfig,
  log: Log,
): Promise<ChangeFeed> {
  const redis = redisOf(config, keys);
  const pubSub = redis
    ? await redisPubSub(redis.url, `${redis.prefix} changes`, log)
    : postgresPubSub({ connection: directly(config, connection), sql: database, log, primary: database.primary });
  return new ChangeFeed(pubSub, log);
}

/**
 * The Redis of the settings, with this instance's prefix for names: other instances, which have other keys, may use
 * the same Redis. During a key rotation, all processes use the prefix of the old key.
 */
export const redisOf = (config: Config, keys: InstanceKeys) =>
  config.redisUrl === undefined
    ? undefined
    : { url: config.redisUrl, prefix: `causeway ${fingerprintsOf(keys).at(-1)}` };

/**
 * The database without its pooler, if the settings have a direct URL: for long work, and for work that needs a session
 * of its own.
 */
export const directly = ({ databaseUrl, databaseDirectUrl }: Config, connection: pg.PoolConfig): pg.PoolConfig =>
  databaseUrl && databaseDirectUrl ? { connectionString: databaseDirectUrl } : connection;

/**
 * The default URL of a gateway, if none is configured. A gateway that listens on all addresses is reached on loopback.
 */
export function addressOf(host: string, port: number): string {
  return originOf(['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host, port);
}

/** The origin of a host and port, with IPv6 addresses in brackets (RFC 3986 §3.2.2). */
export const originOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
