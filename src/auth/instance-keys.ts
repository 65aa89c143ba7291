import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deriveKey } from './crypto.ts';

/**
 * The instance key, which never lies in the database. The first key makes new
 * digests and seals; older ones are still tried, so keys can be rotated.
 */
export interface InstanceKeys {
  /** One derived key for each instance key, newest first. */
  derive(label: string): readonly Buffer[];
}

/**
 * Takes the configured keys, or the one in `secret.key` under the data folder,
 * which is made (mode 0600) at the first start.
 */
export function loadInstanceKeys(config: { secretKeys: readonly string[]; dataDir: string }): InstanceKeys {
  const keys = config.secretKeys.length > 0 ? config.secretKeys : [keyFile(config.dataDir)];
  const derived = new Map<string, readonly Buffer[]>();
  return {
    derive(label) {
      let known = derived.get(label);
      if (!known) derived.set(label, (known = keys.map((key) => deriveKey(key, label))));
      return known;
    },
  };
}

/** Keys that only whoever has both the instance key and the secret can make. */
export function deriveSharedKeys(keys: InstanceKeys, label: string, secret: string): Buffer[] {
  return keys.derive(label).map((key) => deriveKey(secret, label, key));
}

/**
 * Tells which keys there are, without telling them: one fingerprint for each, newest first. Makes no key where
 * there is none yet.
 */
export function keyFingerprints(config: { secretKeys: readonly string[]; dataDir: string }): string[] {
  if (config.secretKeys.length === 0 && !existsSync(join(config.dataDir, fileName))) return [];
  return fingerprintsOf(loadInstanceKeys(config));
}

export const fingerprintsOf = (keys: InstanceKeys): string[] => keys.derive('fingerprint').map((key) => key.toString('hex', 0, 8));

/** Under the data folder. */
const fileName = 'secret.key';

function keyFile(dataDir: string): string {
  const file = join(dataDir, fileName);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // Written aside and linked into place: a crash leaves a whole key or none, and of
  // two processes that come at once the second takes the first one's.
  const aside = `${file}.${process.pid}`;
  writeFileSync(aside, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(aside, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside);
  }
  return readFileSync(file, 'utf8').trim();
}
