import type { GraphQLSchema } from 'graphql';
import { InvalidFields, Unauthenticated } from '../../../errors.ts';
import { header, type Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import { readQuery, type Fields } from '../../site/forms/fields.ts';
import { formTargets } from '../../site/forms/form-targets.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { ConfirmIdentity, SecondStep, SignIn, type Accepted, type Entrance, type SignInErrors } from './view.tsx';
import type { CsrfTokens } from '../../site/csrf.ts';
import {
  comingBackTo,
  confirmPath,
  returnTo,
  secondStepPath,
  signInPath,
  unconfirmedPath,
} from '../../site/return-to.ts';
import { clearCookie, newBrowserName, setCookie } from '../../site/session.ts';
import { kept, anonymousPage } from '../../site/anonymous-page.ts';
import { seeOther, seeOtherSaying, withCookies, type PageRoute, type Visit } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';

interface NewSession {
  readonly session: string;
}

/** What a right password leads to: a session, the second step, or the confirmation of the address. */
interface SignedIn {
  readonly session: string | null;
  readonly pending: string | null;
  readonly unconfirmed: string | null;
  readonly secondFactorDueAt: string | null;
}

/** Pages to sign in, also with a second factor, to confirm the password, and to sign out. */
export function signInPages(schema: GraphQLSchema): PageRoute[] {
  const compile = <Data,>(source: string) => compileOperation<Data>(schema, source);
  const signIn = compile<{ signIn: SignedIn }>(
    'mutation ($input: SignInInput!) { signIn(input: $input) { session pending unconfirmed secondFactorDueAt } }',
  );
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
  const entrance = compile<{ entrance: Entrance; passkey: string | null }>(
    'query ($browser: String!) { entrance { signUp mail greeting } passkey: passkeySignIn(browser: $browser) }',
  );
  const pendingSignIn = compile<{ pendingSignIn: Accepted | null }>(
    'query ($pending: String!, $browser: String) { pendingSignIn(pending: $pending, browser: $browser) { app passkeys } }',
  );
  const ownFactors = compile<{ secondFactor: object | null; passkey: string | null }>(
    'query { secondFactor { app } passkey: passkeyConfirmation }',
  );
  const byPasskey = compile<{ entered: NewSession }>(
    'mutation ($input: SignInByPasskeyInput!) { entered: signInByPasskey(input: $input) { session } }',
  );
  const completeByPasskey = compile<{ completeSignIn: NewSession }>(
    'mutation ($input: CompleteSignInByPasskeyInput!) { completeSignIn: completeSignInByPasskey(input: $input) { session } }',
  );
  const confirmPasskey = compile<{ confirmed: NewSession }>(
    'mutation ($input: ConfirmPasskeyInput!) { confirmed: confirmPasskey(input: $input) { session } }',
  );

  async function askToSignIn(visit: Visit, fields: Fields, errors?: SignInErrors): Promise<Answer> {
    const { site, context } = visit;
    const to = returnTo(fields.return_to);
    // The passkey answers to this browser, so it needs a name now.
    const browser = visit.browser ?? newBrowserName();
    const { entrance: offered, passkey } = await entrance.execute(context, { browser });
    return anonymousPage(
      { ...visit, browser },
      (csrf) => (
        <SignIn
          site={site}
          csrf={csrf}
          returnTo={to}
          offered={offered}
          passkey={passkey}
          login={fields.login?.slice(0, 255)}
          errors={errors}
        />
      ),
      errors ? 422 : 200,
      { formsLeadTo: leadsTo(to), scripts: true },
    );
  }

  /** The second step; or the first one, if this browser's sign-in doesn't wait any more. */
  async function askForCode(
    visit: Visit,
    fields: Fields,
    errors?: { code?: string[]; passkey?: readonly string[] },
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

  async function askToConfirm(
    { site, context }: Visit,
    fields: Fields,
    errors?: { password?: string[]; code?: string[]; passkey?: readonly string[] },
  ): Promise<Answer> {
    const { secondFactor, passkey } = await ownFactors.execute(context, {});
    const { csrf, username } = site.visitor!;
    const asked = { site, csrf, username, passkey, withCode: secondFactor !== null, errors: errors ?? {} };
    const page = <ConfirmIdentity {...asked} returnTo={returnTo(fields.return_to)} />;
    return toAnswer(page, errors ? 422 : 200, { scripts: true });
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

  /** Leads on after a right password: opens the session, or asks for what is missing. */
  async function afterPassword(visit: Visit, fields: Fields, signedIn: SignedIn): Promise<Answer> {
    const { session, pending, unconfirmed, secondFactorDueAt } = signedIn;
    const { baseUrl } = visit.site;
    const to = returnTo(fields.return_to);
    if (session !== null) {
      const entered = await enter(visit, fields, session);
      return secondFactorDueAt === null
        ? entered
        : withCookies(entered, setCookie('notice', 'second_factor_soon', baseUrl));
    }
    if (unconfirmed !== null)
      return seeOther(comingBackTo(unconfirmedPath, to), setCookie('unconfirmed', unconfirmed, baseUrl));
    return seeOther(comingBackTo(secondStepPath, to), setCookie('pending', pending!, baseUrl));
  }

  async function enterByPasskey(visit: Visit, fields: Fields, answer: string): Promise<Answer> {
    try {
      const input = { answer, browser: visit.browser, userAgent: userAgent(visit) };
      return await enter(visit, fields, (await byPasskey.execute(visit.context, { input })).entered.session);
    } catch (problem) {
      if (!(problem instanceof InvalidFields)) throw problem;
      return await askToSignIn(visit, fields, { passkey: problem.fields.passkey ?? [] });
    }
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
        const { context, browser } = visit;
        const { login = '', password = '', passkey } = fields;
        if (passkey !== undefined) return await enterByPasskey(visit, fields, passkey);
        if (login.trim() === '')
          return await askToSignIn(visit, fields, { login: ['Enter a username or an e-mail address.'] });
        if (password === '') return await askToSignIn(visit, fields, { password: ['The password is missing.'] });
        try {
          const input = { login, password, browser, userAgent: userAgent(visit) };
          return await afterPassword(visit, fields, (await signIn.execute(context, { input })).signIn);
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
        const { code = '', passkey } = fields;
        if (passkey === undefined && code.trim() === '')
          return await askForCode(visit, fields, { code: ['The code is missing.'] });
        const over = clearCookie('pending', site.baseUrl);
        try {
          const given = { pending: kept('pending', visit) ?? '', browser, userAgent: userAgent(visit) };
          const { session } = (
            passkey === undefined
              ? await complete.execute(context, { input: { ...given, code } })
              : await completeByPasskey.execute(context, { input: { ...given, answer: passkey } })
          ).completeSignIn;
          const used = passkey === undefined && isRecoveryCode(code);
          const said = used ? [setCookie('notice', 'recovery_code_used', site.baseUrl)] : [];
          return withCookies(await enter(visit, fields, session), over, ...said);
        } catch (problem) {
          if (problem instanceof InvalidFields)
            return await askForCode(
              visit,
              fields,
              problem.fields.passkey
                ? { passkey: problem.fields.passkey }
                : { code: sentences('The code', problem.fields.code) },
            );
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
        const { password = '', code = '', passkey } = fields;
        if (passkey === undefined && password === '' && code.trim() === '')
          return await askToConfirm(visit, fields, { password: ['The password is missing.'] });
        try {
          const { confirmed } =
            passkey !== undefined
              ? await confirmPasskey.execute(context, { input: { answer: passkey } })
              : password === ''
                ? await confirmCode.execute(context, { input: { code, browser } })
                : await confirm.execute(context, { input: { password, browser } });
          return seeOther(returnTo(fields.return_to), setCookie('session', confirmed.session, site.baseUrl));
        } catch (problem) {
          if (!(problem instanceof InvalidFields)) throw problem;
          const { password: ofPassword, code: ofCode, passkey: ofPasskey } = problem.fields;
          return await askToConfirm(visit, fields, {
            ...(ofPassword && { password: sentences('The password', ofPassword) }),
            ...(ofCode && { code: sentences('The code', ofCode) }),
            ...(ofPasskey && { passkey: ofPasskey }),
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

/** Whether a right code was a recovery code: an authenticator shows six digits. */
const isRecoveryCode = (code: string): boolean => !/^\d{6}$/.test(code.replaceAll(/[\s-]/g, ''));
