import { holdOwners, markUser, soleGroups } from '../../database/statements/users.ts';
import { Conflict, Forbidden, NotFound } from '../../errors.ts';
import { removeMarkedUser } from '../../jobs/remove-users.ts';
import { writes } from '../../policy/index.ts';
import { requireAdministrator } from '../administrators.ts';
import { builder } from '../builder.ts';
import { auditUser } from './audit.ts';
import { existingUser } from './find.ts';

/** How much a request removes itself, in batches; the rest is left to the background. */
const ownShare = 40;

const DeleteUserPayload = builder.objectRef<{ id: number; finished: boolean }>('DeleteUserPayload').implement({
  fields: (t) => ({
    userId: t.exposeID('id'),
    finished: t.exposeBoolean('finished', { description: 'Whether everything is gone; otherwise the rest follows in the background.' }),
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
            withGroups: field.boolean({
              defaultValue: false,
              description: 'Whether groups that nobody else owns go too, with all that is in them; otherwise such a group is in the way.',
            }),
          }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      requireAdministrator(context);
      const { database } = context;
      const { id } = await existingUser(context, input.userId);
      if (id === context.viewer.person?.id) throw new Forbidden('You can’t remove yourself.');
      await database.transaction(async (sql) => {
        await sql.rows(holdOwners, [id]);
        const sole = await sql.rows(soleGroups, [id]);
        if (sole.length > 0 && !input.withGroups) throw new Conflict('User cannot be removed while is the sole-owner of a group');
        const marked = await sql.rows(markUser, [id, sole.map((group) => group.id)]);
        if (marked.length === 0) throw new NotFound('User');
      });
      await auditUser(context, 'user_deleted', id);
      return { id, finished: await removeMarkedUser(database, id, ownShare) };
    },
  }),
);
