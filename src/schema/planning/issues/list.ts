import type { Context } from '../../../context.ts';
import { findGroup } from '../../../database/access/places.ts';
import { parent } from '../../../database/list.ts';
import { BadRequest, Unauthenticated } from '../../../errors.ts';
import { reads } from '../../../policy/index.ts';
import { batchedLists } from '../../engine/batched.ts';
import { builder } from '../../engine/builder.ts';
import { listOfEach, nestedList, rootList, sortEnum } from '../../engine/list.ts';
import { facts, lookUp, prefetchPlace } from '../../places/place/look-up.ts';
import { Group, Project } from '../../places/place/types.ts';
import { issueArgs, issueFilterOf, type IssueArgs } from './arguments.ts';
import { withRareLabels } from './item-arguments.ts';
import { issueList } from './statements/list.ts';
import { findProjectOfIssues } from './statements/reading.ts';
import { issueOrders } from './statements/orders.ts';
import { Issue } from './types.ts';

/** Lists of issues: of a project, of a group, and of everything. */

/** The order by the first priority of the labels of the issue `i`, for other lists. */
export const byLabelPriority = issueOrders.label_priority;

const sorted = {
  type: Issue,
  orders: issueOrders,
  by: 'created_desc',
  sortType: sortEnum('IssueSort', issueOrders),
} as const;

const placeArgs = builder.args((t) => ({
  project: t.id({ description: 'Only those of this project. Id or full path.' }),
  group: t.id({ description: 'Only those in this group. Id or full path.' }),
  includeSubgroups: t.boolean({ defaultValue: true, description: 'Whether to include the subgroups of `group`.' }),
  includeArchived: t.boolean({
    defaultValue: false,
    description: 'Whether to include those of archived projects. Those of a project that is named are always included.',
  }),
}));

type Asked = IssueArgs & {
  readonly project?: string | null;
  readonly group?: string | null;
  readonly includeSubgroups?: boolean | null;
  readonly includeArchived?: boolean | null;
};

/**
 * The issues that arguments stand for.
 * @throws NotFound for a project or a group, BadRequest, Unauthenticated for a scope that needs a person
 */
async function issuesOf(context: Context, asked: Asked) {
  const { project, group, scope } = asked;
  if (project != null && group != null) throw new BadRequest('Name a project or a group, not both.');
  if (project != null) {
    const row = await lookUp(context, findProjectOfIssues, 'Project', project);
    return issueList(context.viewer, { project: row.id }, await issueFilterOf(context, asked), facts(row));
  }
  const more = asked.includeArchived ? {} : { archived: false };
  if (group != null) {
    const { id } = await lookUp(context, findGroup, 'Group', group);
    const place = { group: id, descendants: asked.includeSubgroups ?? true };
    return issueList(context.viewer, place, { ...(await issueFilterOf(context, asked)), ...more });
  }
  if (scope != null && scope !== 'ALL' && context.viewer.person === null) throw new Unauthenticated();
  return issueList(context.viewer, 'everywhere', {
    ...(await withRareLabels(context, await issueFilterOf(context, asked))),
    ...more,
  });
}

rootList('issues', {
  ...sorted,
  description: 'Issues that you can read, the newest first by default.',
  admission: { class: 'token', scopes: reads, anonymous: true },
  prefetch: ({ project, group }) =>
    group == null ? prefetchPlace(findProjectOfIssues, 'Project', project) : prefetchPlace(findGroup, 'Group', group),
  args: () => ({ ...issueArgs, ...placeArgs }),
  rows: issuesOf,
});

const ofEachProject = listOfEach(async (context, asked: IssueArgs) =>
  issueList(context.viewer, { project: parent }, await issueFilterOf(context, asked)),
);

nestedList(Project, 'issues', {
  ...sorted,
  nullable: true,
  description: 'The issues of the project that you can read.',
  args: () => issueArgs,
  rows: (context, asked, _info, { id }) => ofEachProject(context, id, asked),
});

type AskedOfGroup = IssueArgs & Pick<Asked, 'includeSubgroups' | 'includeArchived'>;
const { includeArchived } = placeArgs;

const ofEachGroup = listOfEach(async (context, { includeSubgroups, includeArchived, ...asked }: AskedOfGroup) =>
  issueList(
    context.viewer,
    { group: parent, descendants: includeSubgroups ?? false },
    { ...(await issueFilterOf(context, asked)), ...(includeArchived ? {} : { archived: false }) },
  ),
);

nestedList(Group, 'issues', {
  ...sorted,
  nullable: true,
  description: 'The issues in the group that you can read.',
  args: (t) => ({
    ...issueArgs,
    includeSubgroups: t.boolean({ defaultValue: false, description: 'Whether to include those of subgroups.' }),
    includeArchived,
  }),
  rows: (context, asked, _info, { id }) => ofEachGroup(context, id, asked),
});

const IssueStateCounts = builder.objectRef<ReadonlyMap<string, number>>('IssueStatusCountsType').implement({
  description: 'How many issues there are.',
  fields: (t) => ({
    all: t.int({ resolve: (counts) => [...counts.values()].reduce((sum, one) => sum + one, 0) }),
    opened: t.int({ resolve: (counts) => counts.get('OPENED') ?? 0 }),
    closed: t.int({ resolve: (counts) => counts.get('CLOSED') ?? 0 }),
  }),
});

const byState = (rows: readonly { readonly value: string; readonly total: number }[]) =>
  new Map(rows.map(({ value, total }) => [value, total]));

builder.queryField('issueStatusCounts', (t) =>
  t.field({
    type: IssueStateCounts,
    description: 'How many issues you can read, by their state. `state` has no effect.',
    admission: { class: 'token', scopes: reads, anonymous: true },
    prefetch: ({ project, group }) =>
      group == null ? prefetchPlace(findProjectOfIssues, 'Project', project) : prefetchPlace(findGroup, 'Group', group),
    args: { ...issueArgs, ...placeArgs },
    resolve: async (_root, asked, context) => {
      const { statement, values } = (await issuesOf(context, { ...asked, state: null })).countBy('i.state');
      return byState(await context.database.rows(statement, values));
    },
  }),
);

const countsOfEach = batchedLists(
  async (context: Context, projects, asked: IssueArgs) => {
    const filter = await issueFilterOf(context, { ...asked, state: null });
    const { statement, values } = issueList(context.viewer, { project: parent }, filter).countsBy(projects, 'i.state');
    return await context.database.rows(statement, values);
  },
  ({ parent_id }) => parent_id,
);

builder.objectField(Project, 'issueStatusCounts', (t) =>
  t.field({
    type: IssueStateCounts,
    nullable: true,
    description: 'How many of its issues you can read, by their state. `state` has no effect.',
    args: issueArgs,
    resolve: async ({ id }, asked, context) => byState(await countsOfEach(context, id, asked)),
  }),
);
