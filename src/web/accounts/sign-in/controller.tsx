import type { GraphQLSchema } from 'graphql';
import { InvalidFields } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { anonymousPage } from '../../site/anonymous-page.ts';
import { readQuery, type Fields } from '../../site/forms/fields.ts';
import { comingBackTo, returnTo, secondStepPath, signInPath, unconfirmedPath } from '../../site/return-to.ts';
import { clearCookie, newBrowserName, setCookie } from '../../site/session.ts';
import { seeOther, seeOtherSaying, withCookies, type PageRoute, type Visit } from '../../site/visit.ts';
import { confirmIdentityPage } from './confirm-controller.tsx';
import { enter, leadsTo, userAgent } from './enter.ts';
import { signInOperations, type SignedIn, type SignInOperations } from './operations.ts';
import { secondStepPage } from './second-step-controller.tsx';
import { SignIn, type SignInErrors } from './view.tsx';

/** Pages to sign in, also with a second factor, to confirm the password, and to sign out. */
export function signInPages(schema: GraphQLSchema): PageRoute[] {
  const operations = signInOperations(schema);
  return [
    signInPage(operations),
    secondStepPage(operations),
    {
      path: '/login',
      name: 'sign in',
      get: ({ exchange }) => seeOther(signInPath + (exchange.query && `?${exchange.query}`)),
    },
    confirmIdentityPage(operations),
    signOutPage(operations),
  ];
}

const signInPage = (operations: SignInOperations): PageRoute => ({
  path: signInPath,
  name: 'sign in',
  anonymous: true,
  countsAsGuess: true,
  get(visit) {
    const fields = readQuery(visit.exchange);
    return visit.site.visitor ? seeOther(returnTo(fields.return_to)) : ask(operations, visit, fields);
  },
  async post(visit, fields) {
    const again = (errors: SignInErrors) => ask(operations, visit, fields, errors);
    const { login = '', password = '', passkey } = fields;
    if (passkey !== undefined) return await enterByPasskey(operations, visit, fields, passkey);
    if (login.trim() === '') return await again({ login: ['Enter a username or an e-mail address.'] });
    if (password === '') return await again({ password: ['The password is missing.'] });
    try {
      const input = { login, password, browser: visit.browser, userAgent: userAgent(visit) };
      const { signIn: signedIn } = await operations.signIn.execute(visit.context, { input });
      return await afterPassword(operations, visit, fields, signedIn);
    } catch (problem) {
      if (problem instanceof InvalidFields) return await again({ password: [...(problem.fields.password ?? [])] });
      throw problem;
    }
  },
});

const signOutPage = ({ signOut }: SignInOperations): PageRoute => ({
  path: '/users/sign_out',
  withExpiredPassword: true,
  name: 'sign out',
  withoutSecondFactor: true,
  async post(visit, fields) {
    await signOut.execute(visit.context, {});
    const answer = seeOtherSaying('signed_out', returnTo(fields.return_to), visit);
    return withCookies(answer, clearCookie('session', visit.site.baseUrl));
  },
});

async function ask(
  { entrance }: SignInOperations,
  visit: Visit,
  fields: Fields,
  errors?: SignInErrors,
): Promise<Answer> {
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

/** Leads on after a right password: opens the session, or asks for what is missing. */
async function afterPassword(
  operations: SignInOperations,
  visit: Visit,
  fields: Fields,
  { session, pending, unconfirmed, secondFactorDueAt }: SignedIn,
): Promise<Answer> {
  const { baseUrl } = visit.site;
  const to = returnTo(fields.return_to);
  if (session !== null) {
    const entered = await enter(operations, visit, fields, session);
    return secondFactorDueAt === null
      ? entered
      : withCookies(entered, setCookie('notice', 'second_factor_soon', baseUrl));
  }
  if (unconfirmed !== null)
    return seeOther(comingBackTo(unconfirmedPath, to), setCookie('unconfirmed', unconfirmed, baseUrl));
  return seeOther(comingBackTo(secondStepPath, to), setCookie('pending', pending!, baseUrl));
}

async function enterByPasskey(
  operations: SignInOperations,
  visit: Visit,
  fields: Fields,
  answer: string,
): Promise<Answer> {
  try {
    const input = { answer, browser: visit.browser, userAgent: userAgent(visit) };
    const { entered } = await operations.byPasskey.execute(visit.context, { input });
    return await enter(operations, visit, fields, entered.session);
  } catch (problem) {
    if (!(problem instanceof InvalidFields)) throw problem;
    return await ask(operations, visit, fields, { passkey: problem.fields.passkey ?? [] });
  }
}
