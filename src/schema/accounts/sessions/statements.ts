import { statement } from '../../../database/index.ts';
import { auditKind } from '../../../auth/statements/audit.ts';
import { idle, longest } from '../../../auth/statements/sessions.ts';
import { pageTokenMinutes } from '../../../values/page-tokens.ts';

/** A person's own sessions: listing and ending them. Each end writes its audit event in the same statement. */

export interface ListedSessionRow {
  id: number;
  address: string;
  user_agent: string;
  created_at: Date;
  last_used_at: Date;
  /** Until when pages of it hold a token; null: none does. */
  explores_until?: Date | null;
}

const columns = 's.id, s.address, s.user_agent, s.created_at, s.last_used_at';
const explores = `(select max(t.created_at) + interval '${pageTokenMinutes} minutes' from personal_access_tokens t
                   where t.session_id = s.id and t.created_at > now() - interval '${pageTokenMinutes} minutes' and t.revoked_at is null)`;

/** Valid sessions, the most recently used first. $1 user, $2 how many at most, $3 how many of them to skip. */
export const listSessions = statement<ListedSessionRow>(
  'list_sessions',
  `select ${columns}, ${explores} as explores_until from sessions s join users u on u.id = s.user_id
    where s.user_id = $1 and s.valid_at > u.valid_from
      and s.created_at > now() - interval '${longest} days' and s.last_used_at > now() - interval '${idle} days'
    order by s.last_used_at desc, s.id desc limit $2 offset $3`,
);

/** Ends one session. $1 id, $2 user, $3 address, $4 request id. No row: it is missing, or another person's. */
export const endSession = statement<ListedSessionRow>(
  'end_session',
  `with ended as (
     delete from sessions s where s.id = $1 and s.user_id = $2 returning ${columns}, s.user_id
   ), audit as (
     insert into audit_events (kind, actor_id, user_id, scopes, address, request_id)
     select ${auditKind('session_ended')}, user_id, user_id, '{}', $3, $4 from ended
   )
   select id, address, user_agent, created_at, last_used_at from ended`,
);

/** Ends all sessions but one. $1 user, $2 the session to keep, $3 address, $4 request id. */
export const endOtherSessions = statement<{ ended: number }>(
  'end_other_sessions',
  `with gone as (
     delete from sessions where user_id = $1 and id <> $2 returning id
   ), audit as (
     insert into audit_events (kind, actor_id, user_id, scopes, address, request_id)
     values (${auditKind('other_sessions_ended')}, $1, $1, '{}', $3, $4)
   )
   select count(*)::int as ended from gone`,
);
