import { NotFound } from '../../../errors.ts';
import { writes } from '../../../policy/index.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { builder } from '../../engine/builder.ts';
import { auditUser } from '../users/changes/audit.ts';
import { existingUser } from '../users/find.ts';
import { userPayload } from '../users/changes/payload.ts';

builder.mutationField('removeIdentity', (t) =>
  t.field({
    type: userPayload('RemoveIdentityPayload'),
    nullable: true,
    description: 'Removes the name of an account at another provider. For administrators.',
    admission: { class: 'session', recent: true, personalToken: writes },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('RemoveIdentityInput', {
          fields: (field) => ({
            userId: field.id({ required: true }),
            provider: field.string({ required: true }),
          }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      requireAdministrator(context);
      const { id } = await existingUser(context, input.userId);
      const { provider } = input;
      const { count } = await context.database.prisma.identity.deleteMany({ where: { userId: id, provider } });
      if (count === 0) throw new NotFound('Identity');
      await auditUser(context, 'user_updated', id, 'identities');
      return { id };
    },
  }),
);
