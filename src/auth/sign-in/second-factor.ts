import { randomInt } from 'node:crypto';
import type { Sql } from '../../database/index.ts';
import {
  confirmSeed,
  findSecondFactor,
  keepSeed,
  ownSecondFactor,
  nextSeeds,
  replaceRecoveryCodes,
  resealSeed,
  spendRecoveryCode,
  takeStep,
} from '../statements/second-factors.ts';
import { lockSecondFactors } from '../statements/passkeys.ts';
import { keyedDigest } from '../keys/crypto.ts';
import type { InstanceKeys } from '../keys/instance-keys.ts';
import { seal, unseal } from '../keys/seal.ts';
import { newSeed, stepOf } from './totp.ts';

/** Seconds for which a seed can be shown again during set-up. */
const setUpSeconds = 3_600;

/** Letters and digits, without look-alikes: 32^10 codes. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
const recoveryCodeCount = 10;
const recoveryCodeLength = 10;

const seedKeys = (keys: InstanceKeys) => keys.derive('second factor seed');
const recoveryKeys = (keys: InstanceKeys) => keys.derive('recovery code');
/** The context of a sealed seed, which binds it to its row. */
const rowOf = (userId: number) => `second factor of user ${userId}`;

/** A second factor that is turned on. */
export interface SecondFactor {
  readonly enabledAt: Date;
  /** Whether an authenticator app is one; passkeys are listed apart. */
  readonly app: boolean;
  readonly recoveryCodesLeft: number;
}

/** The second factor of a person; null where none is turned on. */
export async function secondFactorOf(sql: Sql, userId: number): Promise<SecondFactor | null> {
  const [row] = await sql.rows(ownSecondFactor, [userId]);
  return row?.enabled_at
    ? { enabledAt: row.enabled_at, app: row.app, recoveryCodesLeft: row.recovery_codes_left }
    : null;
}

/** Creates a seed, which is in use once a code confirms it. @returns false if a second factor is turned on already */
export async function beginSecondFactor(sql: Sql, keys: InstanceKeys, userId: number): Promise<boolean> {
  const sealed = seal(seedKeys(keys)[0]!, rowOf(userId), newSeed());
  return (await sql.rows(keepSeed, [userId, sealed])).length > 0;
}

/** The seed that is being set up, in base32; null if there is none or it is too old. */
export async function seedBeingSetUp(sql: Sql, keys: InstanceKeys, userId: number): Promise<string | null> {
  return (await beingSetUp(sql, keys, userId))?.seed ?? null;
}

async function beingSetUp(sql: Sql, keys: InstanceKeys, userId: number) {
  const [row] = await sql.rows(findSecondFactor, [userId]);
  if (!row || row.confirmed_at || Date.now() - row.created_at.getTime() > setUpSeconds * 1_000) return null;
  const seed = unseal(seedKeys(keys), rowOf(userId), row.sealed_seed);
  return seed === null ? null : { seed, sealed: row.sealed_seed };
}

/**
 * Turns the second factor on if the code fits the seed that is being set up. Runs
 * inside a transaction.
 * @returns the recovery codes, to be shown once; null for a wrong code
 */
export async function enableSecondFactor(
  sql: Sql,
  keys: InstanceKeys,
  userId: number,
  code: string,
): Promise<string[] | null> {
  const begun = await beingSetUp(sql, keys, userId);
  const step = begun && stepOf(begun.seed, plain(code));
  if (step === null) return null;
  const confirmed = await sql.rows(confirmSeed, [userId, begun!.sealed, step]);
  return confirmed.length > 0 ? await renewRecoveryCodes(sql, keys, userId) : null;
}

/** Replaces all recovery codes, inside a transaction. @returns the new ones; null if no second factor is turned on */
export async function renewRecoveryCodes(sql: Sql, keys: InstanceKeys, userId: number): Promise<string[] | null> {
  const [person] = await sql.rows(lockSecondFactors, [userId]);
  if (!person?.protected) return null;
  const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode);
  await sql.rows(replaceRecoveryCodes, [userId, codes.map((code) => recoveryDigests(keys, userId, code)[0])]);
  return codes;
}

/** A right code. `recoveryCodesLeft` is null for a code of the authenticator. */
export type TakenCode = { readonly recoveryCodesLeft: number | null };

/** Checks and spends a code of the authenticator or a recovery code; each works once. @returns null for a wrong one */
export async function takeCode(sql: Sql, keys: InstanceKeys, userId: number, typed: string): Promise<TakenCode | null> {
  const code = plain(typed);
  if (/^\d{6}$/.test(code)) {
    const [row] = await sql.rows(findSecondFactor, [userId]);
    const seed = row?.confirmed_at ? unseal(seedKeys(keys), rowOf(userId), row.sealed_seed) : null;
    const step = seed === null ? null : stepOf(seed, code);
    if (step === null) return null;
    return (await sql.rows(takeStep, [userId, row!.sealed_seed, step])).length > 0 ? { recoveryCodesLeft: null } : null;
  }
  const [spent] = await sql.rows(spendRecoveryCode, [userId, recoveryDigests(keys, userId, code)]);
  return spent ? { recoveryCodesLeft: spent.left } : null;
}

/** A typed code in lower case, without spaces and hyphens. */
const plain = (typed: string): string => typed.slice(0, 100).toLowerCase().replaceAll(/[\s-]/g, '');

function newRecoveryCode(): string {
  const letters = Array.from({ length: recoveryCodeLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `${letters.slice(0, recoveryCodeLength / 2)}-${letters.slice(recoveryCodeLength / 2)}`;
}

/** The digests under which a code may be stored, newest key first. */
function recoveryDigests(keys: InstanceKeys, userId: number, code: string): Buffer[] {
  return recoveryKeys(keys).map((key) => keyedDigest(key, `${userId} ${plain(code)}`));
}

/** The result of resealing the second factors under the first key. */
export interface Reseal {
  readonly resealed: number;
  /** Seeds that were sealed under the first key already. */
  readonly current: number;
  /** Seeds that no key opens: their owners can't sign in with them. */
  readonly unreadable: number;
}

/** Rows read at once. */
const resealBatch = 500;

/**
 * Reseals every seed under the first key, so that the operator can remove older keys. A code that is checked while
 * its seed is resealed is refused; the next code works.
 */
export async function resealSeeds(sql: Sql, keys: InstanceKeys): Promise<Reseal> {
  const all = seedKeys(keys);
  const [first] = all;
  const counts = { resealed: 0, current: 0, unreadable: 0 };
  for (let last = 0; ;) {
    const rows = await sql.rows(nextSeeds, [last, resealBatch]);
    for (const { user_id: userId, sealed_seed: sealed } of rows) {
      const row = rowOf(userId);
      if (unseal([first!], row, sealed) !== null) {
        counts.current++;
        continue;
      }
      const seed = unseal(all, row, sealed);
      if (seed === null) counts.unreadable++;
      else counts.resealed += (await sql.rows(resealSeed, [userId, sealed, seal(first!, row, seed)])).length;
    }
    if (rows.length < resealBatch) return counts;
    last = rows.at(-1)!.user_id;
  }
}
