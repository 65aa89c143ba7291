import type { GraphQLSchema } from 'graphql';
import { InvalidFields, NotFound } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import { readQuery } from '../../site/forms/fields.ts';
import type { NoticeName } from '../../site/layout/notices.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { ConfirmAddress, confirmationPath, Emails, emailsPath, UnconfirmedAccount, type Email } from './view.tsx';
import { DeadLink } from '../../site/layout/dead-link.tsx';
import { comingBackTo, returnTo, signInPath, unconfirmedPath } from '../../site/return-to.ts';
import { clearCookie } from '../../site/session.ts';
import { kept, anonymousPage, withoutToken } from '../../site/anonymous-page.ts';
import { seeOther, seeOtherSaying, withCookies, type PageRoute, type Visit } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';

interface Link {
  readonly username: string;
  readonly address: string;
  readonly wantsPassword: boolean;
}

/** Pages of the viewer's addresses, and the page that confirms one. */
export function emailPages(schema: GraphQLSchema): PageRoute[] {
  const compile = <Data,>(source: string) => compileOperation<Data>(schema, source);
  const list = compile<{ currentUser: { emails: { nodes: Email[] } }; entrance: { mail: boolean } }>(
    'query { currentUser { emails { nodes { id: databaseId email isPrimary confirmedAt } } } entrance { mail } }',
  );
  const add = compile<object>(
    'mutation ($input: AddOwnEmailInput!) { addOwnEmail(input: $input) { email { email } } }',
  );
  const mailAgain = compile<object>(
    'mutation ($input: OwnEmailInput!) { mailConfirmationAgain(input: $input) { email { email } } }',
  );
  const makePrimary = compile<object>(
    'mutation ($input: OwnEmailInput!) { makeEmailPrimary(input: $input) { email { email } } }',
  );
  const remove = compile<object>(
    'mutation ($input: OwnEmailInput!) { removeOwnEmail(input: $input) { user { username } } }',
  );
  const find = compile<{ link: Link | null }>(
    'query ($token: String!) { link: mailedLink(kind: VERIFY_EMAIL, token: $token) { username address wantsPassword } }',
  );
  const entrance = compile<{ entrance: { mail: boolean } }>('query { entrance { mail } }');
  const mailFirstAgain = compile<object>(
    'mutation ($input: MailFirstConfirmationAgainInput!) { mailFirstConfirmationAgain(input: $input) }',
  );
  const confirm = compile<object>('mutation ($input: ConfirmEmailInput!) { confirmEmail(input: $input) { address } }');

  async function show({ site, context }: Visit, wrong?: { address: string; errors: string[] }): Promise<Answer> {
    const { currentUser, entrance } = await list.execute(context, {});
    return toAnswer(
      <Emails site={site} emails={currentUser.emails.nodes} mail={entrance.mail} {...wrong} />,
      wrong ? 422 : 200,
    );
  }

  async function askToConfirm(visit: Visit, errors?: string[]): Promise<Answer> {
    const { link } = await find.execute(visit.context, { token: kept('mailed', visit) ?? '' });
    if (!link)
      return toAnswer(<DeadLink site={visit.site} again={{ path: emailsPath, label: 'See your addresses' }} />, 404);
    return anonymousPage(
      visit,
      (csrf) => <ConfirmAddress site={visit.site} csrf={csrf} {...link} errors={errors} />,
      errors ? 422 : 200,
      link.wantsPassword ? { scripts: true } : {},
    );
  }

  const change = (path: string, operation: typeof add, done: NoticeName): PageRoute => ({
    path: `${emailsPath}/:id/${path}`,
    name: 'change e-mail',
    get: () => seeOther(emailsPath),
    async post(visit) {
      await operation.execute(visit.context, { input: { emailId: visit.named.id } });
      return seeOtherSaying(done, emailsPath, visit);
    },
  });

  return [
    {
      path: emailsPath,
      name: 'e-mails',
      get(visit) {
        mailAgain.admit(visit.context);
        return show(visit);
      },
      async post(visit, { address = '' }) {
        try {
          await add.execute(visit.context, { input: { address } });
          const { mail } = (await list.execute(visit.context, {})).entrance;
          return seeOtherSaying(mail ? 'email_added_and_mailed' : 'email_added', emailsPath, visit);
        } catch (problem) {
          if (problem instanceof InvalidFields)
            return await show(visit, { address, errors: sentences('The address', problem.fields.address) });
          throw problem;
        }
      },
    },
    change('mail', mailAgain, 'email_mailed'),
    change('primary', makePrimary, 'email_primary'),
    change('remove', remove, 'email_removed'),
    {
      path: unconfirmedPath,
      name: 'unconfirmed account',
      anonymous: true,
      countsAsGuess: true,
      async get(visit) {
        const to = returnTo(readQuery(visit.exchange).return_to);
        if (visit.site.visitor || !kept('unconfirmed', visit)) return seeOther(comingBackTo(signInPath, to));
        const { mail } = (await entrance.execute(visit.context, {})).entrance;
        return anonymousPage(visit, (csrf) => (
          <UnconfirmedAccount site={visit.site} csrf={csrf} mail={mail} returnTo={to} />
        ));
      },
      async post(visit, fields) {
        const { site, browser, context } = visit;
        const to = comingBackTo(signInPath, returnTo(fields.return_to));
        try {
          await mailFirstAgain.execute(context, { input: { proof: kept('unconfirmed', visit) ?? '', browser } });
        } catch (problem) {
          // The cookie has expired: ask for the password again.
          if (problem instanceof NotFound)
            return withCookies(seeOtherSaying('sign_in_again', to, visit), clearCookie('unconfirmed', site.baseUrl));
          throw problem;
        }
        return seeOtherSaying('confirmation_mailed', to, visit);
      },
    },
    {
      path: confirmationPath,
      name: 'confirm address',
      anonymous: true,
      async get(visit) {
        const token = readQuery(visit.exchange).confirmation_token;
        return token === undefined ? await askToConfirm(visit) : withoutToken(confirmationPath, token, visit);
      },
      async post(visit, { password = '' }) {
        const { site, browser } = visit;
        try {
          await confirm.execute(visit.context, { input: { token: kept('mailed', visit) ?? '', password, browser } });
        } catch (problem) {
          if (problem instanceof InvalidFields)
            return await askToConfirm(visit, sentences('The password', problem.fields.password));
          if (problem instanceof NotFound) return await askToConfirm(visit);
          throw problem;
        }
        return withCookies(
          seeOtherSaying('email_confirmed', site.visitor ? emailsPath : signInPath, visit),
          clearCookie('mailed', site.baseUrl),
        );
      },
    },
  ];
}
