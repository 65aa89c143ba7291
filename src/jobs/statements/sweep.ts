import { statement } from '../../database/index.ts';
import { auditKind } from '../../auth/statements/audit.ts';
import { parties } from '../../auth/statements/live.ts';

/**
 * The statements of the sweep. Each removes a small batch, so that none holds locks for long, and skips rows that
 * another process is removing.
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

/** Rows of projects marked as deleted are removed first, so that no statement cascades to a million rows. */
const removedProjects = '(select id from projects where deleting_since is not null)';
const ofRemovedProjects = (table: string) =>
  remove(`${table}_of_removed`, table, `project_id in ${removedProjects}`, 'ctid');
const empty = ['project_members', 'stars', 'project_notification_settings'].map(
  (table) => `not exists (select from ${table} x where x.project_id = projects.id)`,
);

/** How long expired rows are kept, so that a client can still learn that its token expired. */
const keptAfterEnd = `interval '1 day'`;

/**
 * $1 the size of a batch; the audit's sweep takes the days to keep as $2. Used codes and rotated refresh tokens are
 * removed with their family, never before it.
 */
export const sweeps = {
  accessTokens: remove('access_tokens', 'access_tokens', `expires_at < now() - ${keptAfterEnd}`),
  codes: remove('codes', 'authorization_codes', `expires_at < now() - ${keptAfterEnd} and grant_id is null`),
  devices: remove('devices', 'device_codes', `expires_at < now() - ${keptAfterEnd} and grant_id is null`),
  sessions: remove('sessions', 'sessions', `created_at < now() - interval '31 days'`),
  answeredChallenges: remove('answered_challenges', 'answered_challenges', 'expires_at < now()', 'ctid'),
  pendingSignIns: remove('pending_sign_ins', 'pending_sign_ins', 'expires_at < now()'),
  mailedTokens: remove('mailed_tokens', 'mailed_tokens', `expires_at < now() and kind <> 'VERIFY_EMAIL'`),
  counters: remove('counters', 'attempt_counters', `started_at < now() - interval '25 hours'`, 'ctid'),
  requests: remove('requests', 'request_counters', 'ends_at < now()', 'ctid'),
  statuses: remove('statuses', 'user_statuses', 'clear_status_at < now()', 'ctid'),
  keptMails: remove('kept_mails', 'kept_mails', `at < now() - interval '1 day'`),
  /** The oldest have the lowest ids: nothing else is read. */
  notifications: remove(
    'notifications',
    'notifications',
    `created_at < now() - interval '14 days' and id in (select id from notifications order by id limit $1)`,
  ),
  places: remove('places', 'known_places', `last_at < now() - interval '31 days'`, 'ctid'),
  removedMembers: ofRemovedProjects('project_members'),
  removedStars: ofRemovedProjects('stars'),
  removedSettings: ofRemovedProjects('project_notification_settings'),
  removedProjects: remove('removed_projects', 'projects', ['deleting_since is not null', ...empty].join(' and ')),
  /** Removing a family cascades to its tokens, rotated ones and used codes. */
  endedFamilies: remove('ended_families', 'grants', `ended_at < now() - ${keptAfterEnd}`),
  expiredFamilies: remove('expired_families', 'grants', `expires_at < now() - ${keptAfterEnd}`),
} as const;

/** How long an account may still be confirmed after its last link, by signing up with its address again. */
const gracePeriod = `interval '6 days'`;

/**
 * Removes expired confirmation links. Marks self-registered accounts as deleted if they were never confirmed and no
 * longer can be: they would block a name and an address permanently. Accounts that an administrator created, or made a
 * member, stay. $1 the size of a batch.
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
 * Removes token families that never expire, if the person, the application or the authorization was revoked. It walks
 * through all of them batch by batch, so that a round costs the same however many there are. $1 the size of a batch,
 * $2 the id to start after. `last`: the last id of the batch, null if there was none.
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
           and greatest(u.valid_from, a.valid_from, p.valid_from) < now() - ${keptAfterEnd}
      ) for update skip locked
   ), gone as (
     delete from grants g using over where g.id = over.id returning 1
   )
   select (select count(*)::int from gone) as removed, (select max(id) from batch) as last`,
);

/** Erases expired sealed values. $1 the size of a batch. */
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

/**
 * Erase sealed successors of refresh tokens after their grace window, and sealed secrets whose page was never opened.
 */
export const eraseSeals = [erase('refresh_tokens', 'id'), erase('sent_forms', 'form_id')] as const;

/** Removes old audit events. $1 the size of a batch, $2 the days to keep. */
export const sweepAudit = statement<{ removed: number }>(
  'sweep_audit',
  `with batch as (
     select id from audit_events where at < now() - make_interval(days => $2::int) order by at limit $1 for update skip locked
   ), gone as (
     delete from audit_events e using batch where e.id = batch.id returning 1
   )
   select count(*)::int as removed from gone`,
);
