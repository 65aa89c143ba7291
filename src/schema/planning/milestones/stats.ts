import { readIssue, seePlace, toSql, variantOf } from '../../../policy/index.ts';
import { batched } from '../../engine/batched.ts';
import { builder } from '../../engine/builder.ts';
import { milestoneCounts, type MilestoneCounts } from './statements/counts.ts';
import { Milestone } from './types.ts';

/** How many issues a milestone has: only those that the viewer reads. */

const countsOf = batched<MilestoneCounts>(async ({ database, viewer }, ids) => {
  const statement = milestoneCounts(
    variantOf(viewer),
    (columns) => `${toSql(seePlace, viewer, columns)} and ${toSql(readIssue, viewer, columns)}`,
  );
  const rows = await database.rows(statement, [ids, viewer.person?.id ?? null]);
  return new Map(rows.map((row) => [row.id, row]));
});

const MilestoneStats = builder.objectRef<Omit<MilestoneCounts, 'id'>>('MilestoneStats').implement({
  description: 'How many issues of a milestone you can read.',
  fields: (t) => ({
    totalIssuesCount: t.exposeInt('total'),
    closedIssuesCount: t.exposeInt('closed'),
  }),
});

builder.objectField(Milestone, 'stats', (t) =>
  t.field({
    type: MilestoneStats,
    resolve: async ({ id }, _args, context) => (await countsOf(context, id)) ?? { total: 0, closed: 0 },
  }),
);
