import { statement } from '../database/index.ts';
import { auditKind } from '../auth/statements/audit.ts';
import { parties } from '../auth/statements/live.ts';

/**
 * What is removed in the background. Each statement takes a small batch, so that
 * none holds locks for long, and skips rows that another process is removing.
 */
const remove = (name: string, table: string, condition: string, key: 'id' | 'ctid' = 'id') =>
  statement<{ removed: number }>(
    `sweep_${name}`,
    `with batch as (
       select ${key} as row_key from ${table} where ${condition} limit $1 for update skip locked
     ), gone as (
       delete from ${table} t using batch where t.${key} = batch.row_key returning 1
     )
     select count(*)::int as removed from gone`,
  );

/** What lies in projects that are being removed goes first, so that no statement takes a million rows along. */
const removedProjects = '(select id from projects where deleting_since is not null)';
const ofRemovedProjects = (table: string) =>
  remove(`${table}_of_removed`, table, `project_id in ${removedProjects}`, 'ctid');
const empty = ['project_members', 'stars', 'project_notification_settings'].map(
  (table) => `not exists (select from ${table} x where x.project_id = projects.id)`,
);

/** Time for which what has ended may still be asked about: a token says that it expired. */
const afterglow = `interval '1 day'`;

/**
 * $1 the size of a batch; the audit's sweep takes the days to keep as $2. Spent
 * codes and rotated refresh tokens go with their family, never before it.
 */
export const sweeps = {
  accessTokens: remove('access_tokens', 'access_tokens', `expires_at < now() - ${afterglow}`),
  codes: remove('codes', 'authorization_codes', `expires_at < now() - ${afterglow} and grant_id is null`),
  devices: remove('devices', 'device_codes', `expires_at < now() - ${afterglow} and grant_id is null`),
  sessions: remove('sessions', 'sessions', `created_at < now() - interval '31 days'`),
  pendingSignIns: remove('pending_sign_ins', 'pending_sign_ins', 'expires_at < now()'),
  mailedTokens: remove('mailed_tokens', 'mailed_tokens', `expires_at < now() and kind <> 'VERIFY_EMAIL'`),
  counters: remove('counters', 'attempt_counters', `started_at < now() - interval '25 hours'`, 'ctid'),
  requests: remove('requests', 'request_counters', 'ends_at < now()', 'ctid'),
  places: remove('places', 'known_places', `last_at < now() - interval '31 days'`, 'ctid'),
  removedMembers: ofRemovedProjects('project_members'),
  removedStars: ofRemovedProjects('stars'),
  removedSettings: ofRemovedProjects('project_notification_settings'),
  removedProjects: remove('removed_projects', 'projects', ['deleting_since is not null', ...empty].join(' and ')),
  /** A family takes all that is left of it along: tokens, rotated ones, spent codes. */
  endedFamilies: remove('ended_families', 'grants', `ended_at < now() - ${afterglow}`),
  expiredFamilies: remove('expired_families', 'grants', `expires_at < now() - ${afterglow}`),
} as const;

/** For how long after its last link an account may still be confirmed, by signing up with its address once more. */
const gracePeriod = `interval '6 days'`;

/**
 * Takes links out that confirmed no address, and marks the accounts to be removed that people made for
 * themselves, never confirmed, and can confirm no more: they would keep a name and somebody's address for ever.
 * An account that an administrator made, or made a member, is left alone. $1 the size of a batch.
 */
export const sweepUnconfirmed = statement<{ removed: number }>(
  'sweep_unconfirmed',
  `with batch as (
     select id, user_id from mailed_tokens where expires_at < now() - ${gracePeriod} and kind = 'VERIFY_EMAIL' limit $1 for update skip locked
   ), links as (
     delete from mailed_tokens m using batch where m.id = batch.id
   ), gone as (
     update users u set deleting_since = now(), state = 'BLOCKED', password_hash = null, valid_from = clock_timestamp()
      where u.id in (select user_id from batch) and u.deleting_since is null
        and exists (select from audit_events a where a.user_id = u.id and a.kind = ${auditKind('signed_up')})
        and not exists (select from emails e where e.user_id = u.id and e.verified_at is not null)
        and not exists (select from mailed_tokens m where m.user_id = u.id and m.expires_at > now() - ${gracePeriod})
        and not exists (select from group_members g where g.user_id = u.id)
        and not exists (select from project_members p where p.user_id = u.id)
     returning id
   ), places as (
     update namespaces n set deleting_since = now() from gone where n.owner_id = gone.id
   ), noted as (
     insert into audit_events (kind, user_id, address, request_id, detail) select ${auditKind('user_deleted')}, id, '', '', 'never confirmed' from gone
   )
   select count(*)::int as removed from batch`,
);

/**
 * Families that never expire end when somebody takes back what allowed them, which
 * is noted with the person, the application or the pair. They are looked through
 * batch after batch, so that a round costs the same however many live. $1 the size
 * of a batch, $2 the id after which it begins. `last`: its last id, null where there
 * was none.
 */
export const sweepRevokedFamilies = statement<{ removed: number; last: number | null }>(
  'sweep_revoked_families',
  `with batch as (
     select id, application_id, user_id, authorized_at from grants where expires_at is null and id > $2 order by id limit $1
   ), over as (
     select g.id from grants g
      where g.id in (
        select batch.id from batch ${parties('batch')}
         where batch.authorized_at <= greatest(u.valid_from, a.valid_from, p.valid_from)
           and greatest(u.valid_from, a.valid_from, p.valid_from) < now() - ${afterglow}
      ) for update skip locked
   ), gone as (
     delete from grants g using over where g.id = over.id returning 1
   )
   select (select count(*)::int from gone) as removed, (select max(id) from batch) as last`,
);

/** Erases what is sealed for a while. $1 the size of a batch. */
const erase = (table: string, key: string) =>
  statement<{ removed: number }>(
    `sweep_seals_of_${table}`,
    `with batch as (
       select ${key} from ${table} where sealed_until < now() limit $1 for update skip locked
     ), erased as (
       update ${table} t set sealed = null, sealed_until = null from batch where t.${key} = batch.${key} returning 1
     )
     select count(*)::int as removed from erased`,
  );

/** Successors whose window is over, and secrets whose page was never opened. */
export const eraseSeals = [erase('refresh_tokens', 'id'), erase('sent_forms', 'form_id')] as const;

/** $1 the size of a batch, $2 days. */
export const sweepAudit = statement<{ removed: number }>(
  'sweep_audit',
  `with batch as (
     select id from audit_events where at < now() - make_interval(days => $2::int) order by at limit $1 for update skip locked
   ), gone as (
     delete from audit_events e using batch where e.id = batch.id returning 1
   )
   select count(*)::int as removed from gone`,
);
