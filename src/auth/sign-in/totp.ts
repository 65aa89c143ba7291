import { HOTP, Secret, TOTP, URI } from 'otpauth';

/** Time-based one-time passwords (TOTP, RFC 6238) with the parameters that every app takes: SHA-1, six digits, thirty seconds. */
const period = 30;
const issuer = 'Causeway';

/** A new seed: 160 random bits (RFC 4226 §4, R6), in base32. */
export const newSeed = (): string => new Secret({ size: 20 }).base32;

/** The seed as a URI for authenticator apps, for a QR code or a link. @param account the name that the app shows */
export const seedLink = (seed: string, account: string): string =>
  URI.stringify(new TOTP({ issuer, label: account, secret: seed, period }));

/**
 * The time step of a code: the present one, the one before or the one
 * after, since clocks differ and typing takes time (RFC 6238 §5.2).
 * @returns null if the code fits none of them
 */
export function stepOf(seed: string, code: string, now = Date.now()): number | null {
  const current = Math.floor(now / 1000 / period);
  const delta = HOTP.validate({ secret: Secret.fromBase32(seed), token: code, counter: current, window: 1 });
  return delta === null ? null : current + delta;
}
