import { provenUnconfirmed } from '../../../auth/index.ts';
import { Enough, NotFound } from '../../../errors.ts';
import { builder } from '../../engine/builder.ts';
import { mailConfirmation } from './links.ts';

builder.mutationField('mailFirstConfirmationAgain', (t) =>
  t.boolean({
    nullable: true,
    description: 'Sends the confirmation link of a new account again, after its password was given.',
    admission: { class: 'session', anonymous: true },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('MailFirstConfirmationAgainInput', {
          fields: (field) => ({
            proof: field.string({ required: true, description: 'The value `unconfirmed` that `signIn` returned.' }),
            browser: field.string({
              description: 'The value of the cookie that marks a browser known from an earlier sign-in.',
            }),
          }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      const { database, keys, mail } = context;
      const userId = provenUnconfirmed(keys, input.proof, input.browser ?? null);
      const email =
        userId === null
          ? null
          : await database.prisma.email.findUnique({
              where: { primaryOf: userId },
              include: { user: { select: { username: true, state: true } } },
            });
      if (!email || email.user.state !== 'ACTIVE') throw new NotFound('Account');
      // If it was confirmed in the meantime, there is nothing to send: the person can sign in.
      if (email.verifiedAt || !mail.configured) return false;
      const { id, address, userId: of, user } = email;
      const wait = await mailConfirmation(context, { id, address, userId: of, username: user.username });
      if (wait !== null)
        throw new Enough(
          wait,
          'As many links were mailed as there are in a day. Look among your mail, and in what was taken for junk.',
        );
      return true;
    },
  }),
);
