import type { GraphQLSchema } from 'graphql';
import { InvalidFields, Unauthenticated } from '../../../errors.ts';
import { header, type Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import { readQuery, type Fields } from '../../site/fields.ts';
import { formTargets } from '../../site/form-targets.ts';
import { toAnswer } from '../../site/page.ts';
import { ConfirmIdentity, SecondStep, SignIn, type Entrance } from './view.tsx';
import type { CsrfTokens } from '../../site/csrf.ts';
import {
  comingBackTo,
  confirmPath,
  returnTo,
  secondStepPath,
  signInPath,
  unconfirmedPath,
} from '../../site/return-to.ts';
import { clearCookie, setCookie } from '../../site/session.ts';
import { kept, anonymousPage } from '../../site/anonymous-page.ts';
import { seeOther, seeOtherSaying, withCookies, type PageRoute, type Visit } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';

interface NewSession {
  readonly session: string;
}

/** Pages to sign in, also with a second factor, to confirm the password, and to sign out. */
export function signInPages(schema: GraphQLSchema): PageRoute[] {
  const compile = <Data,>(source: string) => compileOperation<Data>(schema, source);
  const signIn = compile<{
    signIn: {
      session: string | null;
      pending: string | null;
      unconfirmed: string | null;
      secondFactorDueAt: string | null;
    };
  }>('mutation ($input: SignInInput!) { signIn(input: $input) { session pending unconfirmed secondFactorDueAt } }');
  const complete = compile<{ completeSignIn: NewSession }>(
    'mutation ($input: CompleteSignInInput!) { completeSignIn(input: $input) { session } }',
  );
  const confirm = compile<{ confirmed: NewSession }>(
    'mutation ($input: ConfirmPasswordInput!) { confirmed: confirmPassword(input: $input) { session } }',
  );
  const confirmCode = compile<{ confirmed: NewSession }>(
    'mutation ($input: ConfirmCodeInput!) { confirmed: confirmCode(input: $input) { session } }',
  );
  const signOut = compile<{ signOut: boolean }>('mutation { signOut }');
  const entrance = compile<{ entrance: Entrance }>('query { entrance { signUp mail greeting } }');
  const secondFactor = compile<{ secondFactor: object | null }>('query { secondFactor { enabledAt } }');

  async function askToSignIn(
    visit: Visit,
    fields: Fields,
    errors?: { login?: string[]; password?: string[] },
  ): Promise<Answer> {
    const { site, context } = visit;
    const to = returnTo(fields.return_to);
    const offered = (await entrance.execute(context, {})).entrance;
    return anonymousPage(
      visit,
      (csrf) => (
        <SignIn
          site={site}
          csrf={csrf}
          returnTo={to}
          offered={offered}
          login={fields.login?.slice(0, 255)}
          errors={errors}
        />
      ),
      errors ? 422 : 200,
      { formsLeadTo: leadsTo(to), scripts: true },
    );
  }

  function askForCode(visit: Visit, fields: Fields, errors?: string[]): Answer {
    const to = returnTo(fields.return_to);
    const page = (csrf: CsrfTokens) => <SecondStep site={visit.site} csrf={csrf} returnTo={to} errors={errors} />;
    return anonymousPage(visit, page, errors ? 422 : 200, { formsLeadTo: leadsTo(to) });
  }

  async function askToConfirm(
    { site, context }: Visit,
    fields: Fields,
    errors?: { password?: string[]; code?: string[] },
  ): Promise<Answer> {
    const withCode = (await secondFactor.execute(context, {})).secondFactor !== null;
    const { csrf, username } = site.visitor!;
    const asked = { site, csrf, username, withCode, returnTo: returnTo(fields.return_to), errors };
    return toAnswer(<ConfirmIdentity {...asked} />, errors ? 422 : 200);
  }

  /** Starts the new session, and ends the one that this browser had before: prevents session fixation. */
  async function enter({ context, site, browser }: Visit, fields: Fields, session: string): Promise<Answer> {
    if (site.visitor) await signOut.execute(context, {});
    return seeOther(
      returnTo(fields.return_to),
      setCookie('session', session, site.baseUrl),
      ...(browser ? [setCookie('browser', browser, site.baseUrl)] : []),
    );
  }

  const userAgent = ({ exchange }: Visit) => header(exchange, 'user-agent') ?? '';

  return [
    {
      path: signInPath,
      name: 'sign in',
      anonymous: true,
      countsAsGuess: true,
      get(visit) {
        const fields = readQuery(visit.exchange);
        return visit.site.visitor ? seeOther(returnTo(fields.return_to)) : askToSignIn(visit, fields);
      },
      async post(visit, fields) {
        const { context, site, browser } = visit;
        const { login = '', password = '' } = fields;
        if (login.trim() === '')
          return await askToSignIn(visit, fields, { login: ['Enter a username or an e-mail address.'] });
        if (password === '') return await askToSignIn(visit, fields, { password: ['The password is missing.'] });
        try {
          const { session, pending, unconfirmed, secondFactorDueAt } = (
            await signIn.execute(context, { input: { login, password, browser, userAgent: userAgent(visit) } })
          ).signIn;
          if (session !== null) {
            const entered = await enter(visit, fields, session);
            return secondFactorDueAt === null
              ? entered
              : withCookies(entered, setCookie('notice', 'second_factor_soon', site.baseUrl));
          }
          if (unconfirmed !== null)
            return seeOther(
              comingBackTo(unconfirmedPath, returnTo(fields.return_to)),
              setCookie('unconfirmed', unconfirmed, site.baseUrl),
            );
          return seeOther(
            comingBackTo(secondStepPath, returnTo(fields.return_to)),
            setCookie('pending', pending!, site.baseUrl),
          );
        } catch (problem) {
          if (problem instanceof InvalidFields)
            return await askToSignIn(visit, fields, { password: [...(problem.fields.password ?? [])] });
          throw problem;
        }
      },
    },
    {
      path: secondStepPath,
      name: 'sign in',
      anonymous: true,
      countsAsGuess: true,
      get(visit) {
        const fields = readQuery(visit.exchange);
        const to = returnTo(fields.return_to);
        return kept('pending', visit) ? askForCode(visit, fields) : seeOther(comingBackTo(signInPath, to));
      },
      async post(visit, fields) {
        const { context, site, browser } = visit;
        const { code = '' } = fields;
        if (code.trim() === '') return askForCode(visit, fields, ['The code is missing.']);
        const over = clearCookie('pending', site.baseUrl);
        try {
          const input = { pending: kept('pending', visit) ?? '', code, browser, userAgent: userAgent(visit) };
          const { session } = (await complete.execute(context, { input })).completeSignIn;
          return withCookies(await enter(visit, fields, session), over);
        } catch (problem) {
          if (problem instanceof InvalidFields)
            return askForCode(visit, fields, sentences('The code', problem.fields.code));
          if (!(problem instanceof Unauthenticated)) throw problem;
          return withCookies(
            seeOtherSaying('sign_in_again', comingBackTo(signInPath, returnTo(fields.return_to)), visit),
            over,
          );
        }
      },
    },
    {
      path: '/login',
      name: 'sign in',
      get: ({ exchange }) => seeOther(signInPath + (exchange.query && `?${exchange.query}`)),
    },
    {
      path: confirmPath,
      name: 'confirm password',
      withoutSecondFactor: true,
      get(visit) {
        confirm.admit(visit.context);
        return askToConfirm(visit, readQuery(visit.exchange));
      },
      async post(visit, fields) {
        const { context, site, browser } = visit;
        const { password = '', code = '' } = fields;
        if (password === '' && code.trim() === '')
          return await askToConfirm(visit, fields, { password: ['The password is missing.'] });
        try {
          const { confirmed } =
            password === ''
              ? await confirmCode.execute(context, { input: { code, browser } })
              : await confirm.execute(context, { input: { password, browser } });
          return seeOther(returnTo(fields.return_to), setCookie('session', confirmed.session, site.baseUrl));
        } catch (problem) {
          if (!(problem instanceof InvalidFields)) throw problem;
          const { password: ofPassword, code: ofCode } = problem.fields;
          return await askToConfirm(visit, fields, {
            ...(ofPassword && { password: sentences('The password', ofPassword) }),
            ...(ofCode && { code: sentences('The code', ofCode) }),
          });
        }
      },
    },
    {
      path: '/users/sign_out',
      withExpiredPassword: true,
      name: 'sign out',
      withoutSecondFactor: true,
      async post(visit, fields) {
        await signOut.execute(visit.context, {});
        const answer = seeOtherSaying('signed_out', returnTo(fields.return_to), visit);
        return withCookies(answer, clearCookie('session', visit.site.baseUrl));
      },
    },
  ];
}

/**
 * CSP sources for the redirects after signing in: to the authorization request, and
 * possibly from there to the application. Chromium checks every redirect against the
 * `form-action` directive of the page with the form.
 */
function leadsTo(path: string): string[] {
  if (!path.startsWith('/oauth/authorize?')) return [];
  return formTargets(new URLSearchParams(path.slice(path.indexOf('?'))).get('redirect_uri') ?? '');
}
