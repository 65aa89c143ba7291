import { BadRequest, Forbidden, NotFound } from '../../../errors.ts';
import { adminMilestone, holds, promoteMilestone, writes } from '../../../policy/index.ts';
import { isUniqueViolation } from '../../../database/index.ts';
import { mutation } from '../../engine/mutation.ts';
import { permission, type Check } from '../place/look-up.ts';
import { milestoneName, milestonePayload, titleUsed } from './input.ts';
import { namedMilestone } from './read.ts';
import { copyToGroup, lockMilestone, replaceMilestones, sameTitledMilestones } from './statements/changes.ts';
import { readMilestones } from './statements/list.ts';

mutation('milestonePromote', {
  description:
    'Makes a milestone of a project one of its group. The milestones of this title in the projects of the group become that one. For developers of the group.',
  admission: { class: 'token', scopes: writes },
  input: milestoneName,
  payload: milestonePayload,
  resolve: async (context, { id, projectPath, groupPath }) => {
    const mayChange = permission(context, adminMilestone);
    const mayPromote: Check = (where) => {
      mayChange(where);
      if (where.groupId === null || !holds(promoteMilestone, context.viewer, where.groupFacts)) throw new Forbidden();
    };
    const { milestone, place } = await namedMilestone(
      context,
      { id, project: projectPath, group: groupPath },
      mayPromote,
    );
    if (place.scope === 'group') throw new BadRequest('Promotion failed - Milestone must be project milestone');
    const groupId = place.groupId!;
    const promote = context.database.transaction(async (sql) => {
      const [now] = await sql.rows(lockMilestone, [milestone.id]);
      // A concurrent request removed it.
      if (!now) throw new NotFound('Milestone');
      const former = (await sql.rows(sameTitledMilestones, [groupId, milestone.id])).map((one) => one.id);
      const [made] = await sql.rows(copyToGroup, [groupId, milestone.id]);
      for (const statement of replaceMilestones) await sql.rows(statement, [made!.id, former]);
      const [promoted] = await sql.rows(readMilestones, [[made!.id]]);
      return { milestone: promoted! };
    });
    try {
      return await promote;
    } catch (error) {
      if (isUniqueViolation(error)) throw new BadRequest(`Promotion failed - Title ${titleUsed}`);
      throw error;
    }
  },
});
