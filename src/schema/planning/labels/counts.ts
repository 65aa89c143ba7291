import { readIssue, readMergeRequest, seePlace, toSql, variantOf } from '../../../policy/index.ts';
import { batched } from '../../engine/batched.ts';
import { builder } from '../../engine/builder.ts';
import { labelCounts, type LabelCounts } from './statements/counts.ts';
import { Label } from './types.ts';

/** How many issues and merge requests have a label: only those that the viewer reads. The counts of a page are read in one statement. */

const countsOf = batched<LabelCounts>(async ({ database, viewer }, ids) => {
  const statement = labelCounts(
    variantOf(viewer),
    (columns) => `${toSql(seePlace, viewer, columns)} and ${toSql(readIssue, viewer, columns)}`,
    (columns) => `${toSql(seePlace, viewer, columns)} and ${toSql(readMergeRequest, viewer, columns)}`,
  );
  const rows = await database.rows(statement, [ids, viewer.person?.id ?? null]);
  return new Map(rows.map((row) => [row.id, row]));
});

builder.objectFields(Label, (t) => ({
  openIssuesCount: t.int({
    description: 'How many open issues that you can read have it.',
    resolve: async ({ id }, _args, context) => (await countsOf(context, id))?.opened ?? 0,
  }),
  closedIssuesCount: t.int({
    description: 'How many closed issues that you can read have it.',
    resolve: async ({ id }, _args, context) => (await countsOf(context, id))?.closed ?? 0,
  }),
  openMergeRequestsCount: t.int({
    description: 'How many open merge requests that you can read have it.',
    resolve: async ({ id }, _args, context) => (await countsOf(context, id))?.merge_requests ?? 0,
  }),
}));
