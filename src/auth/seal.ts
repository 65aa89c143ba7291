import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/**
 * Authenticated encryption (AES-256-GCM) of what must be read again. A seal is
 * bound to its place by `context`: moved to another row, it opens no more.
 */
const algorithm = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;

export function seal(key: Buffer, context: string, text: string): Buffer {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv(algorithm, key, nonce);
  cipher.setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

/** The sealed text, by the first key that opens it; null where none does. */
export function unseal(keys: readonly Buffer[], context: string, sealed: Buffer): string | null {
  if (sealed.length < nonceLength + tagLength) return null;
  for (const key of keys) {
    const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceLength));
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(sealed.subarray(-tagLength));
    try {
      return Buffer.concat([decipher.update(sealed.subarray(nonceLength, -tagLength)), decipher.final()]).toString(
        'utf8',
      );
    } catch {
      // Sealed with another key.
    }
  }
  return null;
}
