import { InvalidFields } from '../../../errors.ts';
import { builder } from '../../engine/builder.ts';
import { signedIn } from '../../access/oauth/engine.ts';
import { auditUser } from '../users/changes/audit.ts';
import { removeAccount } from '../users/changes/removal.ts';

const DeleteAccountPayload = builder.objectRef<{ username: string }>('DeleteAccountPayload').implement({
  fields: (t) => ({ username: t.exposeString('username', { description: 'The username of the removed account.' }) }),
});

builder.mutationField('deleteAccount', (t) =>
  t.field({
    type: DeleteAccountPayload,
    nullable: true,
    description:
      'Removes your own account: all its credentials end at once, and what belongs to it is removed in the background.',
    admission: { class: 'session', recent: true },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('DeleteAccountInput', {
          fields: (field) => ({
            username: field.string({ required: true, description: 'Your own username, as confirmation.' }),
          }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      const { id, username } = signedIn(context);
      if (input.username.trim() !== username) throw new InvalidFields({ username: ['is not yours'] });
      await removeAccount(context, id, false);
      await auditUser(context, 'user_deleted', id);
      return { username };
    },
  }),
);
