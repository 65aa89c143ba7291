import { endAll, hashPassword } from '../../auth/index.ts';
import { requireAdministrator } from '../administrators.ts';
import { builder } from '../builder.ts';
import { Problems } from '../input.ts';
import { announceEndOfAuthorizations } from '../tokens/ended.ts';
import { auditUser } from './audit.ts';
import { existingUser } from './find.ts';
import { userPayload } from './payload.ts';

/** Shortest and longest password, in characters. */
const passwordLength = { least: 8, most: 128 };

/** Why a password can't be taken; nothing where it can. */
export function passwordProblems(password: string): string[] {
  if (password.length < passwordLength.least) return [`is too short (minimum is ${passwordLength.least} characters)`];
  return password.length > passwordLength.most ? [`is too long (maximum is ${passwordLength.most} characters)`] : [];
}

const ResetPasswordPayload = userPayload('ResetPasswordPayload');

builder.mutationField('resetPassword', (t) =>
  t.field({
    type: ResetPasswordPayload,
    nullable: true,
    description: 'Gives a person a new password, and ends whatever was allowed with the old one. For administrators.',
    admission: { class: 'session', recent: true },
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
    resolve: async (_root, { input }, context) => {
      requireAdministrator(context);
      const problems = new Problems();
      problems.add('password', passwordProblems(input.password));
      problems.refuse();
      const { id } = await existingUser(context, input.userId);
      await endAll(context.database, id, null, await hashPassword(input.password));
      announceEndOfAuthorizations(context, id);
      await auditUser(context, 'password_reset', id);
      return { id };
    },
  }),
);
