import type { Context } from '../../../context.ts';
import { removeSecondFactor } from '../../../auth/statements/second-factors.ts';
import { messages } from '../../../mail/index.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { builder } from '../../engine/builder.ts';
import { signedIn } from '../../access/oauth/engine.ts';
import { mailAccount } from '../../engine/mail-account.ts';
import { auditUser } from '../users/changes/audit.ts';
import { existingUser } from '../users/find.ts';
import { userPayload } from '../users/changes/payload.ts';

/** Turns a second factor off, with its recovery codes and sign-ins that wait for it. Without one it does nothing. */
async function disable(context: Context, userId: number): Promise<void> {
  const removed = await context.database.rows(removeSecondFactor, [userId]);
  if (removed.length === 0) return;
  await auditUser(context, 'second_factor_disabled', userId);
  await mailAccount(context, userId, messages.secondFactorOff);
}

const DisableSecondFactorPayload = userPayload('DisableSecondFactorPayload');

builder.mutationFields((t) => ({
  disableSecondFactor: t.field({
    type: DisableSecondFactorPayload,
    nullable: true,
    description: 'Turns your own second factor off.',
    admission: { class: 'session', recent: true },
    resolve: async (_root, _args, context) => {
      const { id } = signedIn(context);
      await disable(context, id);
      return { id };
    },
  }),
  disableSecondFactorOfUser: t.field({
    type: DisableSecondFactorPayload,
    nullable: true,
    description: 'Turns off the second factor of a person who lost phone and recovery codes. For administrators.',
    admission: { class: 'session', recent: true },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('DisableSecondFactorOfUserInput', {
          fields: (field) => ({ userId: field.id({ required: true }) }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      requireAdministrator(context);
      const { id } = await existingUser(context, input.userId);
      await disable(context, id);
      return { id };
    },
  }),
}));
