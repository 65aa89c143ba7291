import pg from 'pg';
import { notify } from '../../src/database/pub-sub.ts';
import { whichPrimary } from '../../src/database/wire/primary.ts';
import { readSettings } from '../../src/instance/statements.ts';
import { noteUse } from '../../src/auth/statements/tokens.ts';

/**
 * What a process does by itself, or once in a while: reading the settings, telling others what has changed, noting that a
 * token is in use, comparing where a new connection leads.
 */
const nowAndThen = new Set([...[readSettings, notify, noteUse].map(({ text }) => text), whichPrimary]);

/** A statement as it was sent, with its values. */
export interface Sent {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * The SQL statements that this process sends while some work is done, in order, but for
 * those of now and then. Only for tests that run nothing else at the same time.
 * @param leftOut texts
 */
export async function sentBy(work: () => Promise<unknown>, leftOut: ReadonlySet<string> = nowAndThen): Promise<Sent[]> {
  const seen: Sent[] = [];
  const original = pg.Client.prototype.query;
  pg.Client.prototype.query = function (this: pg.Client, ...parameters: unknown[]) {
    const [query, beside] = parameters;
    const { text, values } = typeof query === 'string' ? { text: query } : (query as pg.QueryConfig);
    if (!leftOut.has(text)) seen.push({ text, values: values ?? (Array.isArray(beside) ? beside : []) });
    return (original as (...all: unknown[]) => unknown).apply(this, parameters);
  } as typeof original;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = original;
  }
  return seen;
}

/** The texts of these statements. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  return (await sentBy(work)).map(({ text }) => text);
}
