/**
 * SQL condition: an authorization has not been revoked. Revocation doesn't touch tokens: it moves `valid_from` of the
 * person, the application or the pair, and every look-up compares the time of the authorization with it.
 *
 * Expects `u`, `a` and `p` joined as in `parties`; any of them may be missing.
 * @param authorizedAt SQL for the time of the authorization
 */
export const stillAuthorized = (authorizedAt: string) => `(
  (u.id is null or (u.state = 'ACTIVE' and ${authorizedAt} > u.valid_from))
  and (a.id is null or ${authorizedAt} > a.valid_from)
  and (p.valid_from is null or ${authorizedAt} > p.valid_from))`;

/**
 * SQL for the granted scopes that the application still has, in their order: its tokens and codes lose at once
 * what the application loses. Expects `a`.
 * @param scopes SQL for the granted scopes
 */
export const remaining = (scopes: string) => `(
  case when a.id is null or ${scopes} <@ a.scopes then ${scopes}
       else array(select s.scope from unnest(${scopes}) with ordinality s(scope, place) where s.scope = any(a.scopes) order by s.place)
  end)`;

/** SQL condition: a granted scope is left. A token without any is dead. */
export const anyRemain = (scopes: string) => `(a.id is null or ${scopes} && a.scopes)`;

/** Whether an access token `t` has expired. */
export const accessTokenExpired = 'coalesce(t.expires_at <= now(), false)';

/** Whether an access token `t` of the grant `g` was revoked, in any way. Expects the parties too. */
export const accessTokenRevoked = `(coalesce(t.revoked_at <= now(), false) or g.ended_at is not null or not ${anyRemain('t.scopes')}
  or coalesce(g.authorized_at <= greatest(u.valid_from, a.valid_from, p.valid_from), false))`;

/** Joins the person, the application and their pair to a row that has both ids. */
export const parties = (row: string) => `
  left join users u on u.id = ${row}.user_id
  left join applications a on a.id = ${row}.application_id
  left join authorizations p on p.user_id = ${row}.user_id and p.application_id = ${row}.application_id`;

/**
 * The person and the application of a code or token that is about to be spent, as `u` and
 * `a`, with their pair as `p`. They are locked as the foreign keys of the new rows will lock them, but first:
 * a deletion takes its locks in the same order, so that the two don't deadlock.
 * @param user SQL for the person's id
 * @param application SQL for the application's id
 */
export const lockedParties = (user: string, application: string) => `
  (select id, state, valid_from from users where id = ${user} for key share) u
  cross join (select * from applications where id = ${application} for key share) a
  left join authorizations p on p.user_id = u.id and p.application_id = a.id`;

/**
 * One row `allowed` (user_id, application_id, at) for what is about to be stored, or none if it was revoked since
 * the check. What is stored is dated from the check (`now()` of the statement that
 * checked), so that every later revocation covers it.
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
 * SQL for the time at which the last token of a new family has expired: the last access token is issued just before
 * the refresh token expires. Null if access tokens never expire.
 */
export const familyExpiry = (authorizedAt: string, access: string, refresh: string) =>
  `greatest(${authorizedAt} + ${seconds(refresh)}, now()) + ${seconds(access)}`;
