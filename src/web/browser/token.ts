const key = 'causeway:token';

/** The token that requests carry; empty for none. It lasts as long as the browser tab. */
export const storedToken = (): string => sessionStorage.getItem(key) ?? '';

export function storeToken(token: string): void {
  if (token === '') sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, token);
}
