import { openDraft, sealDraft, type Context } from '../../../context.ts';
import type { Answer } from '../../../http/index.ts';
import type { Fields } from './fields.ts';
import { ownerOf } from '../csrf.ts';
import { Restoring } from './restored-form.ts';
import { comingBackTo, confirmPath, signInPath } from '../return-to.ts';
import { setCookie } from '../session.ts';
import { seeOther, seeOtherSaying, withCookies, type PageRoute, type Visit } from '../visit.ts';

/**
 * Keeps the fields of a form that was sent after the session had ended, or before the person confirmed their password.
 * A sealed cookie holds them for the same person in the same browser, and the form shows them again afterwards.
 */

/** Fields that are never kept: secrets, and the page's own hidden fields. */
export const neverKept = /^(?:form_token|form_id|return_to|was\..*|.*password.*|current|code)$/;

/** Opens the sealed draft of this person in this browser; undefined if there is none. */
export function restoring(context: Context, sealed: string | null, browser: string | null): Restoring | undefined {
  const draft = sealed && browser ? openDraft(context.keys, browser, sealed) : null;
  return draft && draft.userId === context.viewer.person?.id ? new Restoring(draft) : undefined;
}

/**
 * Seals the fields into a cookie. It doesn't keep forms with `shown`: the person must make such a decision again.
 * @returns the cookie; undefined if there is nothing to keep; null if the fields can't be kept
 */
function keep({ exchange, site, context, browser }: Visit, page: PageRoute, form: Fields): string | undefined | null {
  const fields = Object.fromEntries(
    Object.entries(form).filter(([name, value]) => value !== undefined && !neverKept.test(name)),
  ) as Record<string, string>;
  if (page.shown || Object.keys(fields).length === 0) return undefined;
  const userId = browser && ownerOf(form.form_token, browser, exchange.path);
  const sealed = browser && userId ? sealDraft(context.keys, browser, { userId, action: exchange.path, fields }) : null;
  return sealed && setCookie('draft', sealed, site.baseUrl);
}

/** Redirects to the sign-in page, which says that the session has ended. @param again the address of the form */
export function signInFirst(visit: Visit, page: PageRoute, form: Fields, again: string): Answer {
  const kept = keep(visit, page, form);
  const notice = kept ? 'sign_in_to_continue_kept' : kept === null ? 'sign_in_to_continue_lost' : 'sign_in_to_continue';
  const answer = seeOtherSaying(notice, comingBackTo(signInPath, again), visit);
  return kept ? withCookies(answer, kept) : answer;
}

/** Redirects to the page that asks for the password. @param again the address of the form */
export function confirmFirst(visit: Visit, page: PageRoute, form: Fields, again: string): Answer {
  const kept = keep(visit, page, form);
  return seeOther(comingBackTo(confirmPath, again), ...(kept ? [kept] : []));
}
