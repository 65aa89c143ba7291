import type { InstanceKeys } from './instance-keys.ts';
import { seal, unseal } from './seal.ts';

/** Seconds for which a person can have the link sent again after a right password. */
const lifetime = 600;

const proofKeys = (keys: InstanceKeys) => keys.derive('unconfirmed account');
const place = (browser: string | null) => `browser ${browser ?? ''}`;

/**
 * A proof, for a cookie, that this browser gave the right password of an account whose address isn't confirmed.
 * It opens no session: it allows only another message to that address.
 */
export function proveUnconfirmed(keys: InstanceKeys, userId: number, browser: string | null): string {
  return seal(proofKeys(keys)[0]!, place(browser), `${userId} ${Math.floor(Date.now() / 1_000) + lifetime}`).toString(
    'base64url',
  );
}

/** The account of a proof; null where it belongs to another browser, is too old, or is no proof. */
export function provenUnconfirmed(keys: InstanceKeys, proof: string, browser: string | null): number | null {
  const [userId, until] =
    unseal(proofKeys(keys), place(browser), Buffer.from(proof, 'base64url'))?.split(' ').map(Number) ?? [];
  return userId !== undefined && until !== undefined && until > Date.now() / 1_000 ? userId : null;
}
