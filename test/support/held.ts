import pg from 'pg';
import { expect, vi } from 'vitest';
import type { TestGateway } from './gateway.ts';

/** A statement that holds rows, with its values. */
export type Held = readonly [statement: string, ...values: unknown[]];

/**
 * Sends requests while somebody holds rows that they come to, and lets go once every one of them waits: so what they read
 * before is the same for all, and older than what happens.
 * @param happens before the rows are let go; on the holder's connection where it changes them
 */
export async function whileHeld<T>(
  { databaseUrl, sql }: Pick<TestGateway, 'databaseUrl' | 'sql'>,
  [statement, ...values]: Held,
  requests: readonly (() => Promise<T>)[],
  happens?: (holder: pg.Client) => Promise<unknown>,
): Promise<T[]> {
  const holder = new pg.Client({ connectionString: databaseUrl });
  await holder.connect();
  try {
    await holder.query('begin');
    expect((await holder.query(statement, values)).rowCount).toBeGreaterThan(0);
    const answers = Promise.all(requests.map((request) => request()));
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    // On another connection: a transaction sees the activity of its first look at it ever after.
    await vi.waitFor(async () => expect(await sql(waiting)).toHaveLength(requests.length), { timeout: 20_000 });
    await happens?.(holder);
    await holder.query('commit');
    return await answers;
  } finally {
    await holder.end();
  }
}
