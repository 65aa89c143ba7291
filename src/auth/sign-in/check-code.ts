import type { Sql } from '../../database/index.ts';
import { bounded } from '../passwords/count-attempts.ts';
import { failedChecks } from '../passwords/attempt-limits.ts';
import type { InstanceKeys } from '../keys/instance-keys.ts';
import { takeCode } from './second-factor.ts';

/** Wrong codes allowed for one sign-in, and for one account in a day. */
const each = { most: 5, seconds: 600 } as const;
const aDay = { most: 20, seconds: 86_400 } as const;

/** Counts of wrong codes in a day at which the person gets a message, since someone else may know their password. */
const worrying: readonly number[] = [each.most, aDay.most];

/** Where a code comes from. */
export interface CodeFrom {
  readonly address: string;
  readonly browser: string | null;
  /** Identifies the sign-in, or the session to confirm. */
  readonly attempt: string;
}

/** A right code. `recoveryCodesLeft` is set if it was a recovery code. */
export interface CheckedCode {
  readonly right: true;
  readonly recoveryCodesLeft: number | null;
}

export interface RefusedCode {
  readonly right: false;
  /** Whether the limit of wrong codes is reached: of this sign-in for good, of a session for a while. */
  readonly over: boolean;
  /** The number of wrong codes today if the person should get a message about them; otherwise null. */
  readonly worrying: number | null;
  /** Seconds until another code is evaluated; null if this one was evaluated. */
  readonly retryAfter: number | null;
}

/**
 * Checks a second factor. A wrong code counts in the shared counters of failed checks and in two more:
 * five wrong codes for each sign-in, twenty for an account in a day.
 */
export async function checkCode(
  sql: Sql,
  keys: InstanceKeys,
  userId: number,
  code: string,
  from: CodeFrom,
): Promise<CheckedCode | RefusedCode> {
  const mine = `second factor ${from.attempt}`;
  const ofAccount = `second factor user ${userId}`;
  const counters = {
    ...(await failedChecks(sql, { ...from, application: null }, userId)),
    [mine]: each,
    [ofAccount]: aDay,
  };
  const tried = await bounded(sql, counters, () => takeCode(sql, keys, userId, code));
  if ('retryAfter' in tried) {
    return { right: false, over: tried.full.includes(mine), worrying: null, retryAfter: tried.retryAfter };
  }
  if (tried.found) return { right: true, ...tried.found };
  const today = tried.counts[ofAccount]!;
  return {
    right: false,
    over: tried.counts[mine]! >= each.most,
    worrying: worrying.includes(today) ? today : null,
    retryAfter: null,
  };
}
