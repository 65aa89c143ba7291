import type { Context } from '../../../context.ts';
import { lockPerson, makePrimary, releaseAddress, removeAddress, withdrawPrimary } from './statements.ts';
import { BadRequest, Enough, NotFound } from '../../../errors.ts';
import { messages } from '../../../mail/index.ts';
import { writes } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { Problems, unlessTaken } from '../../engine/input.ts';
import { signedIn } from '../../access/oauth/engine.ts';
import { idOf } from '../../engine/global-id.ts';
import { mailAccount } from '../../engine/mail-account.ts';
import { addressProblems, normalAddress } from '../users/addresses.ts';
import { auditUser } from '../users/changes/audit.ts';
import { userPayload } from '../users/changes/payload.ts';
import { mailConfirmation } from './links.ts';
import { Email } from './type.ts';

/** Maximum number of addresses of one person. */
const maxAddresses = 50;

/** An address of the person's own. @throws NotFound */
async function ownEmail(context: Context, given: string) {
  const userId = signedIn(context).id;
  const email = await context.database.prisma.email.findUnique({ where: { id: idOf(given, 'Email'), userId } });
  if (!email) throw new NotFound('Email');
  return email;
}

const OwnEmailPayload = builder.objectRef<{ id: number }>('OwnEmailPayload').implement({
  fields: (t) => ({
    email: t.prismaField({
      type: Email,
      resolve: (query, { id }, _args, { database }) =>
        database.prisma.email.findUniqueOrThrow({ ...query, where: { id } }),
    }),
  }),
});

const ownEmailInput = builder.inputType('OwnEmailInput', {
  fields: (field) => ({ emailId: field.id({ required: true }) }),
});

builder.mutationField('addOwnEmail', (t) =>
  t.field({
    type: OwnEmailPayload,
    nullable: true,
    description: 'Adds an address of your own, and sends the link that confirms it.',
    admission: { class: 'session', recent: true, personalToken: writes },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('AddOwnEmailInput', {
          fields: (field) => ({ address: field.string({ required: true }) }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      const { prisma } = context.database;
      const { id: userId, username } = signedIn(context);
      const address = normalAddress(input.address);
      const problems = new Problems();
      problems.add('address', addressProblems(address));
      problems.refuse();
      if ((await prisma.email.count({ where: { userId } })) >= maxAddresses) {
        problems.add('address', [`is one too many (maximum is ${maxAddresses})`]);
      }
      problems.refuse();
      await context.database.rows(releaseAddress, [address]);
      const { id } = await unlessTaken({ Email: 'address' }, () => prisma.email.create({ data: { userId, address } }));
      await auditUser(context, 'email_added', userId);
      await mailAccount(context, userId, messages.addressAdded);
      if (context.mail.configured) await mailConfirmation(context, { id, address, userId, username });
      return { id };
    },
  }),
);

builder.mutationField('mailConfirmationAgain', (t) =>
  t.field({
    type: OwnEmailPayload,
    nullable: true,
    description: 'Sends the confirmation link of an address of your own again.',
    admission: { class: 'session' },
    args: { input: t.arg({ type: ownEmailInput, required: true }) },
    resolve: async (_root, { input }, context) => {
      if (!context.mail.configured)
        throw new BadRequest('No mail is sent from here. Ask your administrator to confirm the address.');
      const { username } = signedIn(context);
      const { id, userId, address, verifiedAt } = await ownEmail(context, input.emailId);
      const wait = verifiedAt ? null : await mailConfirmation(context, { id, address, userId, username });
      if (wait !== null)
        throw new Enough(
          wait,
          'As many links were mailed as there are in a day. Look among your mail, and in what was taken for junk.',
        );
      return { id };
    },
  }),
);

builder.mutationField('makeEmailPrimary', (t) =>
  t.field({
    type: OwnEmailPayload,
    nullable: true,
    description: 'Makes a confirmed address the primary one, and notifies the previous one by mail.',
    admission: { class: 'session', recent: true },
    args: { input: t.arg({ type: ownEmailInput, required: true }) },
    resolve: async (_root, { input }, context) => {
      const { database, mail, baseUrl } = context;
      const { id: userId, username } = signedIn(context);
      const { id } = await ownEmail(context, input.emailId);
      const { former, made } = await database.transaction(async (sql) => {
        await sql.rows(lockPerson, [userId]);
        const [withdrawn] = await sql.rows(withdrawPrimary, [userId, id]);
        return { former: withdrawn?.address, made: (await sql.rows(makePrimary, [userId, id])).length > 0 };
      });
      if (!made) throw new BadRequest('Confirm the address first.');
      if (former !== undefined) {
        await auditUser(context, 'primary_email_updated', userId);
        mail.send(former, messages.primaryChanged(username, baseUrl));
      }
      return { id };
    },
  }),
);

/** @throws BadRequest for the address to which notifications go */
async function keepNotified({ database }: Context, userId: number, id: number): Promise<void> {
  const notified = await database.prisma.globalNotificationSetting.findFirst({
    where: { userId, notificationEmailId: id },
    select: { userId: true },
  });
  if (notified) throw new BadRequest('The notification address can’t be removed.');
}

const RemoveOwnEmailPayload = userPayload('RemoveOwnEmailPayload');

builder.mutationField('removeOwnEmail', (t) =>
  t.field({
    type: RemoveOwnEmailPayload,
    nullable: true,
    description:
      'Removes an address of your own, any but the primary one. A token can’t remove the one for notifications either.',
    admission: { class: 'session', recent: true, personalToken: writes },
    args: { input: t.arg({ type: ownEmailInput, required: true }) },
    resolve: async (_root, { input }, context) => {
      const { id: userId } = signedIn(context);
      const { id, primaryOf } = await ownEmail(context, input.emailId);
      if (context.viewer.credential?.kind === 'personal') {
        // Over REST the primary address isn't one of these.
        if (primaryOf !== null) throw new NotFound('Email');
        await keepNotified(context, userId, id);
      }
      const [removed] = await context.database.transaction(async (sql) => {
        await sql.rows(lockPerson, [userId]);
        return await sql.rows(removeAddress, [userId, id]);
      });
      if (!removed) throw new BadRequest('The primary address can’t be removed.');
      await auditUser(context, 'email_removed', userId);
      return { id: userId };
    },
  }),
);
