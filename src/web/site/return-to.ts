/**
 * The path to return to after signing in. It replaces anything but a path of this gateway
 * with the start page, which prevents open redirects.
 *
 * Only characters that every parser reads alike are accepted. Browsers read `//host`
 * and `/\host` as another host, and remove tabs and line breaks first.
 */
export function returnTo(given: string | undefined): string {
  return given !== undefined && /^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(given) ? given : '/';
}

/** The address of a page, with the path to return to as a parameter. */
export const comingBackTo = (page: string, path: string): string =>
  path === '/' ? page : `${page}?${new URLSearchParams({ return_to: path }).toString()}`;

export const signInPath = '/users/sign_in';
export const secondStepPath = '/users/sign_in/second_factor';
export const unconfirmedPath = '/users/confirmation/new';
export const secondFactorPath = '/profile/second_factor';
export const passwordPath = '/profile/password';
export const confirmPath = '/users/confirm_password';
