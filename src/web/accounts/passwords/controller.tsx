import type { GraphQLSchema } from 'graphql';
import type { Context } from '../../../context.ts';
import { InvalidFields, NotFound } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import { readQuery } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { DeadLink } from '../../site/layout/dead-link.tsx';
import { ChangePassword, ForgottenPassword, forgottenPath, NewPassword, newPasswordPath } from './view.tsx';
import type { Entrance } from '../sign-in/view.tsx';
import { passwordPath, signInPath } from '../../site/return-to.ts';
import { clearCookie } from '../../site/session.ts';
import { kept, anonymousPage, withoutToken } from '../../site/anonymous-page.ts';
import { seeOtherSaying, withCookies, type PageRoute, type Visit } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';

/** The names of the fields on the page. */
const labels: Readonly<Record<string, string>> = { current: 'The password', password: 'The password' };

/** Pages to change the password, and to reset a forgotten one. */
export function passwordPages(schema: GraphQLSchema): PageRoute[] {
  const compile = <Data,>(source: string) => compileOperation<Data>(schema, source);
  const change = compile<object>('mutation ($input: ChangePasswordInput!) { changePassword(input: $input) }');
  const entrance = compile<{ entrance: Entrance }>('query { entrance { signUp mail greeting } }');
  const request = compile<object>(
    'mutation ($input: RequestPasswordResetInput!) { requestPasswordReset(input: $input) }',
  );
  const find = compile<{ link: { username: string } | null }>(
    'query ($token: String!) { link: mailedLink(kind: RESET_PASSWORD, token: $token) { username } }',
  );
  const set = compile<object>('mutation ($input: SetForgottenPasswordInput!) { setForgottenPassword(input: $input) }');

  const me = compile<{ currentUser: { name: string; emails: { nodes: { email: string }[] } } }>(
    'query { currentUser { name emails { nodes { email } } } }',
  );

  /** What a person’s password must not be made of, besides their username. */
  async function knownOf(context: Context): Promise<string[]> {
    const { name, emails } = (await me.execute(context, {})).currentUser;
    return [name, ...emails.nodes.map(({ email }) => email)];
  }

  async function askForLogin(visit: Visit, errors?: string[]): Promise<Answer> {
    const { mail } = (await entrance.execute(visit.context, {})).entrance;
    const shown = { site: visit.site, mail, ...(errors && { errors }) };
    return anonymousPage(visit, (csrf) => <ForgottenPassword {...shown} csrf={csrf} />, errors ? 422 : 200);
  }

  /** The page of a valid link. */
  async function askForNew(visit: Visit, errors?: string[]): Promise<Answer> {
    const { link } = await find.execute(visit.context, { token: kept('mailed', visit) ?? '' });
    if (!link)
      return toAnswer(<DeadLink site={visit.site} again={{ path: forgottenPath, label: 'Request a new link' }} />, 404);
    return anonymousPage(
      visit,
      (csrf) => <NewPassword site={visit.site} csrf={csrf} username={link.username} errors={errors} />,
      errors ? 422 : 200,
      { scripts: true },
    );
  }

  return [
    {
      path: passwordPath,
      name: 'password',
      withExpiredPassword: true,
      async get({ site, context }) {
        change.admit(context);
        return toAnswer(<ChangePassword site={site} known={await knownOf(context)} />, 200, { scripts: true });
      },
      async post(visit, { current = '', password = '' }) {
        try {
          await change.execute(visit.context, { input: { current, password, browser: visit.browser } });
          return seeOtherSaying('password_changed', passwordPath, visit);
        } catch (problem) {
          if (!(problem instanceof InvalidFields)) throw problem;
          const errors = Object.fromEntries(
            Object.entries(problem.fields).map(([field, said]) => [field, sentences(labels[field]!, said)]),
          );
          const known = await knownOf(visit.context);
          return toAnswer(<ChangePassword site={visit.site} known={known} errors={errors} />, 422, { scripts: true });
        }
      },
    },
    {
      path: forgottenPath,
      name: 'forgotten password',
      anonymous: true,
      countsAsGuess: true,
      get: (visit) => askForLogin(visit),
      async post(visit, { login = '' }) {
        if (login.trim() === '') return await askForLogin(visit, ['Enter a username or an e-mail address.']);
        await request.execute(visit.context, { input: { login } });
        return seeOtherSaying('password_mailed', signInPath, visit);
      },
    },
    {
      path: newPasswordPath,
      name: 'new password',
      anonymous: true,
      countsAsGuess: true,
      async get(visit) {
        const token = readQuery(visit.exchange).reset_password_token;
        return token === undefined ? await askForNew(visit) : withoutToken(newPasswordPath, token, visit);
      },
      async post(visit, { password = '' }) {
        const { baseUrl } = visit.site;
        try {
          await set.execute(visit.context, { input: { token: kept('mailed', visit) ?? '', password } });
          const answer = seeOtherSaying('password_set', signInPath, visit);
          return withCookies(answer, clearCookie('mailed', baseUrl), clearCookie('session', baseUrl));
        } catch (problem) {
          if (problem instanceof InvalidFields)
            return await askForNew(visit, sentences('The password', problem.fields.password));
          if (problem instanceof NotFound) return await askForNew(visit);
          throw problem;
        }
      },
    },
  ];
}
