import { Forbidden, PreconditionFailed } from '../../../errors.ts';
import { writes } from '../../../policy/index.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { builder } from '../../engine/builder.ts';
import { auditUser } from './audit.ts';
import { existingUser } from './find.ts';
import { removeAccount } from './removal.ts';

const DeleteUserPayload = builder.objectRef<{ id: number; finished: boolean }>('DeleteUserPayload').implement({
  fields: (t) => ({
    userId: t.exposeID('id'),
    finished: t.exposeBoolean('finished', {
      description: 'Whether everything is gone; otherwise the rest follows in the background.',
    }),
  }),
});

builder.mutationField('deleteUser', (t) =>
  t.field({
    type: DeleteUserPayload,
    nullable: true,
    description:
      'Removes a person with their own projects and all that is stored of them; what they could act by ends at once. For administrators.',
    admission: { class: 'session', recent: true, personalToken: writes },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('DeleteUserInput', {
          fields: (field) => ({
            userId: field.id({ required: true }),
            unmodifiedSince: field.field({
              type: 'DateTime',
              description: 'Refused where the account was changed later.',
            }),
            withGroups: field.boolean({
              defaultValue: false,
              description:
                'Whether groups that nobody else owns go too, with all that is in them; otherwise such a group is in the way.',
            }),
          }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      requireAdministrator(context);
      const { id, updatedAt } = await existingUser(context, input.userId);
      if (id === context.viewer.person?.id) throw new Forbidden('You can’t remove yourself.');
      // RFC 9110 §13.1.4: dates of HTTP have whole seconds.
      if (input.unmodifiedSince && Math.floor(updatedAt.getTime() / 1_000) * 1_000 > input.unmodifiedSince.getTime())
        throw new PreconditionFailed();
      const finished = await removeAccount(context, id, input.withGroups ?? false);
      await auditUser(context, 'user_deleted', id);
      return { id, finished };
    },
  }),
);
