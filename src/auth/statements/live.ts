/**
 * When something that a person once allowed still counts. Revocation never
 * visits tokens: it moves the moment before which a person's, an application's,
 * or the pair's authorizations count no more, and every look-up compares.
 *
 * Expects `u`, `a` and `p` joined as below, any of which may be missing.
 * @param authorizedAt SQL for when it was allowed
 */
export const stillAuthorized = (authorizedAt: string) => `(
  (u.id is null or (u.state = 'ACTIVE' and ${authorizedAt} > u.valid_from))
  and (a.id is null or ${authorizedAt} > a.valid_from)
  and (p.valid_from is null or ${authorizedAt} > p.valid_from))`;

/**
 * What is left of scopes that were granted, in their order: what an application
 * loses, its tokens and codes lose at once. Expects `a`.
 * @param scopes SQL for what was granted
 */
export const remaining = (scopes: string) => `(
  case when a.id is null or ${scopes} <@ a.scopes then ${scopes}
       else array(select s.scope from unnest(${scopes}) with ordinality s(scope, place) where s.scope = any(a.scopes) order by s.place)
  end)`;

/** Whether anything is left of them: nothing lives on without a scope. */
export const anyRemain = (scopes: string) => `(a.id is null or ${scopes} && a.scopes)`;

/** Whether an access token `t` has run out. */
export const accessTokenExpired = 'coalesce(t.expires_at <= now(), false)';

/** Whether an access token `t` of the grant `g` was ended, by whatever ends one. Expects the parties too. */
export const accessTokenRevoked = `(coalesce(t.revoked_at <= now(), false) or g.ended_at is not null or not ${anyRemain('t.scopes')}
  or coalesce(g.authorized_at <= greatest(u.valid_from, a.valid_from, p.valid_from), false))`;

/** Joins the person, the application and what is known of the pair to whatever has both ids. */
export const parties = (row: string) => `
  left join users u on u.id = ${row}.user_id
  left join applications a on a.id = ${row}.application_id
  left join authorizations p on p.user_id = ${row}.user_id and p.application_id = ${row}.application_id`;

/**
 * The person and the application of something that is about to be spent, as `u` and
 * `a`, with what is known of the pair. They are locked as the new rows' references
 * to them will be, but first: whoever deletes one of them goes the same way round,
 * and neither waits for the other in a circle.
 * @param user SQL for the person's id
 * @param application SQL for the application's id
 */
export const lockedParties = (user: string, application: string) => `
  (select id, state, valid_from from users where id = ${user} for key share) u
  cross join (select * from applications where id = ${application} for key share) a
  left join authorizations p on p.user_id = u.id and p.application_id = a.id`;

/**
 * One row `allowed` (user_id, application_id, at) for what is about to be written
 * down, none if it counts no more. What allowed it was checked a moment ago, and
 * may have been taken back since: it is dated from the check (`now()` of the
 * statement that looked), so that whatever ends later than that ends this too.
 * @param user SQL for the person or null
 * @param application SQL for the application or null
 * @param at SQL for when the check was made
 */
export const allowed = (user: string, application: string, at: string) => `
  (select ${user}::int as user_id, ${application}::int as application_id, ${at}::timestamptz as at) allowed
  ${parties('allowed')}
  where (allowed.user_id is null or u.id is not null) and (allowed.application_id is null or a.id is not null)
    and ${stillAuthorized('allowed.at')}`;

/** An interval of so many seconds out of a parameter; null stays null. */
export const seconds = (parameter: string) => `make_interval(secs => ${parameter}::double precision)`;

/**
 * When the last token of a new family can have expired: the refresh token at its
 * age, and an access token issued just before. Null if access tokens never expire.
 */
export const familyExpiry = (authorizedAt: string, access: string, refresh: string) =>
  `greatest(${authorizedAt} + ${seconds(refresh)}, now()) + ${seconds(access)}`;
