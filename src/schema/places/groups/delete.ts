import { isChangedSince, removeGroup } from './statements/groups.ts';
import { findGroup } from '../../../database/access/places.ts';
import { lockGroups } from '../../../database/access/trees.ts';
import { Forbidden, NotFound, PreconditionFailed } from '../../../errors.ts';
import { record } from '../../../events/record.ts';
import { audit } from '../../../oauth/index.ts';
import { holds, manageGroup, writes } from '../../../policy/index.ts';
import { mutation } from '../../engine/mutation.ts';
import { inTrees } from '../place/again.ts';
import { facts, lookUp } from '../place/look-up.ts';
import { groupPayload } from './payload.ts';

mutation('deleteGroup', {
  payload: groupPayload,
  description:
    'Removes a group with all its contents. For its owners. It is hidden at once, and removed in the background; the payload still shows it.',
  admission: { class: 'token', scopes: writes },
  input: (field) => ({
    group: field.id({ required: true, description: 'Id or full path.' }),
    unmodifiedSince: field.field({
      type: 'Time',
      description: 'Refuses the removal if the group was changed after this moment.',
    }),
  }),
  resolve: async (context, input) => {
    const { viewer, origin, database } = context;
    const row = await lookUp(context, findGroup, 'Group', input.group);
    if (!holds(manageGroup, viewer, facts(row))) throw new Forbidden();
    const { id } = row;
    await inTrees(database, [id], 'exclusive', async (sql) => {
      const [changed] = input.unmodifiedSince ? await sql.rows(isChangedSince, [id, input.unmodifiedSince]) : [];
      if (changed) throw new PreconditionFailed();
      await sql.rows(lockGroups, [id]);
      const [removed] = await sql.rows(removeGroup, [id]);
      // A concurrent request did it first.
      if (!removed) throw new NotFound('Group');
      const actorId = viewer.person?.id ?? null;
      await record(sql, 'group.deleted', { actorId, groupId: id, subjectId: id });
      await audit({ sql, origin }, { kind: 'group_deleted', actorId, detail: removed.full_path });
    });
    return { id };
  },
});
