import { lockGroups, lockTree, isChangedSince, removeGroup } from './statements/groups.ts';
import { findGroup } from '../../../database/access/places.ts';
import { Forbidden, NotFound, PreconditionFailed } from '../../../errors.ts';
import { audit } from '../../../oauth/index.ts';
import { holds, manageGroup, writes } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { facts, lookUp } from '../place/look-up.ts';
import { groupPayload } from './payload.ts';

builder.mutationField('deleteGroup', (t) =>
  t.field({
    type: groupPayload(
      'DeleteGroupPayload',
      'The group before its removal. From now on neither the group nor its contents can be found.',
    ),
    nullable: true,
    description:
      'Removes a group with all its contents. For its owners. It is hidden at once, and removed in the background.',
    admission: { class: 'token', scopes: writes },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('DeleteGroupInput', {
          fields: (field) => ({
            group: field.id({ required: true, description: 'Id or full path.' }),
            unmodifiedSince: field.field({
              type: 'DateTime',
              description: 'Refuses the removal if the group was changed after this moment.',
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
        await sql.rows(lockTree, [id]);
        const [changed] = input.unmodifiedSince ? await sql.rows(isChangedSince, [id, input.unmodifiedSince]) : [];
        if (changed) throw new PreconditionFailed();
        await sql.rows(lockGroups, [id]);
        const [removed] = await sql.rows(removeGroup, [id]);
        // A concurrent request did it first.
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
