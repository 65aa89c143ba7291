import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/**
 * Authenticated encryption (AES-256-GCM) of secrets that must be read again. `context` binds a sealed
 * text to its row: copied to another row, it can't be decrypted.
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

/** The text, decrypted with the first key that fits; null if none does. */
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
