import pg from 'pg';
import { readSettings } from '../../src/database/statements/instance.ts';

/**
 * The SQL statements that this process sends while some work is done, in order,
 * but for the settings, which it reads now and then whatever is asked. Only for
 * tests that run nothing else at the same time.
 */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = [];
  const original = pg.Client.prototype.query;
  pg.Client.prototype.query = function (this: pg.Client, ...parameters: unknown[]) {
    const [query] = parameters;
    const text = typeof query === 'string' ? query : (query as { text: string }).text;
    if (text !== readSettings.text) seen.push(text);
    return (original as (...all: unknown[]) => unknown).apply(this, parameters);
  } as typeof original;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = original;
  }
  return seen;
}
