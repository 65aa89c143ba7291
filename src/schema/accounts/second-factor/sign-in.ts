import { checkCode, completeSignIn, renewed } from '../../../auth/index.ts';
import type { Context } from '../../../context.ts';
import { InvalidFields, Unauthenticated, type DomainError } from '../../../errors.ts';
import { messages } from '../../../mail/index.ts';
import { audit, auditRefusal, tooManyAttempts } from '../../../oauth/index.ts';
import { builder } from '../../engine/builder.ts';
import { engineOf } from '../../access/oauth/engine.ts';
import { noteEntry } from '../sessions/entry.ts';
import { NewSession, ownSession } from '../sessions/own.ts';
import { mailAccount } from '../../engine/mail-account.ts';

type Refused = Extract<Awaited<ReturnType<typeof checkCode>>, { right: false }>;

/** Counts a wrong code, and notifies the person after too many. @returns the error to throw */
async function refusal(context: Context, userId: number, { worrying, retryAfter }: Refused): Promise<DomainError> {
  const kind = retryAfter === null ? 'second_factor_refused' : 'second_factor_throttled';
  await auditRefusal(engineOf(context), { kind, userId });
  if (worrying !== null)
    await mailAccount(context, userId, (username, base) => messages.wrongCodes(username, worrying, base));
  return retryAfter === null
    ? new InvalidFields({ code: ['is wrong, or was used already'] })
    : tooManyAttempts(retryAfter);
}

/** Records that a recovery code was used, and notifies the person. */
async function noteRecovery(context: Context, userId: number, left: number | null): Promise<void> {
  if (left === null) return;
  await audit(engineOf(context), { kind: 'recovery_code_used', actorId: userId, userId });
  await mailAccount(context, userId, (username, base) => messages.recoveryCodeUsed(username, left, base));
}

builder.mutationField('completeSignIn', (t) =>
  t.field({
    type: NewSession,
    nullable: true,
    description: 'Completes a sign-in after the password, by a code of the authenticator app or a recovery code.',
    admission: { class: 'session', anonymous: true },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('CompleteSignInInput', {
          fields: (field) => ({
            pending: field.string({ required: true, description: 'The pending sign-in, from its cookie.' }),
            code: field.string({ required: true }),
            browser: field.string({
              description: 'The same value as in the first step: the pending sign-in is bound to it.',
            }),
            userAgent: field.string({ required: true }),
          }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      const { database, keys, origin } = context;
      const { pending, code, userAgent } = input;
      const typed = { pending, code, browser: input.browser ?? null, address: origin.address };
      const completed = await completeSignIn(database, keys, typed, userAgent);
      if (!completed) throw new Unauthenticated('Sign in again.');
      const { userId } = completed;
      if (completed.session === null) {
        const refused = await refusal(context, userId, completed);
        throw completed.over ? new Unauthenticated('Too many wrong codes. Sign in again.') : refused;
      }
      await noteRecovery(context, userId, completed.recoveryCodesLeft);
      await noteEntry(context, completed, 'with second factor');
      return { session: completed.session };
    },
  }),
);

builder.mutationField('confirmCode', (t) =>
  t.field({
    type: NewSession,
    nullable: true,
    description:
      'Confirms the signed-in person by the second factor instead of the password. The session gets a new id.',
    admission: { class: 'session' },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('ConfirmCodeInput', {
          fields: (field) => ({
            code: field.string({ required: true }),
            browser: field.string({
              description: 'The value of the cookie that marks a browser known from an earlier sign-in.',
            }),
          }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      const { database, keys, origin } = context;
      const session = ownSession(context);
      const { userId } = session;
      const from = { address: origin.address, browser: input.browser ?? null, attempt: `session of user ${userId}` };
      const checked = await checkCode(database, keys, userId, input.code, from);
      if (!checked.right) throw await refusal(context, userId, checked);
      await noteRecovery(context, userId, checked.recoveryCodesLeft);
      const secret = await renewed(database, session);
      if (secret === null) throw new Unauthenticated();
      await audit(engineOf(context), { kind: 'second_factor_confirmed', actorId: userId, userId });
      return { session: secret };
    },
  }),
);
