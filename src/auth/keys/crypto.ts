import { createHmac, hash, hkdfSync, randomBytes } from 'node:crypto';
import { alphabet, constantTimeEqual, generateRandomString } from 'oslo/crypto';
import { Argon2id } from 'oslo/password';

/** Password hashing, digests and random strings. The one file that uses oslo. */

const argon2id = new Argon2id();

/** Argon2id with oslo's parameters (19 MiB, 2 passes), over the NFKC form of the password. */
export function hashPassword(password: string): Promise<string> {
  return argon2id.hash(password);
}

/** 256 random bits in base64url: 43 characters of `A-Z a-z 0-9 - _`, which need no URL encoding. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Digests of the passwords that this process generated; it does so at the first start of an instance. */
const generated = new Set<string>();

/** A password to show to a person: 20 letters and digits, over 119 bits. */
export function randomPassword(): string {
  const password = generateRandomString(20, alphabet('a-z', 'A-Z', '0-9'));
  generated.add(digest(password).toString('base64'));
  return password;
}

/** Whether `randomPassword` generated a password. If so, a first start needn't load the list of common passwords. */
export const isGenerated = (password: string): boolean => generated.has(digest(password).toString('base64'));

/**
 * SHA-256, which is enough for secrets of 256 random bits: they can't be guessed. It uses Node's hash, since oslo's
 * runs in another thread and would slow down every request.
 */
export function digest(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** HMAC-SHA-256, for secrets that a person chose: who steals a digest can't test guesses without the key. */
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

/** The hash of a random password. It is verified if an account has no hash, so that both cases cost the same work. */
let dummyHash: Promise<string> | undefined;

/** Whether a password matches the hash. Without a hash the result is false, after the same work. */
export async function verifyPassword(hash: string | null, password: string): Promise<boolean> {
  dummyHash ??= hashPassword(randomSecret());
  const matches = await argon2id.verify(hash ?? (await dummyHash), password);
  return matches && hash !== null;
}
