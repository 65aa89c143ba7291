import type { Sql } from '../database/index.ts';
import { addressKey } from '../values/address.ts';
import { bounded, type Tried } from './attempt-limits.ts';

/** How many wrong codes a session and an address may try, and in how many seconds. */
const wrong = { most: 10, seconds: 600 } as const;

/** Who types a code that is short enough to be guessed. */
export interface Guesser {
  readonly sessionId: number;
  readonly address: string;
}

/**
 * Looks something up by a code that a person typed (RFC 8628 §5.1).
 * @returns what was found, or for how many seconds nothing more is looked up
 */
export function boundedGuess<T>(
  sql: Sql,
  { sessionId, address }: Guesser,
  lookUp: () => Promise<T | null>,
): Promise<Tried<T>> {
  return bounded(
    sql,
    { [`user code address ${addressKey(address)}`]: wrong, [`user code session ${sessionId}`]: wrong },
    lookUp,
  );
}
