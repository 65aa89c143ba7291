import { NotFound } from '../../../errors.ts';
import { adminMilestone, writes } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { mutation } from '../../engine/mutation.ts';
import { permission } from '../place/look-up.ts';
import {
  checkedTitle,
  milestoneName,
  milestonePayload,
  milestoneValues,
  requireFreeTitle,
  unlessTitleTaken,
} from './input.ts';
import { namedMilestone } from './read.ts';
import { lockMilestone, updateMilestone } from './statements/changes.ts';
import { readMilestones } from './statements/list.ts';

const MilestoneStateEvent = builder.enumType('MilestoneStateEvent', {
  description: 'A change of the state of a milestone.',
  values: { CLOSE: { value: 'CLOSED' }, ACTIVATE: { value: 'ACTIVE' } } as const,
});

mutation('milestoneUpdate', {
  description: 'Changes a milestone. From Planner up. Omitted fields stay as they are.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    ...milestoneName(t),
    title: t.string(),
    ...milestoneValues(t),
    stateEvent: t.field({ type: MilestoneStateEvent }),
  }),
  payload: milestonePayload,
  resolve: async (context, { id: given, projectPath, groupPath, description, stateEvent, ...changes }) => {
    const { milestone, place } = await namedMilestone(
      context,
      { id: given, project: projectPath, group: groupPath },
      permission(context, adminMilestone),
    );
    const { id } = milestone;
    return await context.database.transaction(async (sql) => {
      const [now] = await sql.rows(lockMilestone, [id]);
      // A concurrent request removed it.
      if (!now) throw new NotFound('Milestone');
      const { startDate = now.startDate, dueDate = now.dueDate } = changes;
      const title = checkedTitle({ title: changes.title, description, startDate, dueDate });
      if (title !== undefined && title !== milestone.title) await requireFreeTitle(sql, place, title, id);
      await unlessTitleTaken(
        sql.rows(updateMilestone, [
          id,
          title ?? null,
          description !== undefined,
          description || null,
          startDate,
          dueDate,
          stateEvent ?? null,
          context.viewer.person?.id ?? null,
        ]),
      );
      const [changed] = await sql.rows(readMilestones, [[id]]);
      return { milestone: changed! };
    });
  },
});
