import { maySignIn } from '../../database/access/people.ts';

/**
 * SQL for CTEs of a sign-in: `came` is the person, whose account is active from now on, and who gets the time and the
 * address of the sign-in. The previous ones are kept beside them.
 * @param person SQL for the id
 * @param checkedAt SQL for when the password was looked up. Nothing is allowed if everything ended since.
 */
export const comesBy = (person: string, checkedAt: string, address: string) => `came as (
     update users u set state = 'ACTIVE', blocked_as = null, sign_in_count = u.sign_in_count + 1,
            last_sign_in_at = coalesce(u.current_sign_in_at, now()), last_sign_in_ip = coalesce(u.current_sign_in_ip, ${address}),
            current_sign_in_at = now(), current_sign_in_ip = ${address}
      where u.id = ${person} and ${maySignIn} and ${checkedAt} > u.valid_from
     returning u.id
   )`;

/** SQL, after `comesBy`: whether the account was deactivated until now. */
export const cameBack = `exists (select 1 from came join users b on b.id = came.id and b.state <> 'ACTIVE') as came_back`;

/**
 * SQL condition: an authorization has not been revoked. Revocation doesn't change tokens. It sets `valid_from` of the
 * person, of the application or of their pair to the present, and an authorization before that time is invalid.
 *
 * Expects `u`, `a` and `p` joined as in `parties`; any of them may be missing.
 * @param authorizedAt SQL for the time of the authorization
 */
export const stillAuthorized = (authorizedAt: string) => `(
  (u.id is null or (u.state = 'ACTIVE' and ${authorizedAt} > u.valid_from))
  and (a.id is null or ${authorizedAt} > a.valid_from)
  and (p.valid_from is null or ${authorizedAt} > p.valid_from))`;

/**
 * SQL for the granted scopes that the application still has, in their order. A scope removed from an application is
 * thus removed from its tokens and codes at once. Expects `a`.
 * @param scopes SQL for the granted scopes
 */
export const remaining = (scopes: string) => `(
  case when a.id is null or ${scopes} <@ a.scopes then ${scopes}
       else array(select s.scope from unnest(${scopes}) with ordinality s(scope, place) where s.scope = any(a.scopes) order by s.place)
  end)`;

/** SQL condition: at least one granted scope remains. A token without scopes is invalid. */
export const anyRemain = (scopes: string) => `(a.id is null or ${scopes} && a.scopes)`;

/** Whether an access token `t` has expired. */
export const accessTokenExpired = 'coalesce(t.expires_at <= now(), false)';

/** Whether an access token `t` of the grant `g` was revoked, in any way. Expects `parties` too. */
export const accessTokenRevoked = `(coalesce(t.revoked_at <= now(), false) or g.ended_at is not null or not ${anyRemain('t.scopes')}
  or coalesce(g.authorized_at <= greatest(u.valid_from, a.valid_from, p.valid_from), false))`;

/** Joins the person, the application and their pair to a row that has both ids. */
export const parties = (row: string) => `
  left join users u on u.id = ${row}.user_id
  left join applications a on a.id = ${row}.application_id
  left join authorizations p on p.user_id = ${row}.user_id and p.application_id = ${row}.application_id`;

/**
 * SQL for the person and the application of a code or token that is about to be spent, as `u` and `a`, with their
 * pair as `p`. It locks `u` and `a` before any other row, with the locks that the foreign keys of the new rows need
 * anyway. A deletion takes its locks in the same order, so the two can't deadlock.
 * @param user SQL for the person's id
 * @param application SQL for the application's id
 */
export const lockedParties = (user: string, application: string) => `
  (select id, state, valid_from from users where id = ${user} for key share) u
  cross join (select * from applications where id = ${application} for key share) a
  left join authorizations p on p.user_id = u.id and p.application_id = a.id`;

/**
 * SQL for one row `allowed` (user_id, application_id, at), or no row if the authorization was revoked since the
 * check. What is stored from it gets the time of the check (`now()` of the statement that checked), so that every
 * later revocation covers it.
 * @param user SQL for the person or null
 * @param application SQL for the application or null
 * @param at SQL for when the check was made
 */
export const allowed = (user: string, application: string, at: string) => `
  (select ${user}::int as user_id, ${application}::int as application_id, ${at}::timestamptz as at) allowed
  ${parties('allowed')}
  where (allowed.user_id is null or u.id is not null) and (allowed.application_id is null or a.id is not null)
    and ${stillAuthorized('allowed.at')}`;

/** SQL for an interval from a parameter in seconds; null stays null. */
export const seconds = (parameter: string) => `make_interval(secs => ${parameter}::double precision)`;

/**
 * SQL for the time when the last token of a new family expires. That is an access token issued just before the
 * refresh token expires. Null if access tokens never expire.
 */
export const familyExpiry = (authorizedAt: string, access: string, refresh: string) =>
  `greatest(${authorizedAt} + ${seconds(refresh)}, now()) + ${seconds(access)}`;
