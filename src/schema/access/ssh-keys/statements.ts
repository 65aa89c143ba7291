import { statement, type SshKey } from '../../../database/index.ts';
import { ListQuery, type Reading } from '../../../database/list.ts';

/** SSH keys of people. What changes one also writes its audit event. */

const reading: Reading<SshKey> = {
  columns: `k.id, k.kind, k.user_id as "userId", k.title, k.key, k.fingerprint_sha256 as "fingerprintSha256",
    k.fingerprint_md5 as "fingerprintMd5", k.usage_type as "usageType", k.created_at as "createdAt",
    k.expires_at as "expiresAt", k.last_used_at as "lastUsedAt"`,
  from: 'ssh_keys k',
  id: 'k.id',
};

/** The keys of a person. */
export function keysOf(userId: number): ListQuery<SshKey> {
  const query = new ListQuery('ssh_keys k', 'k.id', reading);
  return query.where(`k.user_id = ${query.key(userId)}::int`);
}

/**
 * Adds a key. $1 person, $2 title, $3 key, $4 its SHA-256, $5 its MD5, $6 usage, $7 expiry, $8 the most keys of a person,
 * $9 actor, $10 address, $11 request id. No row: the person has as many already, or another key has this fingerprint.
 */
export const insertSshKey = statement<{ id: number }>(
  'insert_ssh_key',
  `with made as (
     insert into ssh_keys (user_id, title, key, fingerprint_sha256, fingerprint_md5, usage_type, expires_at)
     select $1::int, $2, $3, $4, $5, $6::"SshKeyUsage", $7::timestamptz
      where (select count(*) from ssh_keys where user_id = $1::int) < $8::int
     on conflict (fingerprint_sha256) do nothing returning id, user_id, title
   ), audit as (
     insert into audit_events (kind, actor_id, user_id, address, request_id, detail)
     select 'ssh_key_added', $9::int, user_id, $10, $11, title from made
   )
   select id from made`,
);

/** Whether a key with a fingerprint is there. $1 SHA-256. */
export const isTaken = statement<object>('ssh_key_taken', 'select 1 from ssh_keys where fingerprint_sha256 = $1');

/** Removes a key of a person. $1 id, $2 person, $3 actor, $4 address, $5 request id. No row: there is none. */
export const deleteSshKey = statement<{ id: number }>(
  'delete_ssh_key',
  `with gone as (
     delete from ssh_keys where id = $1 and user_id = $2 returning id, user_id, title
   ), audit as (
     insert into audit_events (kind, actor_id, user_id, address, request_id, detail)
     select 'ssh_key_removed', $3::int, user_id, $4, $5, title from gone
   )
   select id from gone`,
);
