import type { Sql } from '../../database/index.ts';
import { addressKey } from '../../values/address.ts';
import { bounded, type Tried } from './count-attempts.ts';

/** Wrong codes that a session, and an address, may try within the seconds. */
const limit = { most: 10, seconds: 600 } as const;

/** Who tries a user code. User codes are short, so that they could be guessed. */
export interface Guesser {
  readonly sessionId: number;
  readonly address: string;
}

/**
 * Looks up a user code that a person typed, with rate limiting (RFC 8628 §5.1).
 * @returns what was found, or the seconds until another code is looked up
 */
export function boundedGuess<T>(
  sql: Sql,
  { sessionId, address }: Guesser,
  lookUp: () => Promise<T | null>,
): Promise<Tried<T>> {
  return bounded(
    sql,
    { [`user code address ${addressKey(address)}`]: limit, [`user code session ${sessionId}`]: limit },
    lookUp,
  );
}
