import type { GraphQLSchema } from 'graphql';
import { InvalidFields } from '../../errors.ts';
import { header, type Answer } from '../../http/index.ts';
import { compileOperation } from '../../operation.ts';
import { readQuery, type Fields } from '../fields.ts';
import { formTargets } from '../form-targets.ts';
import { toAnswer } from '../page.ts';
import { ConfirmPassword, SignIn } from '../pages/sign-in.tsx';
import { proveBy } from '../proof.ts';
import { confirmPath, returnTo, signInPath } from '../return-to.ts';
import { clearCookie, newBrowserName, setCookie } from '../session.ts';
import { seeOther, seeOtherSaying, withCookies, type PageRoute, type Visit } from '../visit.ts';
import { sentences } from '../words.ts';

interface NewSession {
  readonly session: string;
}

/** Signing in, confirming that one still is who signed in, and signing out. */
export function signInPages(schema: GraphQLSchema): PageRoute[] {
  const signIn = compileOperation<{ signIn: NewSession }>(schema, 'mutation ($input: SignInInput!) { signIn(input: $input) { session } }');
  const confirm = compileOperation<{ confirmPassword: NewSession }>(
    schema,
    'mutation ($input: ConfirmPasswordInput!) { confirmPassword(input: $input) { session } }',
  );
  const greet = compileOperation<{ greeting: string | null }>(schema, 'query { greeting }');
  const signOut = compileOperation<{ signOut: boolean }>(schema, 'mutation { signOut }');

  /** The page with its form, to a browser that has a name from now on. */
  async function askToSignIn(visit: Visit, fields: Fields, errors?: { login?: string[]; password?: string[] }): Promise<Answer> {
    const { site } = visit;
    const browser = visit.browser ?? newBrowserName();
    const to = returnTo(fields.return_to);
    const { greeting } = await greet.execute(visit.context, {});
    const page = toAnswer(
      <SignIn site={site} proof={proveBy(browser)} returnTo={to} greeting={greeting} login={fields.login?.slice(0, 255)} errors={errors} />,
      errors ? 422 : 200,
      { formsLeadTo: leadsTo(to) },
    );
    return withCookies(page, setCookie('browser', browser, site.baseUrl));
  }

  function askToConfirm({ site }: Visit, fields: Fields, errors?: string[]): Answer {
    const { proof, username } = site.visitor!;
    return toAnswer(
      <ConfirmPassword site={site} proof={proof} username={username} returnTo={returnTo(fields.return_to)} errors={errors} />,
      errors ? 422 : 200,
    );
  }

  return [
    {
      path: signInPath,
      name: 'sign in',
      anonymous: true,
      get(visit) {
        const fields = readQuery(visit.exchange);
        return visit.site.visitor ? seeOther(returnTo(fields.return_to)) : askToSignIn(visit, fields);
      },
      async post(visit, fields) {
        const { context, site, browser, exchange } = visit;
        const { login = '', password = '' } = fields;
        if (login.trim() === '') return askToSignIn(visit, fields, { login: ['Say who you are.'] });
        if (password === '') return askToSignIn(visit, fields, { password: ['The password is missing.'] });
        const userAgent = header(exchange.request, 'user-agent') ?? '';
        try {
          const { signIn: opened } = await signIn.execute(context, { input: { login, password, browser, userAgent } });
          // A session that this browser had before ends with the one that takes its place.
          if (site.visitor) await signOut.execute(context, {});
          return seeOther(
            returnTo(fields.return_to),
            setCookie('session', opened.session, site.baseUrl),
            ...(browser ? [setCookie('browser', browser, site.baseUrl)] : []),
          );
        } catch (problem) {
          if (problem instanceof InvalidFields) return askToSignIn(visit, fields, { password: [...(problem.fields.password ?? [])] });
          throw problem;
        }
      },
    },
    { path: '/login', name: 'sign in', get: ({ exchange }) => seeOther(signInPath + (exchange.query && `?${exchange.query}`)) },
    {
      path: confirmPath,
      name: 'confirm password',
      get(visit) {
        confirm.admit(visit.context);
        return askToConfirm(visit, readQuery(visit.exchange));
      },
      async post(visit, fields) {
        const { context, site, browser } = visit;
        const { password = '' } = fields;
        if (password === '') return askToConfirm(visit, fields, ['The password is missing.']);
        try {
          const { confirmPassword } = await confirm.execute(context, { input: { password, browser } });
          return seeOther(returnTo(fields.return_to), setCookie('session', confirmPassword.session, site.baseUrl));
        } catch (problem) {
          if (problem instanceof InvalidFields) return askToConfirm(visit, fields, sentences('The password', problem.fields.password));
          throw problem;
        }
      },
    },
    {
      path: '/users/sign_out',
      name: 'sign out',
      async post(visit, fields) {
        await signOut.execute(visit.context, {});
        const answer = seeOtherSaying('signed_out', returnTo(fields.return_to), visit);
        return withCookies(answer, clearCookie('session', visit.site.baseUrl));
      },
    },
  ];
}

/**
 * After signing in a person goes on to the authorization request that they came
 * with, and from there perhaps to the application at once. Chromium holds that
 * whole way against the page where the form was sent.
 */
function leadsTo(path: string): string[] {
  if (!path.startsWith('/oauth/authorize?')) return [];
  return formTargets(new URLSearchParams(path.slice(path.indexOf('?'))).get('redirect_uri') ?? '');
}
