import { tooLong } from '../../values/text/lengths.ts';
import { createHash, createPublicKey } from 'node:crypto';

/** Reading public keys of SSH, one line each, as in `authorized_keys`: type, Base64, and a comment. */

/** A public key that may be used. */
export interface PublicKey {
  /** Type and Base64, without the comment, which often is an address of mail. */
  readonly key: string;
  readonly comment: string;
  readonly sha256: Buffer;
  readonly md5: Buffer;
}

/** Why a text isn't a key that may be used, in words that follow "key" and "fingerprint". */
interface KeyProblems {
  readonly key: readonly string[];
  readonly fingerprintSha256?: readonly string[];
}

/** Characters of a key; RSA with 16,384 bits needs 2,800. */
const longest = 5_000;
const fewestBits = 2_048;

/** Types that the library can check signatures of, and that are strong enough. */
const accepted = new Set([
  'ssh-rsa',
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
]);
/** Types that are refused by name: DSA is broken, and the library has no keys of security tokens. */
const refused = /^(?:ssh-dss|sk-(?:ssh-ed25519|ecdsa-sha2-nistp256)@openssh\.com)$/;
const forbidden = 'type is forbidden. Must be RSA, ECDSA, or ED25519';

const invalid: KeyProblems = { key: ['is invalid'], fingerprintSha256: ['cannot be generated'] };

/** Reads a public key. The texts of problems are GitLab's. */
export async function readPublicKey(text: string): Promise<PublicKey | KeyProblems> {
  const line = text.trim();
  if (line === '') return { key: ["can't be blank"] };
  if (line.length > longest) return { key: [tooLong(longest)] };
  const [, type, base64, comment] = /^([\w@.-]+) +([A-Za-z0-9+/]+={0,2})(?: +([^\r\n]*))?$/.exec(line) ?? [];
  if (type === undefined || base64 === undefined) return invalid;
  if (refused.test(type)) return { key: [forbidden] };
  const blob = Buffer.from(base64, 'base64');
  const bits = accepted.has(type) ? await strengthOf(type, blob) : undefined;
  if (bits === undefined) return invalid;
  if (type === 'ssh-rsa' && bits < fewestBits) return { key: [`must be at least ${fewestBits} bits`] };
  return {
    key: `${type} ${blob.toString('base64')}`,
    comment: comment?.trim() ?? '',
    sha256: fingerprint(blob),
    md5: createHash('md5').update(blob).digest(),
  };
}

/** The fingerprint by which a key is found. @param blob the decoded key, as clients present it */
export const fingerprint = (blob: Buffer): Buffer => createHash('sha256').update(blob).digest();

/** A fingerprint as OpenSSH shows it. */
export const shownFingerprint = (sha256: Uint8Array): string =>
  `SHA256:${Buffer.from(sha256).toString('base64').replace(/=+$/, '')}`;

/** The older form of a fingerprint: `4a:9d:…`. */
export const shownMd5 = (md5: Uint8Array): string => Buffer.from(md5).toString('hex').match(/../g)!.join(':');

/** Reads a fingerprint in one of both forms; undefined for another text. */
export function readFingerprint(text: string): { readonly by: 'sha256' | 'md5'; readonly digest: Buffer } | undefined {
  const sha256 = /^SHA256:([A-Za-z0-9+/]{43})=?$/.exec(text)?.[1];
  if (sha256 !== undefined) return { by: 'sha256', digest: Buffer.from(sha256, 'base64') };
  if (!/^(?:MD5:)?(?:[\da-f]{2}:){15}[\da-f]{2}$/i.test(text)) return undefined;
  return { by: 'md5', digest: Buffer.from(text.replace(/^MD5:/i, '').replaceAll(':', ''), 'hex') };
}

/** The bits of a key; undefined for one that is no key of this type, or isn't written in the one canonical way. */
async function strengthOf(type: string, blob: Buffer): Promise<number | undefined> {
  const { default: ssh } = await import('ssh2');
  const parsed = ssh.utils.parseKey(`${type} ${blob.toString('base64')}`);
  if (parsed instanceof Error || Array.isArray(parsed) || parsed.type !== type) return undefined;
  // Another encoding of the same key would have another fingerprint.
  if (!parsed.getPublicSSH().equals(blob)) return undefined;
  try {
    const { asymmetricKeyDetails: details } = createPublicKey(parsed.getPublicPEM());
    return details?.modulusLength ?? 256;
  } catch {
    return undefined;
  }
}

/**
 * Whether the owner of a key signed something.
 * @param blob the decoded public key
 * @param hash of the signature, where the type of the key leaves a choice
 */
export async function isSignedBy(
  blob: Buffer,
  {
    signed,
    signature,
    hash,
  }: { readonly signed: Buffer; readonly signature: Buffer; readonly hash?: string | undefined },
): Promise<boolean> {
  const length = blob.length < 4 ? 0 : blob.readUInt32BE();
  const type = blob.toString('latin1', 4, 4 + length);
  // RSA without a named hash is SHA-1, which no longer proves anything (RFC 8332 §2).
  if (!accepted.has(type) || (type === 'ssh-rsa' && hash === undefined)) return false;
  const { default: ssh } = await import('ssh2');
  const key = ssh.utils.parseKey(`${type} ${blob.toString('base64')}`);
  if (key instanceof Error || Array.isArray(key)) return false;
  return key.verify(signed, signature, hash) === true;
}
