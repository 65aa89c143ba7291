import { claimForm, domainError, releaseForm } from '../../context.ts';
import { withoutTokens } from '../../credential.ts';
import {
  BadRequest,
  Busy,
  Conflict,
  Enough,
  Forbidden,
  InvalidFields,
  NotFound,
  OAuthError,
  SignInAgain,
  TooLarge,
  Unauthenticated,
  Unavailable,
  Unprocessable,
} from '../../errors.ts';
import { Unreadable, type Answer, type Exchange } from '../../http/index.ts';
import { isForeign, readForm } from './forms/fields.ts';
import { confirmFirst, signInFirst } from './forms/interrupted.ts';
import type { Site } from './layout/layout.tsx';
import {
  busy,
  quotaExceeded,
  forbidden,
  foreignForm,
  notDone,
  pageNotFound,
  sentAlready,
  staleForm,
  throttled,
  unavailable,
  unreadable,
  wrongMethod,
} from './layout/problems.tsx';
import { isCsrfToken } from './csrf.ts';
import { comingBackTo, confirmPath, passwordPath, secondFactorPath, signInPath } from './return-to.ts';
import { seeOther, seeOtherSaying, sessionOf, type PageRoute, type Visit } from './visit.ts';

export const reads = ({ request: { method } }: Exchange): boolean => method === 'GET' || method === 'HEAD';

/**
 * Answers a request for a page: shows it, or takes its form.
 * @param session the secret of the visitor's session
 */
export async function answerVisit(page: PageRoute, visit: Visit, session: string | null): Promise<Answer> {
  const { exchange, site, context } = visit;
  const { credential } = context.viewer;
  const isExpired = credential?.kind === 'session' && credential.passwordExpired === true;
  if (isExpired && !page.anonymous && !page.withExpiredPassword)
    return seeOtherSaying('password_expired', passwordPath, visit);
  if (
    credential?.kind === 'session' &&
    !isExpired &&
    credential.secondFactorDue &&
    !page.anonymous &&
    !page.withoutSecondFactor
  )
    return seeOtherSaying('second_factor_due', secondFactorPath, visit);
  try {
    if (reads(exchange) && page.get) return (await page.get(visit)) ?? pageNotFound(site);
    if (exchange.request.method === 'POST' && page.post) return await submit(page, page.post, visit, session);
    return wrongMethod(site, [...(page.get ? ['GET', 'HEAD'] : []), ...(page.post ? ['POST'] : [])].join(', '));
  } catch (thrown) {
    return explain(thrown, site, reads(exchange) ? undefined : site.path);
  }
}

/** The path to return to after signing in: the page itself, if it answers GET. */
export function wayBack(page: PageRoute, exchange: Exchange): string {
  const { path } = exchange;
  const query = withoutTokens(exchange.query, 'token');
  if (reads(exchange)) return path + (query && `?${query}`);
  return page.get ? path : '/';
}

/** Takes a form after the CSRF check: it must come, unaltered, from a page of the gateway and of this session. */
async function submit(
  page: PageRoute,
  post: NonNullable<PageRoute['post']>,
  visit: Visit,
  session: string | null,
): Promise<Answer> {
  const { exchange, site, browser } = visit;
  // Its body says nothing, and mail servers send it in forms of several types.
  if (page.provenByAddress) return (await post(visit, {}, {})) ?? pageNotFound(site);
  if (isForeign(exchange, site.baseUrl)) return foreignForm(site);
  const { fields, files } = await readForm(exchange, page.files === true);
  const again = page.again?.(fields, visit.named) ?? site.path;
  if (!session && !page.anonymous) return signInFirst(visit, page, fields, again);
  const secret = page.anonymous ? browser : session;
  const action = exchange.path;
  const { form_id: formId = '' } = fields;
  if (
    !secret ||
    !isCsrfToken(fields.form_token, secret, action, page.once === undefined ? page.shown?.(fields) : formId)
  )
    return staleForm(site, again);
  const answering = { ...visit, site: { ...site, sent: { action, fields } } };
  const act = async () => (await post(answering, fields, files)) ?? pageNotFound(site);
  try {
    return page.once === undefined ? await act() : await actOnce(visit, formId, page.once, act);
  } catch (thrown) {
    if (domainError(thrown) instanceof SignInAgain) return confirmFirst(visit, page, fields, again);
    return explain(thrown, site, again);
  }
}

/** Runs a form that works once. After a refusal it may be sent again. @param results the path of its results */
async function actOnce(
  { context, site }: Visit,
  formId: string,
  results: string,
  act: () => Promise<Answer>,
): Promise<Answer> {
  const form = { formId, sessionId: sessionOf(context) };
  if (!(await claimForm(context.database, form))) return sentAlready(site, `${results}/${formId}`);
  let done = false;
  try {
    const answer = await act();
    done = answer.status < 400;
    return answer;
  } finally {
    if (!done) await releaseForm(context.database, form);
  }
}

/**
 * Turns an error into a page, or into a redirect to sign in or confirm the password.
 * @param again the address of the page whose form was refused
 * @throws unexpected errors
 */
function explain(thrown: unknown, site: Site, again: string | undefined): Answer {
  if (thrown instanceof Unreadable) return unreadable(site, thrown.status, thrown.message);
  const problem = domainError(thrown);
  if (problem instanceof Unauthenticated) return seeOther(comingBackTo(signInPath, site.path));
  if (problem instanceof SignInAgain) return seeOther(comingBackTo(confirmPath, site.path));
  if (problem instanceof NotFound) return pageNotFound(site);
  if (problem instanceof Forbidden) return forbidden(site, problem.message, again);
  if (problem instanceof OAuthError && problem.retryAfter !== undefined) return throttled(site, problem.retryAfter);
  if (problem instanceof TooLarge) return unreadable(site, 413, problem.message);
  if (problem instanceof Enough) return quotaExceeded(site, problem);
  if (problem instanceof Busy) return busy(site, problem);
  // A button of a page that is out of date: someone else was faster, or it was pressed twice.
  if (problem instanceof Conflict) return notDone(site, 409, problem.message, again ?? site.path);
  if (problem instanceof InvalidFields || problem instanceof Unprocessable)
    return notDone(site, 422, problem.message, again ?? site.path);
  if (problem instanceof BadRequest) return unreadable(site, 400, problem.message);
  if (problem instanceof Unavailable) return unavailable(site);
  throw thrown;
}
