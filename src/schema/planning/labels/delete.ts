import { PreconditionFailed } from '../../../errors.ts';
import { enqueue } from '../../../jobs/enqueue.ts';
import { adminLabel, writes } from '../../../policy/index.ts';
import { mutation } from '../../engine/mutation.ts';
import { permission } from '../place/look-up.ts';
import { labelName, labelPayload } from './input.ts';
import { labelById, ownLabel } from './read.ts';
import { deleteLabel, removeFromItems } from './statements/changes.ts';

/**
 * Issues, and merge requests, from which a request itself takes a label; a job does the rest. Ten thousand take a second. A
 * label that was removed isn't shown, so that until then it only keeps these from being listed as those without labels.
 */
const mostItems = 2_000;

mutation('labelDelete', {
  description: 'Removes a label of a project or a group, also from its issues. From Planner up.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    ...labelName(t),
    unmodifiedSince: t.field({
      type: 'Time',
      description: 'Refuses the removal if the label was changed after this moment. Fractions of a second are ignored.',
    }),
  }),
  payload: labelPayload,
  resolve: async (context, { unmodifiedSince, ...name }) => {
    const { label, place } = await ownLabel(context, name, permission(context, adminLabel));
    await context.database.transaction(async (sql) => {
      const [removed] = await sql.rows(deleteLabel, [label.id, unmodifiedSince ?? null]);
      if (!removed) {
        // Not removed: either a concurrent request removed it, or it was changed after the given moment.
        await labelById(sql, context, label.id, place);
        throw new PreconditionFailed();
      }
      const [row] = await sql.rows(removeFromItems, [label.id, mostItems]);
      if (row!.removed === mostItems) await enqueue(sql, 'remove_label', { labelId: label.id });
    });
    return { label };
  },
});
