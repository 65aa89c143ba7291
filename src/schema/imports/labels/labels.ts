import { checkedLabel } from '../../planning/labels/input.ts';
import { importing, NotTaken } from '../origins/importing.ts';
import { placeOf, placeReferences } from '../origins/place.ts';
import { changeLabel, insertLabel, storePriority } from './statements.ts';

importing('labels', {
  description: 'Imports labels of groups and projects.',
  keeps: 'labels',
  record: (t) => ({
    projectKey: t.string({ description: 'The project that has it, or its group:' }),
    groupKey: t.string(),
    title: t.string({ required: true }),
    color: t.string({ required: true }),
    description: t.string(),
    archived: t.boolean({ required: true }),
    priority: t.int({ description: 'In its project.' }),
  }),
  refersTo: (one) => placeReferences(one),
  examine: async (batch, label) => ({ place: placeOf(batch, label), ...checkedLabel({ ...label }) }),
  store: async (batch, { key, archived }, { place, title, color, description, priority }, known) => {
    const { sql } = batch;
    const values = [title, color, description ?? null, archived];
    const [row] =
      known === undefined
        ? await sql.rows(insertLabel, [batch.keptId(key), place.projectId, place.groupId, ...values])
        : await sql.rows(changeLabel, [known, ...values]);
    if (!row) throw new NotTaken('It was removed here.');
    if (place.projectId !== null) await sql.rows(storePriority, [place.projectId, row.id, priority ?? null]);
    return row.id;
  },
});
