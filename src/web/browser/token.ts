const key = 'causeway:token';

/** A token of this page alone: it is in memory only. */
let ofPage: string | undefined;

export const keepForPage = (token: string | undefined): void => void (ofPage = token);

/** The token that was typed; empty for none. It lasts as long as the browser tab. */
export const storedToken = (): string => sessionStorage.getItem(key) ?? '';

export const pageToken = (): string | undefined => ofPage;

/** The token that requests carry; empty for none. */
export const tokenInUse = (): string => ofPage ?? storedToken();

export function storeToken(token: string): void {
  if (token === '') sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, token);
}
