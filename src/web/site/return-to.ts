/**
 * Where a person wanted to go before something came between: a path of ours, or
 * the start page for everything else.
 *
 * Only a path may be given, and only in characters that every parser reads alike.
 * Browsers take `//host` and `/\host` for another host, and leave out tabs and line
 * breaks before they look.
 */
export function returnTo(given: string | undefined): string {
  return given !== undefined && /^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(given) ? given : '/';
}

/** The address of a page with the place to go on to afterwards. */
export const comingBackTo = (page: string, path: string): string =>
  path === '/' ? page : `${page}?${new URLSearchParams({ return_to: path }).toString()}`;

export const signInPath = '/users/sign_in';
export const secondStepPath = '/users/sign_in/second_factor';
export const unconfirmedPath = '/users/confirmation/new';
export const confirmPath = '/users/confirm_password';
