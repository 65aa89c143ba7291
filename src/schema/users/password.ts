import { endAll, hashPassword } from '../../auth/index.ts';
import { audit } from '../../oauth/index.ts';
import { requireAdministrator } from '../administrators.ts';
import { builder } from '../builder.ts';
import { Problems } from '../input.ts';
import { engineOf } from '../oauth/engine.ts';
import { existingUser } from './find.ts';
import { User } from './types.ts';

/** Shortest and longest password, in characters. */
const passwordLength = { least: 8, most: 128 };

/** Why a password can't be taken; nothing where it can. */
export function passwordProblems(password: string): string[] {
  if (password.length < passwordLength.least) return [`is too short (minimum is ${passwordLength.least} characters)`];
  return password.length > passwordLength.most ? [`is too long (maximum is ${passwordLength.most} characters)`] : [];
}

builder.mutationField('resetPassword', (t) =>
  t.prismaField({
    type: User,
    nullable: true,
    description: 'Gives a person a new password. For administrators.',
    admission: { class: 'session' },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('ResetPasswordInput', {
          fields: (field) => ({
            userId: field.id({ required: true }),
            password: field.string({ required: true }),
          }),
        }),
      }),
    },
    resolve: async (query, _root, { input }, context) => {
      requireAdministrator(context);
      const problems = new Problems();
      problems.add('password', passwordProblems(input.password));
      problems.refuse();
      const { id } = await existingUser(context, input.userId);
      const passwordHash = await hashPassword(input.password);
      await endAll(context.database, id, null, passwordHash);
      await audit(engineOf(context), { kind: 'password_reset', actorId: context.viewer.person?.id ?? null, userId: id });
      return await context.database.prisma.user.findUnique({ ...query, where: { id } });
    },
  }),
);
