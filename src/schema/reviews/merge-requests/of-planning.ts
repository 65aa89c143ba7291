import { parent } from '../../../database/list.ts';
import { featureAvailable, readMergeRequest, seePlace, toSql, variantOf } from '../../../policy/index.ts';
import { batched } from '../../engine/batched.ts';
import { builder } from '../../engine/builder.ts';
import { listOfEach, nestedList } from '../../engine/list.ts';
import { Project } from '../../places/place/types.ts';
import { factsOf, readsCode } from '../../places/projects/permissions.ts';
import { Issue } from '../../planning/issues/types.ts';
import { Milestone } from '../../planning/milestones/types.ts';
import { closingIssues, openInProjects } from './statements/counts.ts';
import { mergeRequestList, type MergeRequestFilter } from './statements/list.ts';
import { mergeRequestOrders } from './statements/orders.ts';
import { MergeRequest } from './types.ts';

/** Merge requests of issues, milestones and projects: only those that the viewer reads. */

const listed = {
  type: MergeRequest,
  orders: { created: mergeRequestOrders.created, label_priority: mergeRequestOrders.label_priority },
} as const;

/** The lists of many records, each by a filter that names it. */
const ofEach = (filter: MergeRequestFilter) =>
  listOfEach((context, _asked: object) => mergeRequestList(context.viewer, 'everywhere', filter));

const related = ofEach({ issue: { id: parent, closes: false } });
nestedList(Issue, 'relatedMergeRequests', {
  ...listed,
  by: 'created_asc',
  description: 'The merge requests that mention it.',
  rows: (context, _asked, _info, { id }) => related(context, id, {}),
});

const closing = ofEach({ issue: { id: parent, closes: true } });
nestedList(Issue, 'closedByMergeRequests', {
  ...listed,
  by: 'created_asc',
  description: 'The merge requests that close it once they are merged.',
  rows: (context, _asked, _info, { id }) => closing(context, id, {}),
});

const ofMilestone = ofEach({ milestone: parent });
nestedList(Milestone, 'mergeRequests', {
  ...listed,
  by: 'label_priority_asc',
  description: 'The merge requests in it that you can read, by the priority of their labels.',
  rows: (context, _asked, _info, { id }) => ofMilestone(context, id, {}),
});

/** Counts of a page of issues, in one statement. */
const closingCounts = batched<number>(async ({ database, viewer }, ids) => {
  const statement = closingIssues(
    variantOf(viewer),
    (columns) => `${toSql(seePlace, viewer, columns)} and ${toSql(readMergeRequest, viewer, columns)}`,
  );
  const rows = await database.rows(statement, [ids, viewer.person?.id ?? null]);
  return new Map(rows.map(({ id, total }) => [id, total]));
});

builder.objectField(Issue, 'mergeRequestsCount', (t) =>
  t.int({
    description: 'How many merge requests that you can read close it once they are merged.',
    direct: true,
    // Most issues have none, which their row says.
    resolve: ({ id, hasClosing }, _args, context) =>
      hasClosing ? closingCounts(context, id).then((total) => total ?? 0) : 0,
  }),
);

const openIn = batched<number>(
  async ({ database }, ids) =>
    new Map((await database.rows(openInProjects, [ids])).map(({ id, total }) => [id, total])),
);
builder.objectField(Project, 'openMergeRequestsCount', (t) =>
  t.int({
    nullable: true,
    description: 'Null if you don’t see its merge requests.',
    resolve: async (project, _args, context) => {
      const { viewer } = context;
      const facts = await factsOf(context, project);
      if (!featureAvailable('mergeRequests', project, viewer, facts) || !readsCode(project, viewer, facts)) return null;
      return (await openIn(context, project.id)) ?? 0;
    },
  }),
);
