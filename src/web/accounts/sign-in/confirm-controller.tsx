import { InvalidFields } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { readQuery, type Fields } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { confirmPath, returnTo } from '../../site/return-to.ts';
import { setCookie } from '../../site/session.ts';
import { seeOther, type PageRoute, type Visit } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';
import type { SignInOperations } from './operations.ts';
import { ConfirmIdentity } from './view.tsx';

/** The page on which someone who is signed in proves again that it is them. */
export const confirmIdentityPage = (operations: SignInOperations): PageRoute => ({
  path: confirmPath,
  name: 'confirm password',
  withoutSecondFactor: true,
  get(visit) {
    operations.confirm.admit(visit.context);
    return ask(operations, visit, readQuery(visit.exchange));
  },
  async post(visit, fields) {
    const { password = '', code = '', passkey } = fields;
    if (passkey === undefined && password === '' && code.trim() === '')
      return await ask(operations, visit, fields, { password: ['The password is missing.'] });
    try {
      const session = await confirm(operations, visit, fields);
      return seeOther(returnTo(fields.return_to), setCookie('session', session, visit.site.baseUrl));
    } catch (problem) {
      if (!(problem instanceof InvalidFields)) throw problem;
      return await ask(operations, visit, fields, errorsIn(problem));
    }
  },
});

interface Errors {
  readonly password?: string[];
  readonly code?: string[];
  readonly passkey?: readonly string[];
}

async function ask(
  { ownFactors }: SignInOperations,
  { site, context }: Visit,
  fields: Fields,
  errors?: Errors,
): Promise<Answer> {
  const { secondFactor, passkey } = await ownFactors.execute(context, {});
  const { csrf, username } = site.visitor!;
  const asked = { site, csrf, username, passkey, withCode: secondFactor !== null, errors: errors ?? {} };
  const page = <ConfirmIdentity {...asked} returnTo={returnTo(fields.return_to)} />;
  return toAnswer(page, errors ? 422 : 200, { scripts: true });
}

/** Confirms by a passkey, a code or the password, whichever is given. @returns the new session */
async function confirm(
  operations: SignInOperations,
  { context, browser }: Visit,
  { password = '', code = '', passkey }: Fields,
): Promise<string> {
  const { confirmed } =
    passkey !== undefined
      ? await operations.confirmPasskey.execute(context, { input: { answer: passkey } })
      : password === ''
        ? await operations.confirmCode.execute(context, { input: { code, browser } })
        : await operations.confirm.execute(context, { input: { password, browser } });
  return confirmed.session;
}

const errorsIn = ({ fields: { password, code, passkey } }: InvalidFields): Errors => ({
  ...(password && { password: sentences('The password', password) }),
  ...(code && { code: sentences('The code', code) }),
  ...(passkey && { passkey }),
});
