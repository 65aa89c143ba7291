import { addressKey, countAgainst, hashPassword } from '../../../auth/index.ts';
import type { Context } from '../../../context.ts';
import { releaseUnconfirmed } from '../emails/addresses-of.ts';
import { Enough, Forbidden, InvalidFields } from '../../../errors.ts';
import { messages } from '../../../mail/index.ts';
import { audit, auditRefusal } from '../../../oauth/index.ts';
import { nameProblems } from '../../../values/text/visible-names.ts';
import { builder } from '../../engine/builder.ts';
import { mailConfirmation } from '../emails/links.ts';
import { Problems, unlessTaken } from '../../engine/input.ts';
import { engineOf } from '../../access/oauth/engine.ts';
import { pathProblems } from '../../places/place/paths.ts';
import { addressProblems, normalAddress } from '../users/addresses.ts';
import { makeAccount, type NewAccount } from '../users/changes/make.ts';
import { passwordProblems } from '../users/changes/password.ts';
import { offersSignUp } from './offered.ts';

/** Rate limits: attempts from one address an hour, and notices to the owner of an address a day. */
const tries = { most: 20, seconds: 3_600 } as const;
const notices = { most: 2, seconds: 86_400 } as const;

builder.mutationField('signUp', (t) =>
  t.boolean({
    nullable: true,
    description:
      'Creates an account, which is active once its address is confirmed by mail, and an administrator approved it if the instance requires that. The answer doesn’t reveal whether the address has an account already.',
    admission: { class: 'session', anonymous: true },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('SignUpInput', {
          fields: (field) => ({
            username: field.string({ required: true }),
            name: field.string({ required: true }),
            email: field.string({ required: true }),
            password: field.string({ required: true }),
          }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      if (!offersSignUp(context)) throw new Forbidden('Accounts are made by an administrator here.');
      const { database, origin } = context;
      const { username, name, password } = input;
      const address = normalAddress(input.email);
      const problems = new Problems();
      problems.add('username', pathProblems(username, true));
      problems.add('name', nameProblems(name));
      problems.add('email', addressProblems(address));
      problems.add('password', await passwordProblems(context, password, { username, name, addresses: [address] }));
      problems.refuse();
      const wait = await countAgainst(database, { [`sign-up address ${addressKey(origin.address)}`]: tries });
      if (wait !== null) {
        await auditRefusal(engineOf(context), { kind: 'sign_up_throttled' });
        throw new Enough(wait, 'Many accounts were asked for from your network.');
      }
      // Always hashed, so that timing doesn't reveal a known address.
      const passwordHash = await hashPassword(password);
      await releaseUnconfirmed(database, address);
      const pending = context.settings.requireAdminApprovalAfterUserSignup;
      await make(context, { username, name, passwordHash, address, pending });
      return true;
    },
  }),
);

/** Creates the account; if the address has one, notifies its owner. @throws InvalidFields for a name that is taken */
async function make(context: Context, account: NewAccount): Promise<void> {
  const { address, username } = account;
  try {
    const { userId, emailId } = await unlessTaken({ Route: 'username', Email: 'email' }, () =>
      context.database.prisma.$transaction((prisma) => makeAccount(prisma, account)),
    );
    await audit(engineOf(context), { kind: 'signed_up', actorId: userId, userId });
    await mailConfirmation(context, { id: emailId, address, userId, username });
  } catch (problem) {
    if (!(problem instanceof InvalidFields && problem.fields.email)) throw problem;
    await notifyOwner(context, address);
  }
}

/**
 * Sends the confirmation link again if the address was never confirmed; otherwise a notice that the account exists.
 */
async function notifyOwner(context: Context, address: string): Promise<void> {
  const { database, mail, baseUrl } = context;
  const owned = await database.prisma.email.findUnique({
    where: { address },
    include: { user: { select: { username: true } } },
  });
  if (!owned) return;
  const { id, userId, verifiedAt, user } = owned;
  if (!verifiedAt) return void (await mailConfirmation(context, { id, address, userId, username: user.username }));
  if ((await countAgainst(database, { [`sign-up notice ${address}`]: notices })) !== null) return;
  mail.send(address, messages.addressTaken(user.username, baseUrl));
}
