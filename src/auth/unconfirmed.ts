import type { InstanceKeys } from './instance-keys.ts';
import { seal, unseal } from './seal.ts';

/** Seconds for which a right password lets a person have the link sent again. */
const waits = 600;

const proofKeys = (keys: InstanceKeys) => keys.derive('unconfirmed account');
const place = (browser: string | null) => `browser ${browser ?? ''}`;

/**
 * A proof, for a cookie, that this browser gave the right password of an account whose address isn't confirmed.
 * It opens no session: all it allows is one more message to that address.
 */
export function proveUnconfirmed(keys: InstanceKeys, userId: number, browser: string | null): string {
  return seal(proofKeys(keys)[0]!, place(browser), `${userId} ${Math.floor(Date.now() / 1_000) + waits}`).toString(
    'base64url',
  );
}

/** The account that a proof is of; null for one of another browser, for an old one, and for what none is. */
export function provenUnconfirmed(keys: InstanceKeys, proof: string, browser: string | null): number | null {
  const [userId, until] =
    unseal(proofKeys(keys), place(browser), Buffer.from(proof, 'base64url'))?.split(' ').map(Number) ?? [];
  return userId !== undefined && until !== undefined && until > Date.now() / 1_000 ? userId : null;
}
