import { checkedTitle } from '../../planning/milestones/input.ts';
import { importing, NotTaken } from '../origins/importing.ts';
import { placeOf, placeReferences } from '../origins/place.ts';
import { changeMilestone, insertMilestone } from './statements.ts';

importing('milestones', {
  description: 'Imports milestones of groups and projects.',
  keeps: 'milestones',
  record: (t) => ({
    projectKey: t.string({ description: 'The project that has it, or its group:' }),
    groupKey: t.string(),
    iid: t.int({ required: true }),
    title: t.string({ required: true }),
    description: t.string(),
    closed: t.boolean({ required: true }),
    startDate: t.field({ type: 'Date' }),
    dueDate: t.field({ type: 'Date' }),
    createdAt: t.field({ type: 'Time', required: true }),
    updatedAt: t.field({ type: 'Time', required: true }),
  }),
  refersTo: (one) => placeReferences(one),
  examine: async (batch, { startDate = null, dueDate = null, ...milestone }) => ({
    place: placeOf(batch, milestone),
    title: checkedTitle({ ...milestone, startDate, dueDate })!,
    startDate,
    dueDate,
  }),
  store: async (batch, milestone, { place, title, startDate, dueDate }, known) => {
    const { sql } = batch;
    const { iid, createdAt, updatedAt } = milestone;
    const values = [title, milestone.description ?? null, milestone.closed ? 'CLOSED' : 'ACTIVE', startDate, dueDate];
    const scope = place.projectId === null ? 'group' : 'project';
    const placeId = place.projectId ?? place.groupId;
    const [row] =
      known === undefined
        ? await sql.rows(insertMilestone[scope], [
            batch.keptId(milestone.key),
            placeId,
            iid,
            ...values,
            createdAt,
            updatedAt,
          ])
        : await sql.rows(changeMilestone, [known, ...values, updatedAt]);
    if (!row) throw new NotTaken('It was removed here.');
    if (row.iid !== iid) batch.remark(`Its number ${iid} is taken: imported as ${row.iid}.`);
    return row.id;
  },
});
