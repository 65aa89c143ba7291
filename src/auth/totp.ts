import { HOTP, Secret, TOTP, URI } from 'otpauth';

/** Codes of an authenticator app (RFC 6238): SHA-1, six digits, thirty seconds, as every app takes them. */
const period = 30;
const issuer = 'Causeway';

/** A new seed: 160 random bits (RFC 4226 §4, R6), in base32. */
export const newSeed = (): string => new Secret({ size: 20 }).base32;

/** The seed as an address that authenticator apps take, by QR code or by link. @param account whom the app shows it for */
export const seedLink = (seed: string, account: string): string =>
  URI.stringify(new TOTP({ issuer, label: account, secret: seed, period }));

/**
 * The time step whose code this is: the present one, the one before or the one
 * after, since clocks differ and people take their time (RFC 6238 §5.2).
 * @returns null for a code of none of them
 */
export function stepOf(seed: string, code: string, now = Date.now()): number | null {
  const current = Math.floor(now / 1000 / period);
  const delta = HOTP.validate({ secret: Secret.fromBase32(seed), token: code, counter: current, window: 1 });
  return delta === null ? null : current + delta;
}
