import { randomBytes } from 'node:crypto';
import { formToken, isFormToken } from '../../context.ts';

/** Makes the token of a form. @param shown what the page says in it */
export type CsrfTokens = (action: string, shown?: string) => string;

/** Who a form was shown to, and in which browser. */
interface Owner {
  readonly id: number;
  readonly browser: string | null;
}

const ownership = (id: number, action: string) => `owner ${id}\n${action}`;

/** @param owner of a form for a person who is signed in: with it the token still says whose form it is after the session has ended */
export const csrfTokens =
  (secret: string, owner?: Owner): CsrfTokens =>
  (action, shown = '') => {
    const token = formToken(secret, `${action}\n${shown}`);
    return owner?.browser ? `${token}.${owner.id}.${formToken(owner.browser, ownership(owner.id, action))}` : token;
  };

export const isCsrfToken = (given: string | undefined, secret: string, action: string, shown = ''): boolean =>
  given !== undefined && isFormToken(given.split('.')[0]!, secret, `${action}\n${shown}`);

/** The person whom a form was shown to in this browser, whatever became of the session; null for a form that wasn't. */
export function ownerOf(given: string | undefined, browser: string, action: string): number | null {
  const [, id, token] = given?.split('.') ?? [];
  return id !== undefined && token !== undefined && isFormToken(token, browser, ownership(Number(id), action))
    ? Number(id)
    : null;
}

/** The id of a form that acts only once, which its token proves. */
export const newFormId = (): string => randomBytes(16).toString('base64url');
