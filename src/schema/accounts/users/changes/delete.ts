import { Forbidden, PreconditionFailed } from '../../../../errors.ts';
import { writes } from '../../../../policy/index.ts';
import { requireAdministrator } from '../../../engine/administrators.ts';
import { builder } from '../../../engine/builder.ts';
import { globalId } from '../../../engine/global-id.ts';
import { auditUser } from './audit.ts';
import { existingUser } from '../find.ts';
import { removeAccount } from './removal.ts';

const DeleteUserPayload = builder.objectRef<{ id: number; finished: boolean }>('DeleteUserPayload').implement({
  fields: (t) => ({
    userId: t.id({ description: 'The global id.', direct: true, resolve: ({ id }) => globalId('User', id) }),
    finished: t.exposeBoolean('finished', {
      description: 'Whether everything is removed; if not, a background job removes the rest.',
    }),
  }),
});

builder.mutationField('deleteUser', (t) =>
  t.field({
    type: DeleteUserPayload,
    nullable: true,
    description:
      'Removes a person with their own projects and all stored data; their credentials end at once. For administrators.',
    admission: { class: 'session', recent: true, personalToken: writes },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('DeleteUserInput', {
          fields: (field) => ({
            userId: field.id({ required: true }),
            unmodifiedSince: field.field({
              type: 'Time',
              description: 'Refuses the removal if the account was changed after this moment.',
            }),
            withGroups: field.boolean({
              defaultValue: false,
              description:
                'Whether to remove groups of which the person is the only owner, with all they contain. If not, such a group prevents the removal.',
            }),
          }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      requireAdministrator(context);
      const { id, updatedAt } = await existingUser(context, input.userId);
      if (id === context.viewer.person?.id) throw new Forbidden('You can’t remove yourself.');
      // HTTP dates have whole seconds (RFC 9110 §13.1.4).
      if (input.unmodifiedSince && Math.floor(updatedAt.getTime() / 1_000) * 1_000 > input.unmodifiedSince.getTime())
        throw new PreconditionFailed();
      const finished = await removeAccount(context, id, input.withGroups ?? false);
      await auditUser(context, 'user_deleted', id);
      return { id, finished };
    },
  }),
);
