import type { InstanceKeys } from '../keys/instance-keys.ts';
import { seal, unseal } from '../keys/seal.ts';

/** Seconds after a right password in which a person can request the confirmation link again. */
const lifetime = 600;

const proofKeys = (keys: InstanceKeys) => keys.derive('unconfirmed account');
const place = (browser: string | null) => `browser ${browser ?? ''}`;

/**
 * A proof, kept in a cookie, that this browser sent the right password of an account with an unconfirmed address.
 * It doesn't sign in; it only allows to send the confirmation link to that address again.
 */
export function proveUnconfirmed(keys: InstanceKeys, userId: number, browser: string | null): string {
  return seal(proofKeys(keys)[0]!, place(browser), `${userId} ${Math.floor(Date.now() / 1_000) + lifetime}`).toString(
    'base64url',
  );
}

/** The account of a proof; null if the proof belongs to another browser, is too old or is invalid. */
export function provenUnconfirmed(keys: InstanceKeys, proof: string, browser: string | null): number | null {
  const [userId, until] =
    unseal(proofKeys(keys), place(browser), Buffer.from(proof, 'base64url'))?.split(' ').map(Number) ?? [];
  return userId !== undefined && until !== undefined && until > Date.now() / 1_000 ? userId : null;
}
