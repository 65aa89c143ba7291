import { forgetHostKeys } from '../statements/ssh-host-keys.ts';
import type { Sql } from '../../database/index.ts';
import { adoptKey, findKnownKey, noteKey } from '../statements/instance-key.ts';
import {
  fingerprintsOf,
  InstanceKeyError,
  loadInstanceKeys,
  makeKeyFile,
  putBack,
  type InstanceKeys,
  type KeySource,
} from './instance-keys.ts';

/** What the database knows about the instance key. */
export interface KnownKey {
  /** The fingerprint of the key that the database was used with; null if none was noted yet. */
  readonly fingerprint: string | null;
  /** Whether the database has data that may be sealed under a key. */
  readonly inUse: boolean;
}

/**
 * Loads the instance keys and checks that one of them is the key that the database was used with. For a new
 * database the key file is created and its fingerprint noted.
 * @throws InstanceKeyError if no key matches, or if there is data but no key
 */
export async function keysFor(sql: Sql, source: KeySource): Promise<InstanceKeys> {
  const [known] = (await sql.rows(findKnownKey, [])) as [KnownKey];
  const fault = keyFault(known, source);
  if (fault) throw fault;
  const keys = loadOrCreate(source);
  // Note the oldest key: it is needed until everything is resealed.
  if (known.fingerprint === null) {
    await sql.rows(noteKey, [fingerprintsOf(keys).at(-1)]);
    // Another process may have noted another key at the same moment.
    const [noted] = (await sql.rows(findKnownKey, [])) as [KnownKey];
    const other = keyFault(noted, source);
    if (other) throw other;
  }
  return keys;
}

/**
 * What is wrong with the keys for this database.
 * @throws InstanceKeyError for a key file that can't be read
 */
export function keyFault({ fingerprint, inUse }: KnownKey, source: KeySource): InstanceKeyError | undefined {
  const keys = loadInstanceKeys(source);
  if (!keys) {
    if (fingerprint === null && !inUse) return undefined;
    return new InstanceKeyError(
      `The instance key is gone: there is no secret.key in ${source.dataDir}, and the database was used with one.`,
      putBack,
    );
  }
  if (fingerprint === null || fingerprintsOf(keys).includes(fingerprint)) return undefined;
  return new InstanceKeyError(
    `The instance key is not the one that this database was used with (fingerprint ${fingerprint}).`,
    'Put that key back as CAUSEWAY_SECRET_KEY or secret.key. To exchange it, name both (CAUSEWAY_SECRET_KEY=new,old) and run causeway keys reseal first. If that key is lost, run causeway keys adopt.',
  );
}

/**
 * Makes the database accept the present key, or a new one, instead of the key that it knew.
 * @returns `former`: the replaced fingerprint, if it was a different one
 */
export async function adopt(sql: Sql, source: KeySource): Promise<{ keys: InstanceKeys; former: string | null }> {
  const [{ fingerprint }] = (await sql.rows(findKnownKey, [])) as [KnownKey];
  const keys = loadOrCreate(source);
  const ours = fingerprintsOf(keys);
  if (fingerprint !== null && ours.includes(fingerprint)) return { keys, former: null };
  await sql.rows(adoptKey, [ours.at(-1)]);
  // Nothing opens it any more; the next start makes another one.
  if (fingerprint !== null) await sql.rows(forgetHostKeys, []);
  return { keys, former: fingerprint };
}

/** Notes that everything is sealed under the first key, so that the operator can remove the others. */
export async function knowFirstKey(sql: Sql, keys: InstanceKeys): Promise<void> {
  await sql.rows(adoptKey, [fingerprintsOf(keys)[0]]);
}

function loadOrCreate(source: KeySource): InstanceKeys {
  const found = loadInstanceKeys(source);
  if (found) return found;
  makeKeyFile(source.dataDir);
  return loadInstanceKeys(source)!;
}
