import pg from 'pg';
import { expect, vi } from 'vitest';
import type { TestGateway } from '../gateway.ts';
import { untilIdle } from './statements.ts';

/** A statement that locks rows, with its values. */
export type Held = readonly [statement: string, ...values: unknown[]];

/**
 * Sends requests while another connection locks rows that they need, and releases the rows when all requests wait. So
 * all of them have read the same state, from before `happens`.
 * @param happens runs before the release; changes to the locked rows use the connection of the holder
 */
export async function whileHeld<T>(
  { databaseUrl, sql }: Pick<TestGateway, 'databaseUrl' | 'sql'>,
  [statement, ...values]: Held,
  requests: readonly (() => Promise<T>)[],
  happens?: (holder: pg.Client) => Promise<unknown>,
): Promise<T[]> {
  // A job of earlier work would wait for the rows, too, and be taken for one of the requests.
  await untilIdle();
  const holder = new pg.Client({ connectionString: databaseUrl });
  await holder.connect();
  try {
    await holder.query('begin');
    expect((await holder.query(statement, values)).rowCount).toBeGreaterThan(0);
    const answers = Promise.all(requests.map((request) => request()));
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    // On another connection: within a transaction, pg_stat_activity is a snapshot of its first read.
    // A job that a request sets off may wait for the rows as well.
    await vi.waitFor(async () => expect((await sql(waiting)).length).toBeGreaterThanOrEqual(requests.length), {
      timeout: 20_000,
    });
    await happens?.(holder);
    await holder.query('commit');
    return await answers;
  } finally {
    await holder.end();
  }
}
