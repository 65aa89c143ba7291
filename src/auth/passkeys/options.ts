import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { RelyingParty } from '../../values/relying-party.ts';
import { keyedDigest } from '../keys/crypto.ts';
import type { InstanceKeys } from '../keys/instance-keys.ts';
import type { PasskeyRow } from '../statements/passkeys.ts';
import { newChallenge, type ChallengeFor } from './challenge.ts';

/** What pages hand to `navigator.credentials`, as JSON (WebAuthn §5.4, §5.5). */

/** COSE algorithms: Ed25519, ECDSA with P-256, RSA with SHA-256 (RFC 9053, RFC 8812). */
const algorithms = [-8, -7, -257];

/** Milliseconds for which the browser waits for the device. */
const timeout = 300_000;

type Known = Pick<PasskeyRow, 'credential_id' | 'transports'>;

const described = (passkeys: readonly Known[]) =>
  passkeys.map(({ credential_id: id, transports }) => ({
    id: id.toString('base64url'),
    type: 'public-key' as const,
    transports,
  }));

/** The person who makes a passkey. */
interface Maker {
  readonly id: number;
  readonly username: string;
}

/** Options to make a passkey. @param known the passkeys of the person: no device makes a second one */
export function creationOptions(
  keys: InstanceKeys,
  party: RelyingParty,
  purpose: ChallengeFor,
  { id, username }: Maker,
  known: readonly Known[],
): PublicKeyCredentialCreationOptionsJSON {
  return {
    challenge: newChallenge(keys, purpose),
    rp: { id: party.id, name: 'Causeway' },
    user: {
      // It says nothing about the person (WebAuthn §14.6.1), and is the same for all their passkeys.
      id: keyedDigest(keys.derive('passkey owner')[0]!, String(id)).toString('base64url'),
      name: username,
      displayName: username,
    },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: described(known),
    // A passkey that the device can find by itself, and that checks who holds it, is the way in without a password.
    authenticatorSelection: { residentKey: 'preferred', requireResidentKey: false, userVerification: 'preferred' },
    attestation: 'none',
    timeout,
  };
}

/** Options to use a passkey. @param known null: any that the browser finds; it then replaces the password too */
export function requestOptions(
  keys: InstanceKeys,
  party: RelyingParty,
  purpose: ChallengeFor,
  known: readonly Known[] | null,
): PublicKeyCredentialRequestOptionsJSON {
  return {
    challenge: newChallenge(keys, purpose),
    rpId: party.id,
    ...(known && { allowCredentials: described(known) }),
    userVerification: known ? 'preferred' : 'required',
    timeout,
  };
}
