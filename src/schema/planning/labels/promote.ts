import { BadRequest, Forbidden, NotFound } from '../../../errors.ts';
import { adminLabel, holds, writes } from '../../../policy/index.ts';
import { mutation } from '../../engine/mutation.ts';
import { permission } from '../place/look-up.ts';
import { labelName, labelPayload } from './input.ts';
import { labelById, ownLabel } from './read.ts';
import { deleteLabels, groupLabel, replaceInItems, sameTitled, takeOver } from './statements/promote.ts';

mutation('labelPromote', {
  description:
    'Makes a label of a project one of its group: the group’s own of this title, if there is one. The labels of this title in the projects of the group become that one. For people who change labels in both.',
  admission: { class: 'token', scopes: writes },
  input: labelName,
  payload: labelPayload,
  resolve: async (context, name) => {
    const { label, place } = await ownLabel(context, name, permission(context, adminLabel));
    const { groupId } = place;
    if (place.scope === 'group' || groupId === null)
      throw new BadRequest('Failed to promote project label to group label');
    if (!holds(adminLabel, context.viewer, place.groupFacts)) throw new Forbidden();
    return await context.database.transaction(async (sql) => {
      const [promoted] = await sql.rows(groupLabel, [groupId, label.id]);
      // A concurrent request removed it.
      if (!promoted) throw new NotFound('Label');
      const former = (await sql.rows(sameTitled, [groupId, label.id])).map(({ id }) => id);
      const values = [promoted.id, former];
      for (const statement of replaceInItems) await sql.rows(statement, values);
      await sql.rows(takeOver, values);
      await sql.rows(deleteLabels, [former]);
      return { label: await labelById(sql, context, promoted.id, { scope: 'group', id: groupId }) };
    });
  },
});
