import { NotFound } from '../../../errors.ts';
import { adminMilestone, writes } from '../../../policy/index.ts';
import { mutation } from '../../engine/mutation.ts';
import { permission } from '../place/look-up.ts';
import { milestoneName, milestonePayload } from './input.ts';
import { namedMilestone } from './read.ts';
import { deleteMilestone } from './statements/changes.ts';

mutation('milestoneDelete', {
  description: 'Removes a milestone; its issues lose it. From Planner up.',
  admission: { class: 'token', scopes: writes },
  input: milestoneName,
  payload: milestonePayload,
  resolve: async (context, { id, projectPath, groupPath }) => {
    const { milestone } = await namedMilestone(
      context,
      { id, project: projectPath, group: groupPath },
      permission(context, adminMilestone),
    );
    const { database, viewer } = context;
    const [removed] = await database.rows(deleteMilestone, [milestone.id, viewer.person?.id ?? null]);
    // A concurrent request did it first.
    if (!removed) throw new NotFound('Milestone');
    return { milestone };
  },
});
