import { holdGroups, holdTree, isChangedSince, removeGroup } from './statements/groups.ts';
import { findGroup } from '../../../database/access/places.ts';
import { Forbidden, NotFound, PreconditionFailed } from '../../../errors.ts';
import { audit } from '../../../oauth/index.ts';
import { holds, manageGroup, writes } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { facts, lookUp } from '../place/look-up.ts';
import { groupPayload } from './payload.ts';

builder.mutationField('deleteGroup', (t) =>
  t.field({
    type: groupPayload('DeleteGroupPayload', 'As it was: from now on nobody finds it, nor anything in it.'),
    nullable: true,
    description:
      'Removes a group with all that lies in it. For its owners. It is out of sight at once, and gone after a while.',
    admission: { class: 'token', scopes: writes },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('DeleteGroupInput', {
          fields: (field) => ({
            group: field.id({ required: true, description: 'Number or full path.' }),
            unmodifiedSince: field.field({
              type: 'DateTime',
              description: 'Refused if the group was changed after it.',
            }),
          }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      const { viewer, origin, database } = context;
      const row = await lookUp(context, findGroup, 'Group', input.group);
      if (!holds(manageGroup, viewer, facts(row))) throw new Forbidden();
      const { id } = row;
      await database.transaction(async (sql) => {
        await sql.rows(holdTree, [id]);
        const [changed] = input.unmodifiedSince ? await sql.rows(isChangedSince, [id, input.unmodifiedSince]) : [];
        if (changed) throw new PreconditionFailed();
        await sql.rows(holdGroups, [id]);
        const [removed] = await sql.rows(removeGroup, [id]);
        // Another one was quicker.
        if (!removed) throw new NotFound('Group');
        await audit(
          { sql, origin },
          { kind: 'group_deleted', actorId: viewer.person?.id ?? null, detail: removed.full_path },
        );
      });
      return { id };
    },
  }),
);
