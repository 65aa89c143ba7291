import { randomBytes } from 'node:crypto';
import type { Sql } from '../../database/index.ts';
import { digest, equalDigests, keyedDigest } from '../keys/crypto.ts';
import type { InstanceKeys } from '../keys/instance-keys.ts';
import { spendChallenge } from '../statements/passkeys.ts';

/**
 * Challenges that passkeys sign (WebAuthn §13.4.3). A page that offers a passkey stores nothing: its challenge proves
 * itself by a MAC, and names until when and for what it works. A challenge that was answered is noted, so that each
 * answer counts once.
 */

/** Seconds for which a page may wait for its passkey. */
const lifetime = 3_600;

const timeLength = 6;
const nonceLength = 16;

/** What a challenge is for: an act, and the browser, pending sign-in or session that it was shown to. */
export interface ChallengeFor {
  readonly act: 'sign in' | 'second step' | 'confirm' | 'create';
  readonly shownTo: string;
}

const macOf = (key: Buffer, open: Buffer, { act, shownTo }: ChallengeFor) =>
  keyedDigest(key, `${open.toString('base64url')} ${act} ${shownTo}`);

/** Makes a challenge, in base64url. */
export function newChallenge(keys: InstanceKeys, purpose: ChallengeFor): string {
  const open = Buffer.alloc(timeLength + nonceLength);
  open.writeUIntBE(Math.floor(Date.now() / 1_000) + lifetime, 0, timeLength);
  randomBytes(nonceLength).copy(open, timeLength);
  return Buffer.concat([open, macOf(macKeys(keys)[0]!, open, purpose)]).toString('base64url');
}

/** Whether a challenge is ours, for this purpose, and not too old. */
export function isChallenge(keys: InstanceKeys, challenge: string, purpose: ChallengeFor): boolean {
  const given = Buffer.from(challenge, 'base64url');
  const open = given.subarray(0, timeLength + nonceLength);
  if (open.length < timeLength + nonceLength || open.readUIntBE(0, timeLength) * 1_000 < Date.now()) return false;
  const mac = given.subarray(timeLength + nonceLength);
  return macKeys(keys).some((key) => equalDigests(mac, macOf(key, open, purpose)));
}

/** Notes that a challenge was answered. @returns false if it was answered before */
export async function spend(sql: Sql, challenge: string): Promise<boolean> {
  return (await sql.rows(spendChallenge, [digest(challenge), lifetime])).length > 0;
}

const macKeys = (keys: InstanceKeys) => keys.derive('passkey challenge');
