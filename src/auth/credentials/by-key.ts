import type { Prefetch, RequestDatabase, Sql } from '../../database/index.ts';
import { Forbidden } from '../../errors.ts';
import type { Viewer } from '../../policy/index.ts';
import { ignoreUnavailable } from './authenticate.ts';
import { livePerson } from './live-person.ts';
import { findSshKey, liveSshKey, noteKeyUse, type SshKeyRow } from '../statements/ssh-keys.ts';

/** Whether a key opens connections: it is someone's, or of projects. What they may do is asked for each command. */
export const isKnownKey = async (sql: Sql, fingerprint: Buffer): Promise<boolean> =>
  (await sql.rows(findSshKey.alone, [fingerprint])).length > 0;

/**
 * The viewer behind an SSH key, or the deploy key itself, whose signature was checked before, looked up together with its prefetch.
 * @throws Forbidden for a key that is no one's any more, for an expired one and for a blocked person
 */
export async function authenticateKey(
  database: RequestDatabase,
  fingerprint: Buffer,
  prefetch: Prefetch | undefined,
): Promise<Viewer> {
  const row = await database.lookUp(findSshKey, [fingerprint], prefetch);
  const viewer = ownerOf(row);
  // In a statement of its own, so that the look-up only reads.
  if (row!.unnoted) await database.rows(noteKeyUse, [row!.id]).catch(ignoreUnavailable);
  return viewer;
}

/** The viewer behind a key that was presented before, as of now. @throws as `authenticateKey` */
export async function keyNow(sql: Sql, keyId: number): Promise<Viewer> {
  const [row] = await sql.rows(liveSshKey, [keyId]);
  return ownerOf(row);
}

function ownerOf(row: SshKeyRow | undefined): Viewer {
  if (!row) throw new Forbidden('This SSH key is no longer known.');
  if (row.expired) throw new Forbidden('Your SSH key has expired.');
  if (row.kind === 'PERSON') return { person: livePerson(row), credential: { kind: 'key', keyId: row.id } };
  const { id: keyId, reads, writes, creator_id: creatorId } = row;
  return { person: null, credential: { kind: 'deploy_key', keyId, reads, writes, creatorId } };
}
