import type { Context } from '../../../context.ts';
import { lockPerson, removeAddress } from './statements.ts';
import { BadRequest, NotFound } from '../../../errors.ts';
import { writes } from '../../../policy/index.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { builder } from '../../engine/builder.ts';
import { mailConfirmation } from './links.ts';
import { Problems, unlessTaken } from '../../engine/input.ts';
import { idOf } from '../../engine/global-id.ts';
import { Email } from './type.ts';
import { addressProblems, normalAddress } from '../users/addresses.ts';
import { auditUser } from '../users/changes/audit.ts';
import { existingUser } from '../users/find.ts';
import { userPayload } from '../users/changes/payload.ts';

/** Maximum number of addresses of one person. */
const maxAddresses = 50;

/** An address of just this person. @throws NotFound */
async function existingEmail({ database }: Context, userId: number, given: string) {
  const email = await database.prisma.email.findUnique({ where: { id: idOf(given, 'Email'), userId } });
  if (!email) throw new NotFound('Email');
  return email;
}

const EmailPayload = builder.objectRef<{ id: number }>('EmailPayload').implement({
  fields: (t) => ({
    email: t.prismaField({
      type: Email,
      resolve: (query, { id }, _args, { database }) =>
        database.prisma.email.findUniqueOrThrow({ ...query, where: { id } }),
    }),
  }),
});

builder.mutationField('addEmail', (t) =>
  t.field({
    type: EmailPayload,
    nullable: true,
    description: 'Adds a further address to an account. For administrators.',
    admission: { class: 'session', recent: true, personalToken: writes },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('AddEmailInput', {
          fields: (field) => ({
            userId: field.id({ required: true }),
            email: field.string({ required: true }),
            verified: field.boolean({
              required: true,
              description: 'Whether it is verified already, so that no confirmation is needed.',
            }),
          }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      requireAdministrator(context);
      const { prisma } = context.database;
      const address = normalAddress(input.email);
      const problems = new Problems();
      problems.add('email', addressProblems(address));
      problems.refuse();
      const user = await existingUser(context, input.userId);
      if ((await prisma.email.count({ where: { userId: user.id } })) >= maxAddresses)
        problems.add('email', [`are too many (maximum is ${maxAddresses})`]);
      problems.refuse();
      const { id } = await unlessTaken({ Email: 'email' }, () =>
        prisma.email.create({ data: { userId: user.id, address, verifiedAt: input.verified ? new Date() : null } }),
      );
      await auditUser(context, 'email_added', user.id);
      if (!input.verified && context.mail.configured)
        await mailConfirmation(context, { id, address, userId: user.id, username: user.username });
      return { id };
    },
  }),
);

const ofEmail = builder.inputType('EmailOfUserInput', {
  fields: (t) => ({ userId: t.id({ required: true }), emailId: t.id({ required: true }) }),
});

builder.mutationField('verifyEmailOfUser', (t) =>
  t.field({
    type: EmailPayload,
    nullable: true,
    description: 'Marks an address as verified. For administrators.',
    admission: { class: 'session', recent: true, personalToken: writes },
    args: { input: t.arg({ type: ofEmail, required: true }) },
    resolve: async (_root, { input }, context) => {
      requireAdministrator(context);
      const user = await existingUser(context, input.userId);
      const { id } = await existingEmail(context, user.id, input.emailId);
      const { count } = await context.database.prisma.email.updateMany({
        where: { id, verifiedAt: null },
        data: { verifiedAt: new Date() },
      });
      if (count > 0) await auditUser(context, 'email_verified', user.id);
      return { id };
    },
  }),
);

const RemoveEmailPayload = userPayload('RemoveEmailOfUserPayload');

builder.mutationField('removeEmailOfUser', (t) =>
  t.field({
    type: RemoveEmailPayload,
    nullable: true,
    description: 'Removes an address of an account, any but the primary one. For administrators.',
    admission: { class: 'session', recent: true, personalToken: writes },
    args: { input: t.arg({ type: ofEmail, required: true }) },
    resolve: async (_root, { input }, context) => {
      requireAdministrator(context);
      const user = await existingUser(context, input.userId);
      const { id } = await existingEmail(context, user.id, input.emailId);
      const [removed] = await context.database.transaction(async (sql) => {
        await sql.rows(lockPerson, [user.id]);
        return await sql.rows(removeAddress, [user.id, id]);
      });
      if (!removed) throw new BadRequest('The primary address can’t be removed.');
      await auditUser(context, 'email_removed', user.id);
      return { id: user.id };
    },
  }),
);
