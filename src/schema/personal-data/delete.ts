import { endAll } from '../../auth/index.ts';
import { leaveForGood } from '../../database/statements/leaving.ts';
import { Conflict, InvalidFields } from '../../errors.ts';
import { audit } from '../../oauth/index.ts';
import { builder } from '../builder.ts';
import { engineOf, signedIn } from '../oauth/engine.ts';

/** Of two who could each be the last, one goes first: an advisory lock of the database. */
const leavingLock = 815_022;

const DeleteAccountPayload = builder.objectRef<{ username: string }>('DeleteAccountPayload').implement({
  fields: (t) => ({ username: t.exposeString('username', { description: 'Of the account that is gone.' }) }),
});

builder.mutationField('deleteAccount', (t) =>
  t.field({
    type: DeleteAccountPayload,
    nullable: true,
    description: 'Removes your own account: every way in ends at once, and what belongs to it is removed in the background.',
    admission: { class: 'session', recent: true },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('DeleteAccountInput', {
          fields: (field) => ({ username: field.string({ required: true, description: 'Your own, so that nobody does it by a slip.' }) }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      const { id, username } = signedIn(context);
      if (input.username.trim() !== username) throw new InvalidFields({ username: ['is not yours'] });
      const { database } = context;
      const [outcome] = await database.exclusively(leavingLock, () => database.rows(leaveForGood, [id]));
      if (outcome?.last_administrator) throw new Conflict('You are the only administrator. Make somebody else one first.');
      if (outcome?.sole_owner) throw new Conflict('User cannot be removed while is the sole-owner of a group');
      await endAll(database, id, null);
      await audit(engineOf(context), { kind: 'account_deleted', actorId: id, userId: id });
      return { username };
    },
  }),
);
