import type { Context } from '../../../context.ts';
import { parent } from '../../../database/list.ts';
import { NotFound } from '../../../errors.ts';
import { reads, seePlace, toSql } from '../../../policy/index.ts';
import { BadRequest } from '../../../errors.ts';
import { builder } from '../../engine/builder.ts';
import { idOf } from '../../engine/global-id.ts';
import { listOfEach, nestedList, rootList, searchText } from '../../engine/list.ts';
import { noRows } from '../../engine/page.ts';
import { Group, Project } from '../../places/place/types.ts';
import { Search } from '../../places/search/fields.ts';
import { hasPlanning } from '../../places/projects/permissions.ts';
import { planningPlace, prefetchPlanningPlace } from '../place/look-up.ts';
import { namedMilestone } from './read.ts';
import { milestoneList, milestoneOrders, type MilestoneFilter, type MilestonesOf } from './statements/list.ts';
import { Milestone, MilestoneStateEnum } from './types.ts';
import { largestInteger } from '../../../values/integers.ts';
import './stats.ts';

/** The milestones of projects and groups, as fields of both and at the root. */

const MilestoneSort = builder.enumType('MilestoneSort', {
  description: 'The order of milestones. Those without a due date come last in orders by it.',
  values: {
    DUE_DATE_ASC: { value: 'due_asc' },
    DUE_DATE_DESC: { value: 'due_latest_desc' },
    EXPIRED_LAST_DUE_DATE_ASC: { value: 'expired_last_due_asc', description: 'Past ones come after all others.' },
    EXPIRED_LAST_DUE_DATE_DESC: {
      value: 'expired_last_due_latest_desc',
      description: 'Past ones come after all others.',
    },
    CREATED_ASC: { value: 'created_asc' },
    CREATED_DESC: { value: 'created_desc' },
    UPDATED_ASC: { value: 'updated_asc' },
    UPDATED_DESC: { value: 'updated_desc' },
  } as const,
});

const Timeframe = builder.inputType('Timeframe', {
  description: 'A time between two days, both of which belong to it.',
  fields: (t) => ({
    start: t.field({ type: 'Date', required: true }),
    end: t.field({ type: 'Date', required: true }),
  }),
});

const filters = builder.args((t) => ({
  ids: t.idList({ description: 'Only these.' }),
  iids: t.intList({ description: 'Only those with these numbers in the project or group.' }),
  state: t.field({ type: MilestoneStateEnum }),
  title: t.string({ description: 'Only those with this title.' }),
  searchTitle: t.string({ description: 'Words that must all occur in the title.' }),
  containingDate: t.field({ type: 'Time', description: 'Only those that this day belongs to, in UTC.' }),
  timeframe: t.field({ type: Timeframe, description: 'Only those that a part of this time belongs to.' }),
  includeAncestors: t.boolean({ defaultValue: false, description: 'Whether to include those of groups above.' }),
}));

const below = builder.args((t) => ({
  includeDescendants: t.boolean({
    defaultValue: false,
    description: 'For a group: whether to include those of its subgroups and of the projects below that you can see.',
  }),
}));

interface Asked {
  readonly ids?: readonly string[] | null;
  readonly iids?: readonly number[] | null;
  readonly state?: MilestoneFilter['state'];
  readonly title?: string | null;
  readonly searchTitle?: string | null;
  readonly containingDate?: Date | null;
  readonly timeframe?: { readonly start: string; readonly end: string } | null;
  readonly includeAncestors?: boolean | null;
  readonly includeDescendants?: boolean | null;
}

const maxNamed = 1_000;

/** @throws BadRequest */
function filterOf({
  ids,
  iids,
  state,
  title,
  searchTitle,
  containingDate,
  timeframe,
  ...asked
}: Asked): MilestoneFilter {
  if (Math.max(ids?.length ?? 0, iids?.length ?? 0) > maxNamed)
    throw new BadRequest(`Name no more than ${maxNamed} milestones.`);
  if (timeframe && containingDate != null) throw new BadRequest('Give a day or a timeframe, not both.');
  const day = containingDate?.toISOString().slice(0, 10);
  if (timeframe && timeframe.start > timeframe.end) throw new BadRequest('start must be before end');
  return {
    ancestors: asked.includeAncestors ?? false,
    descendants: asked.includeDescendants ?? false,
    ids: ids?.map((id) => idOf(id, 'Milestone')),
    iids: iids?.filter((iid) => iid <= largestInteger),
    state,
    title,
    searchTitle: searchText(searchTitle),
    from: timeframe?.start ?? day,
    until: timeframe?.end ?? day,
  };
}

