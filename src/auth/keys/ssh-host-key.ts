import type { Sql } from '../../database/index.ts';
import { InstanceKeyError, type InstanceKeys } from './instance-keys.ts';
import { seal, unseal } from './seal.ts';
import { fingerprint, shownFingerprint } from './ssh-key.ts';
import { findHostKey, forgetHostKey, insertHostKey, resealHostKey } from '../statements/ssh-host-keys.ts';

/**
 * The key by which clients recognise this instance over SSH. It is made once, and lies in the database, sealed: every
 * process of the instance shows the same one, also after a restore.
 */

const type = 'ssh-ed25519';
const rowOf = `ssh host key ${type}`;
const sealing = (keys: InstanceKeys) => keys.derive('ssh host keys');

/**
 * The private key, in the form of OpenSSH; the first call makes it.
 * @throws InstanceKeyError if no instance key opens it
 */
export async function hostKey(sql: Sql, keys: InstanceKeys): Promise<string> {
  const { default: ssh } = await import('ssh2');
  const isSound = (key: string) => !(ssh.utils.parseKey(key) instanceof Error);
  const [row] = await sql.rows(findHostKey, [type]);
  if (row) {
    const opened = unseal(sealing(keys), rowOf, row.sealed);
    if (opened === null)
      throw new InstanceKeyError(
        'The SSH host key can’t be opened with any of the instance keys.',
        'Name the key that it was sealed under in CAUSEWAY_SECRET_KEY too. If that key is lost, run causeway keys adopt: a new host key is made, and clients have to accept it.',
      );
    if (isSound(opened)) return opened;
    // Made before such keys were noticed: no process could ever show it.
    await sql.rows(forgetHostKey, [type, row.sealed]);
  }
  // ssh2 1.17 leaves out a zero at the beginning of the public key, and then can't read what it made: 1 of 256.
  let made;
  do made = ssh.utils.generateKeyPairSync('ed25519', { comment: 'causeway' });
  while (!isSound(made.private));
  const shown = made.public.split(' ').slice(0, 2).join(' ');
  await sql.rows(insertHostKey, [type, seal(sealing(keys)[0]!, rowOf, made.private), shown]);
  // Another process may have been faster.
  return hostKey(sql, keys);
}

/** The fingerprint of the host key, as OpenSSH shows it; undefined if none was made yet. */
export async function hostKeyFingerprint(sql: Sql): Promise<string | undefined> {
  const [row] = await sql.rows(findHostKey, [type]);
  return row && shownFingerprint(fingerprint(Buffer.from(row.shown.split(' ')[1]!, 'base64')));
}

/** What became of the host key when it was to be sealed under the first instance key. */
export type ResealedHostKey = 'none' | 'current' | 'resealed' | 'unreadable';

/** Seals the host key under the first instance key, so that the operator can remove older ones. */
export async function resealHostKeys(sql: Sql, keys: InstanceKeys): Promise<ResealedHostKey> {
  const [row] = await sql.rows(findHostKey, [type]);
  if (!row) return 'none';
  const all = sealing(keys);
  if (unseal([all[0]!], rowOf, row.sealed) !== null) return 'current';
  const opened = unseal(all, rowOf, row.sealed);
  if (opened === null) return 'unreadable';
  await sql.rows(resealHostKey, [type, row.sealed, seal(all[0]!, rowOf, opened)]);
  return 'resealed';
}
