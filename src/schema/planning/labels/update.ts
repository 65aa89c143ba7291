import type { Sql } from '../../../database/index.ts';
import { isUniqueViolation } from '../../../database/index.ts';
import { InvalidFields, NotFound } from '../../../errors.ts';
import { adminLabel, writes } from '../../../policy/index.ts';
import { mutation } from '../../engine/mutation.ts';
import { permission, type PlanningPlace } from '../place/look-up.ts';
import { checkedLabel, labelName, labelPayload, titleTaken } from './input.ts';
import { labelById, labelNearby, ownLabel } from './read.ts';
import { findTakenAbove, removePriority, setPriority, updateLabel } from './statements/changes.ts';

mutation('labelUpdate', {
  description: 'Changes a label of a project or a group. From Planner up. Omitted fields stay as they are.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    ...labelName(t),
    title: t.string({ description: 'Without commas.' }),
    description: t.string(),
    color: t.string({ description: '`#rgb`, `#rrggbb`, or a name that CSS has.' }),
    priority: t.int({
      description: 'Its priority in the project, 0 first. Null: none. Alone, also for a label of the project’s group.',
    }),
    archived: t.boolean(),
  }),
  payload: labelPayload,
  resolve: async (context, { title: newTitle, color: newColor, description: text, priority: order, ...input }) => {
    // Priorities belong to the project, also that of a label of its group.
    const isPriorityAlone = [newTitle, newColor, text, input.archived ?? undefined].every((one) => one === undefined);
    const find = isPriorityAlone ? labelNearby : ownLabel;
    const { label, place } = await find(context, input, permission(context, adminLabel));
    const given = checkedLabel({ title: newTitle, color: newColor, description: text, priority: order });
    const { title, color, description, priority } = given;
    return await context.database.transaction(async (sql) => {
      if (title !== undefined && title !== label.title) await requireUntaken(sql, place, title);
      if (!isPriorityAlone) {
        const values = [label.id, title, color, description !== undefined, description ?? null, input.archived];
        const [changed] = await renaming(
          sql.rows(
            updateLabel,
            values.map((one) => one ?? null),
          ),
        );
        // A concurrent request removed it.
        if (!changed) throw new NotFound('Label');
      }
      if (place.scope === 'project' && priority !== undefined)
        await (priority === null
          ? sql.rows(removePriority, [place.id, label.id])
          : sql.rows(setPriority, [place.id, label.id, priority]));
      return { label: await labelById(sql, context, label.id, place) };
    });
  },
});

/** @throws InvalidFields if a group above has a label of this title */
async function requireUntaken(sql: Sql, { scope, id }: PlanningPlace, title: string): Promise<void> {
  const isProject = scope === 'project';
  const [taken] = await sql.rows(findTakenAbove, [isProject ? id : null, isProject ? null : id, title]);
  if (taken)
    throw new InvalidFields({
      title: [`already exists at group level for ${taken.name}. Please choose another one.`],
    });
}

/** @throws InvalidFields if the place has another label of this title */
async function renaming<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isUniqueViolation(error)) throw titleTaken();
    throw error;
  }
}
