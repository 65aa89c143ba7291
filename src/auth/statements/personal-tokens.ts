import type { AuditKind } from '../../values/kinds/audit-kinds.ts';
import { statement, type PersonalAccessToken } from '../../database/index.ts';
import { pageTokenMinutes } from '../../values/page-tokens.ts';
import { ListQuery, type Reading } from '../../database/list.ts';

/** Creating, rotating and revoking personal access tokens. Each statement also writes its audit event. */

/** SQL that writes the audit event. @param from a CTE with user_id, name and scopes */
const audited = (from: string, kind: AuditKind, actor: string, address: string, requestId: string) => `
  insert into audit_events (kind, actor_id, user_id, scopes, address, request_id, detail)
  select '${kind}', ${actor}, x.user_id, x.scopes, ${address}, ${requestId}, x.name from ${from} x`;

/**
 * Stores a new token. $1 user, $2 name, $3 description, $4 digest, $5 scopes, $6 the first day on which it
 * no longer works, $7 actor, $8 address, $9 request id. No row: the token exists already.
 */
export const insertPersonalToken = statement<{ id: number }>(
  'insert_personal_token',
  `with made as (
     insert into personal_access_tokens (user_id, name, description, digest, scopes, expires_at)
     values ($1, $2, $3, $4, $5::text[], $6::date)
     on conflict (digest) do nothing returning id, user_id, name, scopes
   ), audit as (${audited('made', 'personal_token_created', '$7::int', '$8', '$9')})
   select id from made`,
);

/**
 * Stores the token of a page, with an audit event, and forgets those of the session whose time is over. $1 user,
 * $2 session, $3 name, $4 digest, $5 scopes, $6 address, $7 request id.
 */
export const insertPageToken = statement<{ id: number; ends_at: Date }>(
  'insert_page_token',
  `with stale as (
     delete from personal_access_tokens
      where session_id = $2 and created_at < now() - interval '${pageTokenMinutes} minutes'
   ), made as (
     insert into personal_access_tokens (user_id, session_id, name, digest, scopes, expires_at)
     values ($1, $2, $3, $4, $5::text[], ((now() + interval '${pageTokenMinutes} minutes') at time zone 'utc')::date + 1)
     returning id, user_id, name, scopes, created_at
   ), audit as (${audited('made', 'personal_token_created', '$1::int', '$6', '$7')})
   select id, created_at + interval '${pageTokenMinutes} minutes' as ends_at from made`,
);

/** Ends the tokens that pages of a session hold. $1 user, $2 session, $3 address, $4 request id. */
export const endPageTokens = statement<{ id: number }>(
  'end_page_tokens',
  `with ended as (
     delete from personal_access_tokens where session_id = $2 and user_id = $1
     returning id, user_id, name, scopes
   ), audit as (${audited('ended', 'personal_token_revoked', '$1::int', '$3', '$4')})
   select id from ended`,
);

/**
 * Revokes a token and creates its successor. $1 id, $2 digest of the
 * new one, $3 the first day on which it no longer works, $4 actor, $5 address, $6
 * request id. No row: the old one no longer works, or another request was faster.
 */
export const rotatePersonalToken = statement<{ id: number }>(
  'rotate_personal_token',
  `with old as (
     update personal_access_tokens set revoked_at = now(), rotated_at = now(), family_id = coalesce(family_id, id)
      where id = $1 and revoked_at is null and session_id is null
        and (expires_at is null or expires_at > (now() at time zone 'utc')::date)
     returning user_id, name, description, scopes, family_id
   ), made as (
     insert into personal_access_tokens (user_id, name, description, digest, scopes, expires_at, family_id)
     select user_id, name, description, $2, scopes, $3::date, family_id from old
     returning id, user_id, name, scopes
   ), audit as (${audited('made', 'personal_token_rotated', '$4::int', '$5', '$6')})
   select id from made`,
);

/** Revokes a token. $1 id, $2 actor, $3 address, $4 request id. No row: it was revoked before. */
export const revokePersonalToken = statement<{ id: number }>(
  'revoke_personal_token',
  `with ended as (
     update personal_access_tokens set revoked_at = now() where id = $1 and revoked_at is null
     returning id, user_id, name, scopes
   ), audit as (${audited('ended', 'personal_token_revoked', '$2::int', '$3', '$4')})
   select id from ended`,
);

/**
 * Revokes the valid tokens of a family, with one audit event. $1 the family, $2 address, $3 request id. `live`: how
 * many were valid when the statement began. A concurrent rotation may create another one meanwhile, so the caller
 * repeats this until `live` is 0.
 */
export const endPersonalFamily = statement<{ live: number }>(
  'end_personal_family',
  `with ended as (
     update personal_access_tokens set revoked_at = now() where family_id = $1 and revoked_at is null
     returning user_id, name, scopes
   ), audit as (${audited('ended', 'personal_token_reused', 'null::int', '$2', '$3')})
   select count(*)::int as live from personal_access_tokens where family_id = $1 and revoked_at is null`,
);

/** Filters of a list of tokens; omitted or null filters match everything. */
export interface PersonalTokenFilter {
  readonly userId?: number | undefined;
  readonly active?: boolean | null | undefined;
  readonly revoked?: boolean | null | undefined;
  readonly search?: string | null | undefined;
  readonly createdAfter?: Date | null | undefined;
  readonly createdBefore?: Date | null | undefined;
  readonly lastUsedAfter?: Date | null | undefined;
  readonly lastUsedBefore?: Date | null | undefined;
  /** Days. */
  readonly expiresAfter?: string | null | undefined;
  readonly expiresBefore?: string | null | undefined;
}

const works = `(t.revoked_at is null and (t.expires_at is null or t.expires_at > (now() at time zone 'utc')::date))`;

/** The columns that are read of a token: all but its digest. */
const reading: Reading<PersonalAccessToken> = {
  columns: `t.id, t.user_id as "userId", t.name, t.description, t.scopes, t.created_at as "createdAt", t.last_used_at as "lastUsedAt", t.last_used_ip as "lastUsedIp",
    t.expires_at::timestamp at time zone 'utc' as "expiresAt", t.revoked_at as "revokedAt", t.rotated_at as "rotatedAt"`,
  from: 'personal_access_tokens t',
  id: 't.id',
};

export function personalTokenList(filter: PersonalTokenFilter): ListQuery<PersonalAccessToken> {
  const query = new ListQuery('personal_access_tokens t', 't.id', reading).where('t.session_id is null');
  if (filter.userId !== undefined) query.where(`t.user_id = ${query.key(filter.userId)}::int`);
  return query
    .given(filter.active, (active) => `${works} = ${active}::boolean`)
    .given(filter.revoked, (revoked) => `(t.revoked_at is not null) = ${revoked}::boolean`)
    .given(filter.createdAfter, (moment) => `t.created_at > ${moment}::timestamptz`)
    .given(filter.createdBefore, (moment) => `t.created_at < ${moment}::timestamptz`)
    .given(filter.lastUsedAfter, (moment) => `t.last_used_at > ${moment}::timestamptz`)
    .given(filter.lastUsedBefore, (moment) => `t.last_used_at < ${moment}::timestamptz`)
    .given(filter.expiresAfter, (day) => `t.expires_at > ${day}::date`)
    .given(filter.expiresBefore, (day) => `t.expires_at < ${day}::date`)
    .search(filter.search, ['t.name']);
}
