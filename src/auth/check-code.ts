import type { Sql } from '../database/index.ts';
import { bounded } from './attempt-limits.ts';
import { failedChecks } from './failed-checks.ts';
import type { InstanceKeys } from './instance-keys.ts';
import { takeCode } from './second-factor.ts';

/** Wrong codes that one sign-in bears, and an account in a day. */
const each = { most: 5, seconds: 600 } as const;
const aDay = { most: 20, seconds: 86_400 } as const;

/** Wrong codes of a day at which the person is told: somebody seems to know their password. */
const worrying: readonly number[] = [each.most, aDay.most];

/** Who types the code, besides which account it is for. */
export interface CodeFrom {
  readonly address: string;
  readonly browser: string | null;
  /** Names the sign-in, or the session that is to be confirmed. */
  readonly attempt: string;
}

/** Of a right code: how many recovery codes are left, where it was one of them. */
export interface CheckedCode {
  readonly right: true;
  readonly recoveryCodesLeft: number | null;
}

export interface RefusedCode {
  readonly right: false;
  /** Whether this sign-in, or this session for a while, bears no further code. */
  readonly over: boolean;
  /** How many wrong codes there were today, where the person is to be told of it. */
  readonly worrying: number | null;
  /** Seconds for which nothing more is evaluated; null where it was. */
  readonly retryAfter: number | null;
}

/**
 * Checks a second factor, which counts with the failed checks of every other path,
 * and with those of its own: five for each sign-in, twenty for an account in a day.
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
