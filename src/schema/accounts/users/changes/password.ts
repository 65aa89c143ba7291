import { endAll, guessable, hashPassword } from '../../../../auth/index.ts';
import type { Context } from '../../../../context.ts';
import { tooLong } from '../../../../values/text/lengths.ts';
import { passwordLength, type Guessable } from '../../../../values/text/passwords.ts';
import { requireAdministrator } from '../../../engine/administrators.ts';
import { builder } from '../../../engine/builder.ts';
import { Problems } from '../../../engine/input.ts';
import { publishEndOfAuthorizations } from '../../../access/token-info/ended.ts';
import { auditUser } from './audit.ts';
import { existingUser } from '../find.ts';
import { userPayload } from './payload.ts';

/** Messages for passwords that are easy to guess; the one for common passwords has the words that clients know. */
const guessed: Readonly<Record<Guessable, string>> = {
  common: 'must not contain commonly used combinations of words and letters',
  personal:
    'must not be made of the name, the username or an e-mail address of the account, nor of the name of this instance',
};

/** Public facts about a person, which a password must not be made of. */
export interface KnownPerson {
  readonly username: string;
  readonly name: string;
  readonly addresses: readonly string[];
}

/** The public facts about a person who has an account. */
export async function knownPerson({ database }: Context, id: number): Promise<KnownPerson> {
  const { username, name, emails } = await database.prisma.user.findUniqueOrThrow({
    where: { id },
    select: { username: true, name: true, emails: { select: { address: true } } },
  });
  return { username, name, addresses: emails.map(({ address }) => address) };
}

/** Why a password has the wrong length; empty if it hasn't. */
export function lengthProblems(password: string): string[] {
  if (password.length < passwordLength.least) return [`is too short (minimum is ${passwordLength.least} characters)`];
  return password.length > passwordLength.most ? [tooLong(passwordLength.most)] : [];
}

/** Why a password is refused; empty if it is fine. */
export async function passwordProblems(
  { baseUrl }: Context,
  password: string,
  { username, name, addresses }: KnownPerson,
): Promise<string[]> {
  const problems = lengthProblems(password);
  if (problems.length > 0) return problems;
  const why = await guessable(password, [
    username,
    name,
    ...addresses,
    'Causeway',
    baseUrl.replace(/^https?:\/\//, ''),
  ]);
  return why ? [guessed[why]] : [];
}

const ResetPasswordPayload = userPayload('ResetPasswordPayload');

builder.mutationField('resetPassword', (t) =>
  t.field({
    type: ResetPasswordPayload,
    nullable: true,
    description: 'Sets a person’s password, and ends their sessions and OAuth tokens. For administrators.',
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
      const { id } = await existingUser(context, input.userId);
      const problems = new Problems();
      problems.add('password', await passwordProblems(context, input.password, await knownPerson(context, id)));
      problems.refuse();
      await endAll(context.database, id, null, await hashPassword(input.password));
      publishEndOfAuthorizations(context, id);
      await auditUser(context, 'password_reset', id);
      return { id };
    },
  }),
);
