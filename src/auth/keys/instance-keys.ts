import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../../errors.ts';
import { deriveKey } from './crypto.ts';

/**
 * The instance keys, which are never stored in the database. The first key makes new
 * digests and seals; older ones are still tried, so that keys can be rotated.
 */
export interface InstanceKeys {
  /** One derived key for each instance key, newest first. */
  derive(label: string): readonly Buffer[];
}

/** Where the instance keys come from. */
export interface KeySource {
  /** The configured keys, newest first; if empty, `secret.key` under the data folder is used. */
  readonly secretKeys: readonly string[];
  readonly dataDir: string;
}

/** Why the instance key can't be used. */
export class InstanceKeyError extends OperatorError {
  override readonly name = 'InstanceKeyError';
}

/** The remedy for a key file that is missing or unusable. */
export const putBack =
  'Put back secret.key from where you keep its copy, or set CAUSEWAY_SECRET_KEY to that key. If no copy is left, move the file away and run causeway keys adopt.';

/**
 * Loads the configured keys, or the key in `secret.key` under the data folder.
 * @returns undefined if there is neither
 * @throws InstanceKeyError for a file that can't be read, or holds no key
 */
export function loadInstanceKeys({ secretKeys, dataDir }: KeySource): InstanceKeys | undefined {
  if (secretKeys.length > 0) return derivedFrom(secretKeys);
  const key = readKeyFile(dataDir);
  return key === undefined ? undefined : derivedFrom([key]);
}

function derivedFrom(keys: readonly string[]): InstanceKeys {
  const derived = new Map<string, readonly Buffer[]>();
  return {
    derive(label) {
      let known = derived.get(label);
      if (!known) derived.set(label, (known = keys.map((key) => deriveKey(key, label))));
      return known;
    },
  };
}

/** Keys that can be derived only with both the instance key and the secret. */
export function deriveSharedKeys(keys: InstanceKeys, label: string, secret: string): Buffer[] {
  return keys.derive(label).map((key) => deriveKey(secret, label, key));
}

/**
 * The fingerprints of the keys, newest first. A fingerprint identifies a key without revealing it. Without a key
 * the list is empty; no key is created.
 * @throws InstanceKeyError
 */
export function keyFingerprints(source: KeySource): string[] {
  const keys = loadInstanceKeys(source);
  return keys ? fingerprintsOf(keys) : [];
}

export const fingerprintsOf = (keys: InstanceKeys): string[] =>
  keys.derive('fingerprint').map((key) => key.toString('hex', 0, 8));

/** The key file, under the data folder. */
const keyFile = (dataDir: string): string => join(dataDir, 'secret.key');

/** The form of a key, the same as in `CAUSEWAY_SECRET_KEY`. A key file with another form is damaged. */
const wellFormed = /^[\x21-\x2b\x2d-\x7e]{32,}$/;

function readKeyFile(dataDir: string): string | undefined {
  const file = keyFile(dataDir);
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // No file: if the data folder can't exist either, creating it will report why.
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new InstanceKeyError(
      `The instance key in ${file} can’t be read: ${message}.`,
      `Give the gateway’s account a file that it may read there. ${putBack}`,
      { cause: error },
    );
  }
  if (text === '') throw new InstanceKeyError(`The instance key in ${file} is empty.`, putBack);
  if (!wellFormed.test(text))
    throw new InstanceKeyError(
      `The instance key in ${file} is damaged: it has to be 32 characters or more, without spaces or commas.`,
      putBack,
    );
  return text;
}

/**
 * Creates `secret.key` (mode 0600), unless another process has created it meanwhile.
 * @throws InstanceKeyError if it can't be written
 */
export function makeKeyFile(dataDir: string): void {
  const file = keyFile(dataDir);
  // Write a temporary file and link it into place: after a crash there is a whole key or none, and the second of
  // two concurrent processes uses the key of the first.
  const temporary = `${file}.${process.pid}`;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(temporary, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true });
    linkSync(temporary, file);
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && syscall === 'link') return;
    throw new InstanceKeyError(
      `The instance key can’t be kept in ${file}: ${message}.`,
      'Make room, or let the gateway’s account write there, or set DATA_DIR to another folder, or set CAUSEWAY_SECRET_KEY.',
      { cause: error },
    );
  } finally {
    // Without the folder, there is no temporary file.
    if (existsSync(temporary)) rmSync(temporary);
  }
}
