import { openDraft, sealDraft, type Context } from '../../context.ts';
import type { Answer } from '../../http/index.ts';
import type { Fields } from './fields.ts';
import { ownerOf } from './csrf.ts';
import { Restoring } from './restored-form.ts';
import { comingBackTo, confirmPath, signInPath } from './return-to.ts';
import { setCookie } from './session.ts';
import { seeOther, seeOtherSaying, withCookies, type PageRoute, type Visit } from './visit.ts';

/**
 * Forms that came when the session had ended, or the person had to confirm who they are. What they typed is kept in a
 * sealed cookie for the same person in the same browser, and is in the form again afterwards.
 */

/** Fields that are never kept: secrets, and what the page itself puts into its form. */
export const neverKept = /^(?:form_token|form_id|return_to|was\..*|.*password.*|current|code)$/;

/** What this person typed in this browser before they had to sign in. */
export function restoring(context: Context, sealed: string | null, browser: string | null): Restoring | undefined {
  const draft = sealed && browser ? openDraft(context.keys, browser, sealed) : null;
  return draft && draft.userId === context.viewer.person?.id ? new Restoring(draft) : undefined;
}

/**
 * Keeps what was typed, where there is something. A form whose page must come back as it was shown holds a decision, which the person makes again.
 * @returns the cookie; undefined where there is nothing to keep; null where it can't be kept
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

/** To the sign-in page, which says that the session has ended. @param again where the form is */
export function signInFirst(visit: Visit, page: PageRoute, form: Fields, again: string): Answer {
  const kept = keep(visit, page, form);
  const notice = kept ? 'signed_in_no_more_kept' : kept === null ? 'signed_in_no_more_lost' : 'signed_in_no_more';
  const answer = seeOtherSaying(notice, comingBackTo(signInPath, again), visit);
  return kept ? withCookies(answer, kept) : answer;
}

/** To the page that asks who they are. @param again where the form is */
export function confirmFirst(visit: Visit, page: PageRoute, form: Fields, again: string): Answer {
  const kept = keep(visit, page, form);
  return seeOther(comingBackTo(confirmPath, again), ...(kept ? [kept] : []));
}
