import { randomBytes } from 'node:crypto';
import { formToken, isFormToken } from '../context.ts';

/** Makes the token of a form. @param shown what the page says in it */
export type FormProof = (action: string, shown?: string) => string;

export const proveBy = (secret: string): FormProof => (action, shown = '') => formToken(secret, `${action}\n${shown}`);

export const isProven = (given: string | undefined, secret: string, action: string, shown = ''): boolean =>
  given !== undefined && isFormToken(given, secret, `${action}\n${shown}`);

/** The id of a form that acts only once, which its token proves. */
export const newFormId = (): string => randomBytes(16).toString('base64url');
