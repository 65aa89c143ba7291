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

/** Joins the person, the application and what is known of the pair to whatever has both ids. */
export const parties = (row: string) => `
  left join users u on u.id = ${row}.user_id
  left join applications a on a.id = ${row}.application_id
  left join authorizations p on p.user_id = ${row}.user_id and p.application_id = ${row}.application_id`;

/** An interval of so many seconds out of a parameter; null stays null. */
export const seconds = (parameter: string) => `make_interval(secs => ${parameter}::double precision)`;

/**
 * When the last token of a new family can have expired: the refresh token at its
 * age, and an access token issued just before. Null if access tokens never expire.
 */
export const familyExpiry = (authorizedAt: string, access: string, refresh: string) =>
  `greatest(${authorizedAt} + ${seconds(refresh)}, now()) + ${seconds(access)}`;
