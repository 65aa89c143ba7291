import { header, type Answer } from '../../../http/index.ts';
import type { Fields } from '../../site/forms/fields.ts';
import { formTargets } from '../../site/forms/form-targets.ts';
import { returnTo } from '../../site/return-to.ts';
import { setCookie } from '../../site/session.ts';
import { seeOther, type Visit } from '../../site/visit.ts';
import type { SignInOperations } from './operations.ts';

/** What both steps of signing in share. */

/** Starts the new session, and ends the one that this browser had before: prevents session fixation. */
export async function enter(
  { signOut }: SignInOperations,
  { context, site, browser }: Visit,
  fields: Fields,
  session: string,
): Promise<Answer> {
  if (site.visitor) await signOut.execute(context, {});
  return seeOther(
    returnTo(fields.return_to),
    setCookie('session', session, site.baseUrl),
    ...(browser ? [setCookie('browser', browser, site.baseUrl)] : []),
  );
}

export const userAgent = ({ exchange }: Visit): string => header(exchange, 'user-agent') ?? '';

/**
 * CSP sources for the redirects after signing in: to the authorization request, and
 * possibly from there to the application. Chromium checks every redirect against the
 * `form-action` directive of the page with the form.
 */
export function leadsTo(path: string): string[] {
  if (!path.startsWith('/oauth/authorize?')) return [];
  return formTargets(new URLSearchParams(path.slice(path.indexOf('?'))).get('redirect_uri') ?? '');
}
