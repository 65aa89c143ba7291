import { adminMilestone, writes } from '../../../policy/index.ts';
import { mutation } from '../../engine/mutation.ts';
import { permission, planningPlace, requireOnePlace } from '../place/look-up.ts';
import { checkedTitle, milestonePayload, milestoneValues, requireFreeTitle, unlessTitleTaken } from './input.ts';
import { insertMilestone } from './statements/changes.ts';
import { readMilestones } from './statements/list.ts';

mutation('milestoneCreate', {
  description: 'Creates a milestone in a project or a group. From Planner up.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    projectPath: t.id({ description: 'Full path, global id or number of a project.' }),
    groupPath: t.id({ description: 'Full path, global id or number of a group.' }),
    title: t.string({ required: true }),
    ...milestoneValues(t),
  }),
  payload: milestonePayload,
  resolve: async (context, { projectPath, groupPath, title: given, description, ...days }) => {
    requireOnePlace({ projectPath, groupPath });
    const place = await planningPlace(context, { project: projectPath, group: groupPath });
    permission(context, adminMilestone)(place);
    const { startDate = null, dueDate = null } = days;
    const title = checkedTitle({ title: given, description, startDate, dueDate })!;
    const { database, viewer } = context;
    await requireFreeTitle(database, place, title, null);
    const values = [place.id, title, description || null, startDate, dueDate, viewer.person?.id ?? null];
    const [made] = await unlessTitleTaken(database.rows(insertMilestone[place.scope], values));
    const [milestone] = await database.rows(readMilestones, [[made!.id]]);
    return { milestone: milestone! };
  },
});
