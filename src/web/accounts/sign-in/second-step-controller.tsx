import { InvalidFields, Unauthenticated } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { anonymousPage, kept } from '../../site/anonymous-page.ts';
import type { CsrfTokens } from '../../site/csrf.ts';
import { readQuery, type Fields } from '../../site/forms/fields.ts';
import { comingBackTo, returnTo, secondStepPath, signInPath } from '../../site/return-to.ts';
import { clearCookie, setCookie } from '../../site/session.ts';
import { seeOther, seeOtherSaying, withCookies, type PageRoute, type Visit } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';
import { enter, leadsTo, userAgent } from './enter.ts';
import type { SignInOperations } from './operations.ts';
import { SecondStep } from './view.tsx';

/** The page that asks for a second factor after a right password. */
export const secondStepPage = (operations: SignInOperations): PageRoute => ({
  path: secondStepPath,
  name: 'sign in',
  anonymous: true,
  countsAsGuess: true,
  get(visit) {
    const fields = readQuery(visit.exchange);
    const to = returnTo(fields.return_to);
    return kept('pending', visit) ? ask(operations, visit, fields) : seeOther(comingBackTo(signInPath, to));
  },
  async post(visit, fields) {
    const { site } = visit;
    const { code = '', passkey } = fields;
    if (passkey === undefined && code.trim() === '')
      return await ask(operations, visit, fields, { code: ['The code is missing.'] });
    const over = clearCookie('pending', site.baseUrl);
    try {
      const session = await complete(operations, visit, code, passkey);
      const used = passkey === undefined && isRecoveryCode(code);
      const said = used ? [setCookie('notice', 'recovery_code_used', site.baseUrl)] : [];
      return withCookies(await enter(operations, visit, fields, session), over, ...said);
    } catch (problem) {
      if (problem instanceof InvalidFields) return await ask(operations, visit, fields, errorsIn(problem));
      if (!(problem instanceof Unauthenticated)) throw problem;
      const start = comingBackTo(signInPath, returnTo(fields.return_to));
      return withCookies(seeOtherSaying('sign_in_again', start, visit), over);
    }
  },
});

interface Errors {
  readonly code?: string[];
  readonly passkey?: readonly string[];
}

/** The second step; or the first one, if this browser's sign-in doesn't wait any more. */
async function ask(
  { pendingSignIn }: SignInOperations,
  visit: Visit,
  fields: Fields,
  errors?: Errors,
): Promise<Answer> {
  const to = returnTo(fields.return_to);
  const waiting = { pending: kept('pending', visit) ?? '', browser: visit.browser };
  const { pendingSignIn: accepts } = await pendingSignIn.execute(visit.context, waiting);
  const page = (csrf: CsrfTokens) => (
    <SecondStep
      site={visit.site}
      csrf={csrf}
      returnTo={to}
      accepts={accepts ?? { app: true, passkeys: null }}
      errors={errors}
    />
  );
  return anonymousPage(visit, page, errors ? 422 : 200, { formsLeadTo: leadsTo(to), scripts: true });
}

/** Completes signing in by a code, or by the answer of a passkey. @returns the new session */
async function complete(operations: SignInOperations, visit: Visit, code: string, passkey?: string): Promise<string> {
  const { context, browser } = visit;
  const given = { pending: kept('pending', visit) ?? '', browser, userAgent: userAgent(visit) };
  const { completeSignIn } =
    passkey === undefined
      ? await operations.complete.execute(context, { input: { ...given, code } })
      : await operations.completeByPasskey.execute(context, { input: { ...given, answer: passkey } });
  return completeSignIn.session;
}

const errorsIn = ({ fields: { passkey, code } }: InvalidFields): Errors =>
  passkey ? { passkey } : { code: sentences('The code', code) };

/** Whether a right code was a recovery code: an authenticator shows six digits. */
const isRecoveryCode = (code: string): boolean => !/^\d{6}$/.test(code.replaceAll(/[\s-]/g, ''));
