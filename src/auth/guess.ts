import type { Sql } from '../database/index.ts';
import { countAttempt, forgiveAttempt } from '../database/statements/attempts.ts';
import { addressKey } from './address.ts';

/** How many wrong codes a session and an address may try, and in how many seconds. */
const bounds = { wrong: 10, seconds: 600 } as const;

/** Who types a code that is short enough to be guessed. */
export interface Guesser {
  readonly sessionId: number;
  readonly address: string;
}

/**
 * Looks something up by a code that a person typed (RFC 8628 §5.1): counted before
 * it is evaluated, and taken back when the code was right.
 * @returns what was found, or for how many seconds nothing more is looked up
 */
export async function boundedGuess<T>(
  sql: Sql,
  { sessionId, address }: Guesser,
  lookUp: () => Promise<T | null>,
): Promise<{ readonly found: T | null } | { readonly retryAfter: number }> {
  const keys = [`user code address ${addressKey(address)}`, `user code session ${sessionId}`];
  const rows = await sql.rows(countAttempt, [keys, bounds.seconds]);
  const full = rows.filter(({ count }) => count > bounds.wrong);
  if (full.length > 0) {
    await sql.rows(forgiveAttempt, [keys]);
    return { retryAfter: Math.max(...full.map(({ seconds_left: left }) => left), 1) };
  }
  const found = await lookUp();
  if (found !== null) await sql.rows(forgiveAttempt, [keys]);
  return { found };
}
