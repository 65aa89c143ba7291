import { batchedStatement, statement } from '../../database/index.ts';
import { auditFrom } from '../../auth/statements/audit.ts';
import { anyRemain, parties, remaining, stillAuthorized } from '../../auth/statements/live.ts';

/** Revocation and introspection: a token of either kind, by its digest. */

export interface FoundTokenRow {
  grant_id: number;
  application_id: number | null;
  application_uid: string | null;
  user_id: number | null;
  username: string | null;
  scopes: string[];
  created_at: Date;
  expires_at: Date | null;
  kind: 'access' | 'refresh';
  live: boolean;
}

/** Finds a token of either kind. $1 digest. */
export const findToken = batchedStatement<FoundTokenRow>(
  'find_token',
  `select t.grant_id, g.application_id, a.uid as application_uid, g.user_id, u.username, ${remaining('t.scopes')} as scopes, t.created_at,
          t.expires_at, t.kind,
          g.ended_at is null and not t.dead and coalesce(t.expires_at > now(), true)
            and ${anyRemain('t.scopes')} and ${stillAuthorized('g.authorized_at')} as live
     from (
       select grant_id, scopes, created_at, expires_at, 'access' as kind,
              coalesce(revoked_at <= clock_timestamp(), false) as dead
         from access_tokens where digest = $1
       union all
       select grant_id, scopes, created_at, expires_at, 'refresh', rotated_at is not null
         from refresh_tokens where digest = $1
     ) t
     join grants g on g.id = t.grant_id ${parties('g')}`,
);

/**
 * Revokes what a person allowed an application: everything authorized until now ends, including codes that weren't
 * redeemed yet, and remembered consents are deleted. $1 user, $2 application, $3 address, $4 request id.
 */
export const revokeAuthorization = statement<object>(
  'revoke_authorization',
  `with moved as (
     insert into authorizations (user_id, application_id, valid_from) values ($1, $2, clock_timestamp())
     on conflict (user_id, application_id) do update set valid_from = excluded.valid_from
     returning user_id, application_id, '{}'::text[] as scopes
   ), audit as (${auditFrom('moved', `'authorization_revoked'`, '$3', '$4')})
   delete from consents where user_id = $1 and application_id = $2`,
);

export interface AuthorizedApplicationRow {
  application_id: number;
  scopes: string[];
  authorized_at: Date;
  /** When it last got a token. */
  issued_at: Date;
}

/**
 * The applications that have a valid token for a person, one row each. $1 user, $2 how many at most, $3 how many of them to
 * skip, $4 only this application, or null.
 */
export const listAuthorizedApplications = statement<AuthorizedApplicationRow>(
  'list_authorized_applications',
  `select g.application_id, array_agg(distinct scope.name order by scope.name) as scopes, max(g.authorized_at) as authorized_at,
          max(t.created_at) as issued_at
     from grants g ${parties('g')}
     cross join lateral (
       select scopes, created_at from access_tokens
        where grant_id = g.id and (expires_at is null or expires_at > now()) and (revoked_at is null or revoked_at > now())
       union all
       select scopes, created_at from refresh_tokens where grant_id = g.id and rotated_at is null and expires_at > now()
     ) t
     cross join lateral unnest(${remaining('t.scopes')}) as scope(name)
    where g.user_id = $1 and g.application_id is not null and g.ended_at is null and ${stillAuthorized('g.authorized_at')}
      and ($4::int is null or g.application_id = $4)
    group by g.application_id
    order by max(g.authorized_at) desc, g.application_id desc limit $2 offset $3`,
);
