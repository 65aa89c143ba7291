import { randomBytes } from 'node:crypto';
import { formToken, isFormToken } from '../../context.ts';

/** Makes the CSRF token of a form. @param shown what the page shows in the form; the token is bound to it */
export type CsrfTokens = (action: string, shown?: string) => string;

/** The person to whom a form was shown, and the browser. */
interface Owner {
  readonly id: number;
  readonly browser: string | null;
}

const ownership = (id: number, action: string) => `owner ${id}\n${action}`;

/** @param owner the signed-in person: the token identifies them even after the session has ended */
export const csrfTokens =
  (secret: string, owner?: Owner): CsrfTokens =>
  (action, shown = '') => {
    const token = formToken(secret, `${action}\n${shown}`);
    return owner?.browser ? `${token}.${owner.id}.${formToken(owner.browser, ownership(owner.id, action))}` : token;
  };

export const isCsrfToken = (given: string | undefined, secret: string, action: string, shown = ''): boolean =>
  given !== undefined && isFormToken(given.split('.')[0]!, secret, `${action}\n${shown}`);

/** The id of the person to whom this browser showed a form, even after the session ended; null for any other form. */
export function ownerOf(given: string | undefined, browser: string, action: string): number | null {
  const [, id, token] = given?.split('.') ?? [];
  return id !== undefined && token !== undefined && isFormToken(token, browser, ownership(Number(id), action))
    ? Number(id)
    : null;
}

/** The id of a form that works once; its CSRF token covers the id. */
export const newFormId = (): string => randomBytes(16).toString('base64url');
