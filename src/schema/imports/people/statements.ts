import { idOrNext } from '../../../database/access/imported-ids.ts';
import { statement } from '../../../database/index.ts';
import { isGhost, makingGhost } from '../../accounts/users/statements/ghost.ts';

/** Which of some addresses people have. $1 addresses in lower case, $2 a person who may have them, or null. */
export const findTakenAddresses = statement<{ address: string; username: string }>(
  'find_taken_addresses',
  `select e.address, u.username from emails e join users u on u.id = e.user_id
    where e.address = any($1::text[]) and e.user_id is distinct from $2::int order by e.address`,
);

/**
 * Makes a person without a password, with their namespace. $1 the id to keep or null, $2 the same of the namespace, $3 name
 * of the account, $4 name, $5 state, $6 why blocked, $7 administrator, $8 public address, $9 attributes, $10 when it was
 * made.
 */
export const insertPerson = statement<{ id: number }>(
  'import_person',
  `with made as (
     insert into users (id, username, name, state, blocked_as, administrator, public_email, attributes, created_at, updated_at)
     select ${idOrNext('users', '$1')}, $3, $4, $5::"UserState", $6::"BlockedAs", $7, $8, $9::jsonb, $10::timestamptz, now()
     returning id, username
   ), space as (
     insert into namespaces (id, kind, owner_id, path, name, full_path, visibility, ancestry, created_at, updated_at)
     select next.id, 'USER', made.id, username, $4, username, 'PUBLIC', array[next.id], $10::timestamptz, now()
       from made, lateral (select ${idOrNext('namespaces', '$2')} as id) next
     returning id, full_path
   ), route as (
     insert into routes (path, namespace_id) select lower(full_path), id from space
   ), redirected as (
     delete from former_paths f using space where f.path = lower(space.full_path)
   )
   select id from made`,
);

/** What applies of the account. $1 person, $2 external, $3 private, $4 makes groups, $5 limit of projects. */
export const storeObeyed = statement<object>(
  'import_obeyed_attributes',
  `update users set external = coalesce($2, external), private_profile = coalesce($3, private_profile),
      can_create_group = coalesce($4, can_create_group), projects_limit = coalesce($5::int, projects_limit) where id = $1::int`,
);

/**
 * Changes a person. $1 person, $2 name, $3 state, $4 why blocked, $5 administrator, $6 public address, $7 attributes, $8
 * attributes that have their default again.
 */
export const changePerson = statement<{ id: number }>(
  'change_imported_person',
  `with space as (update namespaces set name = $2 where owner_id = $1::int)
   update users set name = $2, state = $3::"UserState", blocked_as = $4::"BlockedAs", administrator = $5, public_email = $6,
      attributes = (attributes || $7::jsonb) - $8::text[], updated_at = now()
    where id = $1::int and deleting_since is null returning id`,
);

/** The namespace of the person $1, and the state of their account. */
export const findAccountNow = statement<{ id: number; full_path: string; state: string; blocked_as: string | null }>(
  'find_account_of_imported',
  `select n.id, n.full_path, u.state::text as state, u.blocked_as::text as blocked_as
     from namespaces n join users u on u.id = n.owner_id where n.owner_id = $1::int for update`,
);

/**
 * Stores what an account is called at other providers. $1 person, $2 providers, $3 the names there, in pairs. Returns those that
 * were stored; other people have the others.
 */
export const storeIdentities = statement<object>(
  'import_identities',
  `insert into identities (user_id, provider, extern_uid)
   select $1::int, one.provider, one.extern_uid
     from (select distinct on (provider) provider, extern_uid from unnest($2::text[], $3::text[]) given(provider, extern_uid)) one
    where not exists (select from identities other where other.provider = one.provider
            and lower(other.extern_uid) = lower(one.extern_uid) and other.user_id <> $1::int)
   on conflict (user_id, provider) do update set extern_uid = excluded.extern_uid returning provider`,
);

/** Names the account of the person $1 $2. */
export const renamePerson = statement<object>(
  'rename_imported_person',
  'update users set username = $2 where id = $1::int',
);

/**
 * Gives a person addresses. $1 person, $2 addresses, $3 when each was confirmed or null, $4 the primary one, $5 the ids to keep
 * or nulls. Those that the person has stay.
 */
export const storeAddresses = statement<object>(
  'import_addresses',
  `insert into emails (id, user_id, address, verified_at, primary_of)
   select ${idOrNext('emails', 'one.id')}, $1::int, one.address, one.verified_at, case when one.address = $4 and not exists (
            select from emails e where e.primary_of = $1::int) then $1::int end
     from unnest($2::text[], $3::timestamptz[], $5::int[]) one(address, verified_at, id)
   on conflict (address) do update set verified_at = coalesce(emails.verified_at, excluded.verified_at)
    where emails.user_id = excluded.user_id`,
);

/** The person who has what removed people wrote, made if there is none yet. */
export const makeGhost = statement<object>('import_ghost', makingGhost());

/** The id of the ghost. */
export const findGhost = statement<{ id: number }>('find_ghost', `select id from users where ${isGhost()}`);

/**
 * Adds a key. $1 person, $2 title, $3 key, $4 its SHA-256, $5 its MD5, $6 usage, $7 when it was added, $8 expiry, $9 the id to
 * keep or null. No row: there is one with this fingerprint.
 */
export const insertKey = statement<{ id: number }>(
  'import_ssh_key',
  `insert into ssh_keys (id, user_id, title, key, fingerprint_sha256, fingerprint_md5, usage_type, created_at, expires_at)
   values (${idOrNext('ssh_keys', '$9')}, $1::int, $2, $3, $4, $5, $6::"SshKeyUsage", $7::timestamptz, $8::timestamptz)
   on conflict (fingerprint_sha256) do nothing returning id`,
);

/** Changes a key. $1 id, $2 title, $3 usage, $4 expiry. */
export const changeKey = statement<object>(
  'change_imported_ssh_key',
  `update ssh_keys set title = $2, usage_type = $3::"SshKeyUsage", expires_at = $4::timestamptz where id = $1::int`,
);
