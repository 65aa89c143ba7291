import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Sql } from '../../database/index.ts';
import type { RelyingParty } from '../../values/relying-party.ts';
import type { InstanceKeys } from '../keys/instance-keys.ts';
import { findPasskey, usePasskey, type FoundPasskey } from '../statements/passkeys.ts';
import { isChallenge, spend, type ChallengeFor } from './challenge.ts';

/** What the checks of a passkey need to know. */
export interface Checking {
  readonly sql: Sql;
  readonly keys: InstanceKeys;
  readonly party: RelyingParty;
  readonly purpose: ChallengeFor;
}

/** Why an answer of a passkey isn't accepted. */
export type RefusedPasskey =
  /** It isn't an answer to a challenge of this page, or the page is too old. */
  | 'STALE'
  | 'UNKNOWN'
  /** The passkey belongs to an account, and its signature, its counter or its owner is wrong. */
  | { readonly wrong: FoundPasskey }
  /** The device didn't check a fingerprint, a face or a PIN, and there is no password. */
  | 'UNVERIFIED';

/** The longest answer of a browser that is read. */
const longest = 20_000;

/** The answer of a browser, as `toJSON` of WebAuthn writes it; null for anything else. */
function parse<Response extends { id: string }>(text: string): Response | null {
  if (text.length > longest) return null;
  try {
    const parsed: unknown = JSON.parse(text);
    const whole = parsed as { id?: unknown; response?: { clientDataJSON?: unknown } } | null;
    return typeof whole?.id === 'string' && typeof whole.response?.clientDataJSON === 'string'
      ? (parsed as Response)
      : null;
  } catch {
    return null;
  }
}

/** The challenge that an answer signs; null if it can't be read. */
function challengeOf({ response }: { readonly response: { readonly clientDataJSON: string } }): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8')) as {
      challenge?: unknown;
    };
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

/** Names of transports as browsers send them: nothing has checked them yet. */
const namesIn = (given: unknown): string[] =>
  Array.isArray(given)
    ? given.filter((name) => typeof name === 'string' && /^[a-z-]{1,20}$/.test(name)).slice(0, 10)
    : [];

/** A passkey that a browser has made. */
export interface MadePasskey {
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly signCount: number;
  readonly transports: readonly string[];
  readonly backedUp: boolean;
}

/** Checks the answer of a browser that has made a passkey. @returns null if it isn't an answer to this page */
export async function verifyMade({ sql, keys, party, purpose }: Checking, answer: string): Promise<MadePasskey | null> {
  const response = parse<RegistrationResponseJSON>(answer);
  const challenge = response && challengeOf(response);
  if (!challenge || !isChallenge(keys, challenge, purpose) || !(await spend(sql, challenge))) return null;
  // Loaded with the first passkey: most starts never need it.
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: response!,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: false,
  }).catch(() => ({ verified: false as const, registrationInfo: undefined }));
  if (!verified) return null;
  const { credential, credentialBackedUp } = registrationInfo;
  return {
    credentialId: Buffer.from(credential.id, 'base64url'),
    publicKey: Buffer.from(credential.publicKey),
    signCount: credential.counter,
    transports: namesIn(credential.transports),
    backedUp: credentialBackedUp,
  };
}

/** Whose passkey it must be, and whether it replaces the password too. */
export interface Expected {
  readonly owner?: number;
  readonly alone: boolean;
}

/** Checks the answer of a passkey, and notes its use. @returns the passkey with its owner, or why it is refused */
export async function verifyUsed(
  { sql, keys, party, purpose }: Checking,
  answer: string,
  { owner, alone }: Expected,
): Promise<FoundPasskey | RefusedPasskey> {
  const response = parse<AuthenticationResponseJSON>(answer);
  const challenge = response && challengeOf(response);
  // Before the signature: an answer that is sent twice isn't a device that counts backwards.
  if (!challenge || !isChallenge(keys, challenge, purpose) || !(await spend(sql, challenge))) return 'STALE';
  const [found] = await sql.rows(findPasskey, [Buffer.from(response!.id, 'base64url')]);
  if (!found || (owner !== undefined && found.user_id !== owner)) return 'UNKNOWN';
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: response!,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: false,
    credential: { id: response!.id, publicKey: Uint8Array.from(found.public_key), counter: found.sign_count },
  }).catch(() => ({ verified: false as const, authenticationInfo: undefined }));
  if (!verified) return { wrong: found };
  const { userVerified, newCounter, credentialBackedUp } = authenticationInfo;
  if (alone && !userVerified) return 'UNVERIFIED';
  const used = await sql.rows(usePasskey, [found.id, newCounter, credentialBackedUp]);
  return used.length > 0 ? found : { wrong: found };
}
