import { createHmac, hash, hkdfSync, randomBytes } from 'node:crypto';
import { alphabet, constantTimeEqual, generateRandomString } from 'oslo/crypto';
import { Argon2id } from 'oslo/password';

/** Password hashing, digests and random strings. The one file that uses oslo. */

const argon2id = new Argon2id();

/** Argon2id with oslo's parameters (19 MiB, 2 passes), over the NFKC form of the password. */
export function hashPassword(password: string): Promise<string> {
  return argon2id.hash(password);
}

/** 256 random bits in base64url: 43 characters of `A-Z a-z 0-9 - _`, the same raw and URL-encoded. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Digests of the passwords that this process generated, at its first start. */
const generated = new Set<string>();

/** A password to show to a person: 20 letters and digits, over 119 bits. */
export function randomPassword(): string {
  const password = generateRandomString(20, alphabet('a-z', 'A-Z', '0-9'));
  generated.add(digest(password).toString('base64'));
  return password;
}

/** Whether `randomPassword` made it. A first start then needn't load the list of common passwords. */
export const isGenerated = (password: string): boolean => generated.has(digest(password).toString('base64'));

/**
 * SHA-256: enough for secrets of 256 random bits, which can't be guessed.
 * Node's own hash: oslo's runs in another thread, which every request would pay for.
 */
export function digest(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** HMAC-SHA-256, for secrets that a person chose: without the key, guesses can't be tried against a stolen digest. */
export function keyedDigest(key: Buffer, secret: string): Buffer {
  return createHmac('sha256', key).update(secret).digest();
}

/** A key for one purpose, derived from the instance key (HKDF, RFC 5869). */
export function deriveKey(instanceKey: string | Buffer, label: string, salt: string | Buffer = ''): Buffer {
  return Buffer.from(hkdfSync('sha256', instanceKey, salt, label, 32));
}

/** Whether two digests are equal, in constant time. */
export function equalDigests(one: Buffer, other: Buffer): boolean {
  return constantTimeEqual(one, other);
}

/** The hash of a random password. It is verified where an account has none, so that both cost the same work. */
let dummyHash: Promise<string> | undefined;

/** Whether a password matches the hash. Without a hash it never does, after the same work. */
export async function verifyPassword(hash: string | null, password: string): Promise<boolean> {
  dummyHash ??= hashPassword(randomSecret());
  const matches = await argon2id.verify(hash ?? (await dummyHash), password);
  return matches && hash !== null;
}
