import { endAll, hashPassword, isOwnPassword } from '../../../auth/index.ts';
import { messages } from '../../../mail/index.ts';
import { auditRefusal, tooManyAttempts } from '../../../oauth/index.ts';
import { builder } from '../../engine/builder.ts';
import { Problems } from '../../engine/input.ts';
import { engineOf, signedIn } from '../../access/oauth/engine.ts';
import { ownSession } from '../sessions/own.ts';
import { mailAccount } from '../../engine/mail-account.ts';
import { publishEndOfAuthorizations } from '../../access/token-info/ended.ts';
import { auditUser } from '../users/changes/audit.ts';
import { knownPerson, passwordProblems } from '../users/changes/password.ts';

builder.mutationField('changePassword', (t) =>
  t.boolean({
    nullable: true,
    description: 'Changes your own password. Ends every other session and revokes every OAuth token and code.',
    // The request carries the current password, so no recent sign-in is needed.
    admission: { class: 'session' },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('ChangePasswordInput', {
          fields: (field) => ({
            current: field.string({ required: true }),
            password: field.string({ required: true }),
            browser: field.string({
              description: 'The value of the cookie that marks a browser known from an earlier sign-in.',
            }),
          }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      const { database, origin } = context;
      const engine = engineOf(context);
      const { id, userId } = ownSession(context);
      const problems = new Problems();
      problems.add('password', await passwordProblems(context, input.password, await knownPerson(context, userId)));
      const typed = {
        login: signedIn(context).username,
        password: input.current,
        address: origin.address,
        browser: input.browser ?? null,
      };
      const right = await isOwnPassword(database, typed, userId);
      if (typeof right === 'object') {
        await auditRefusal(engine, { kind: 'sign_in_throttled', userId });
        throw tooManyAttempts(right.retryAfter);
      }
      if (!right) {
        await auditRefusal(engine, { kind: 'sign_in_refused', userId });
        problems.add('current', ['is wrong']);
      }
      problems.refuse();
      await endAll(database, userId, id, await hashPassword(input.password));
      publishEndOfAuthorizations(context, userId);
      await auditUser(context, 'password_updated', userId);
      await mailAccount(context, userId, messages.passwordChanged);
      return true;
    },
  }),
);
