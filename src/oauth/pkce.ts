import { digest } from '../auth/index.ts';

/**
 * Proof Key for Code Exchange (RFC 7636), method S256 only. R4.
 */

/** Whether a text is a challenge (RFC 7636 §4.2): a SHA-256 in base64url, 43 characters without padding. */
export function isChallenge(challenge: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(challenge);
}

/**
 * Whether a text is a verifier (RFC 7636 §4.1): 43 to 128 unreserved characters.
 * @param lenient accepts any printable characters, for clients that send standard base64
 */
export function isVerifier(verifier: string, lenient: boolean): boolean {
  return (lenient ? /^[\x21-\x7e]{43,128}$/ : /^[A-Za-z0-9\-._~]{43,128}$/).test(verifier);
}

/** RFC 7636 §4.6: the challenge of a verifier. */
export function challengeOf(verifier: string): string {
  return digest(verifier).toString('base64url');
}