/** The milestones of a place, or of all that the viewer sees. */
const milestonesIn = ({ viewer }: Context, of: MilestonesOf, filter: MilestoneFilter) =>
  milestoneList(viewer.person?.id ?? null, of, (columns) => toSql(seePlace, viewer, columns), filter);

const placeArgs = builder.args((t) => ({
  project: t.id({ description: 'Full path, global id or number. Give either this or `group`.' }),
  group: t.id({ description: 'Full path, global id or number.' }),
}));

rootList('milestones', {
  type: Milestone,
  description: 'The milestones of a project or of a group, those due first at the beginning.',
  admission: { class: 'token', scopes: reads },
  prefetch: prefetchPlanningPlace,
  orders: milestoneOrders,
  by: 'due_asc',
  sortType: MilestoneSort,
  args: (t) => ({
    ...placeArgs,
    ...filters,
    ...below,
    search: t.string({ description: 'Words that must all occur in the title or the description.' }),
    updatedAfter: t.field({ type: 'Time' }),
    updatedBefore: t.field({ type: 'Time' }),
  }),
  rows: async (context, { search, updatedAfter, updatedBefore, ...asked }) => {
    const filter = {
      ...filterOf(asked),
      search: searchText(search),
      updatedAfter,
      updatedBefore,
    };
    return milestonesIn(context, await planningPlace(context, asked), filter);
  },
});

builder.queryField('milestone', (t) =>
  t.field({
    type: Milestone,
    nullable: true,
    description:
      'A milestone by id; null if it is missing or you can’t see it. If you name a project or a group, it must belong to it.',
    admission: { class: 'token', scopes: reads },
    prefetch: prefetchPlanningPlace,
    args: { id: t.arg({ type: 'MilestoneID', required: true }), ...placeArgs },
    resolve: async (_root, { id, project, group }, context) => {
      try {
        return (await namedMilestone(context, { id, project, group })).milestone;
      } catch (error) {
        if (error instanceof NotFound && project == null && group == null) return null;
        throw error;
      }
    },
  }),
);

/** The milestones of many places. */
const milestonesOfEach = (scope: 'project' | 'group') =>
  listOfEach((context, filter: MilestoneFilter) => milestonesIn(context, { scope, id: parent }, filter));

const nested = { project: milestonesOfEach('project'), group: milestonesOfEach('group') };

const list = {
  type: Milestone,
  orders: milestoneOrders,
  by: 'due_asc',
  sortType: MilestoneSort,
} as const;

nestedList(Project, 'milestones', {
  ...list,
  description:
    'Its milestones, those due first at the beginning; none, where you have neither its issues nor its merge requests.',
  args: () => filters,
  rows: (context, asked, _info, project) => {
    const list = (has: boolean) => (has ? nested.project(context, project.id, filterOf(asked)) : noRows);
    const has = hasPlanning(context, project);
    return has instanceof Promise ? has.then(list) : list(has);
  },
});

nestedList(Group, 'milestones', {
  ...list,
  description: 'Its milestones, those due first at the beginning.',
  args: () => ({ ...filters, ...below }),
  rows: (context, asked, _info, { id }) => nested.group(context, id, filterOf(asked)),
});

nestedList(Search, 'milestones', {
  ...list,
  nullable: true,
  description:
    'Milestones with all words in the title or the description; of a group also those of everything below it.',
  rows: async (context, _asked, _info, { text: search, place }) => {
    const of = place?.scope === 'project' ? await planningPlace(context, { project: String(place.id) }) : place;
    return milestonesIn(context, of ?? 'everywhere', { ancestors: false, descendants: true, search });
  },
});
