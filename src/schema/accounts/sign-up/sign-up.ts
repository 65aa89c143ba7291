import { addressKey, countAgainst, hashPassword } from '../../../auth/index.ts';
import type { Context } from '../../../context.ts';
import { releaseUnconfirmed } from '../emails/addresses-of.ts';
import { Enough, Forbidden, InvalidFields } from '../../../errors.ts';
import { messages } from '../../../mail/index.ts';
import { audit, auditRefusal } from '../../../oauth/index.ts';
import { nameProblems } from '../../../values/visible-names.ts';
import { builder } from '../../engine/builder.ts';
import { mailConfirmation } from '../emails/links.ts';
import { Problems, unlessTaken } from '../../engine/input.ts';
import { engineOf } from '../../access/oauth/engine.ts';
import { pathProblems } from '../../places/place/paths.ts';
import { addressProblems, normalAddress } from '../users/addresses.ts';
import { makeAccount, type NewAccount } from '../users/make.ts';
import { passwordProblems } from '../users/password.ts';
import { offersSignUp } from './offered.ts';

/** How often one address may try, and how often an owner is told that somebody did, in a day. */
const tries = { most: 20, seconds: 3_600 } as const;
const told = { most: 2, seconds: 86_400 } as const;

builder.mutationField('signUp', (t) =>
  t.boolean({
    nullable: true,
    description:
      'Makes an account that counts once its address is confirmed by mail. Whether the address has an account already, the answer doesn’t say.',
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
      // Hashed in any case, so that a known address takes as long as an unknown one.
      const passwordHash = await hashPassword(password);
      await releaseUnconfirmed(database, address);
      await make(context, { username, name, passwordHash, address });
      return true;
    },
  }),
);

/** Makes the account; or, where the address has one, tells its owner. @throws InvalidFields for a name that is taken */
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
    await tellOwner(context, address);
  }
}

/** Whoever never confirmed the address gets the link once more; an owner is told that they have an account already. */
async function tellOwner(context: Context, address: string): Promise<void> {
  const { database, mail, baseUrl } = context;
  const owned = await database.prisma.email.findUnique({
    where: { address },
    include: { user: { select: { username: true } } },
  });
  if (!owned) return;
  const { id, userId, verifiedAt, user } = owned;
  if (!verifiedAt) return void (await mailConfirmation(context, { id, address, userId, username: user.username }));
  if ((await countAgainst(database, { [`sign-up told ${address}`]: told })) !== null) return;
  mail.send(address, messages.addressTaken(user.username, baseUrl));
}
