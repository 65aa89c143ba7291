import type { Context } from '../../../context.ts';
import type { ListedProject } from '../../../database/access/records.ts';
import { reads } from '../../../policy/index.ts';
import { parent } from '../../../database/list.ts';
import { builder } from '../../engine/builder.ts';
import { listOfEach, nestedList, rootList, searchText } from '../../engine/list.ts';
import { noRows } from '../../engine/page.ts';
import { Group, Project } from '../../places/place/types.ts';
import { hasPlanning } from '../../places/projects/permissions.ts';
import { planningPlace, prefetchPlanningPlace } from '../place/look-up.ts';
import { availableLabels, labelNamed, labelsIn, type Around } from './read.ts';
import type { LabelFilter } from './statements/list.ts';
import { Label } from './types.ts';

/** The labels of projects and groups, as fields of both and at the root. */

const orders = { title: { column: 'l.title', type: 'text' } } as const;

const placeArgs = builder.args((t) => ({
  project: t.id({ description: 'Full path, global id or number. Give either this or `group`.' }),
  group: t.id({ description: 'Full path, global id or number.' }),
}));

const ancestors = 'Whether to include those of all groups above. False: those of a project and of its group.';

const aroundArgs = builder.args((t) => ({
  includeAncestorGroups: t.boolean({ defaultValue: false, description: ancestors }),
  includeDescendantGroups: t.boolean({
    defaultValue: false,
    description: 'For a group: whether to include those of its subgroups that you can see.',
  }),
  onlyGroupLabels: t.boolean({
    defaultValue: true,
    description: 'For a group: false includes those of its projects that you can see.',
  }),
}));

interface AroundArgs {
  readonly includeAncestorGroups?: boolean | null;
  readonly includeDescendantGroups?: boolean | null;
  readonly onlyGroupLabels?: boolean | null;
}

const around = ({ includeAncestorGroups, includeDescendantGroups, onlyGroupLabels }: AroundArgs): Around => ({
  ancestors: includeAncestorGroups ?? false,
  descendants: includeDescendantGroups ?? false,
  projects: onlyGroupLabels === false,
});

rootList('labels', {
  type: Label,
  description: 'The labels of a project or of a group, by title.',
  admission: { class: 'token', scopes: reads },
  prefetch: prefetchPlanningPlace,
  orders,
  by: 'title_asc',
  args: (t) => ({
    ...placeArgs,
    ...aroundArgs,
    search: t.string({ description: 'Words that must all occur in the title or the description.' }),
    archived: t.boolean({ description: 'Whether only archived ones, or only others.' }),
  }),
  rows: async (context, asked) => {
    const search = searchText(asked.search);
    const place = await planningPlace(context, asked);
    return labelsIn(context, place, { ...around(asked), search, archived: asked.archived });
  },
});

builder.queryField('label', (t) =>
  t.field({
    type: Label,
    description: 'A label of a project or of a group, or of the groups above.',
    admission: { class: 'token', scopes: reads },
    prefetch: prefetchPlanningPlace,
    args: {
      ...placeArgs,
      ...aroundArgs,
      name: t.arg.string({ required: true, description: 'Its number or its title.' }),
    },
    resolve: async (_root, { name, ...asked }, context) =>
      labelNamed(context, await planningPlace(context, asked), name, around(asked)),
  }),
);

/** The labels of many places. */
const labelsOfEach = (scope: 'project' | 'group') =>
  listOfEach((context, filter: LabelFilter) => labelsIn(context, { scope, id: parent }, filter));

const nested = { project: labelsOfEach('project'), group: labelsOfEach('group') };

/** The labels of a project: none, where the viewer has neither its issues nor its merge requests. */
function ofProject(context: Context, project: ListedProject, filter: LabelFilter) {
  const has = hasPlanning(context, project);
  const list = (one: boolean) => (one ? nested.project(context, project.id, filter) : noRows);
  return has instanceof Promise ? has.then(list) : list(has);
}

const titled = { type: Label, orders, by: 'title_asc' } as const;

nestedList(Project, 'labels', {
  ...titled,
  description: 'The labels that are available in it, by title.',
  args: (t) => ({
    includeAncestorGroups: t.boolean({ defaultValue: false, description: ancestors }),
    searchTerm: t.string({ description: 'Words that must all occur in the title or the description.' }),
    title: t.string({ description: 'Only the label with this title.' }),
  }),
  rows: (context, asked, _info, project) =>
    ofProject(context, project, { ...around(asked), search: searchText(asked.searchTerm), title: asked.title }),
});

nestedList(Group, 'labels', {
  ...titled,
  description: 'The labels that are available in it, by title.',
  args: (t) => ({
    ...aroundArgs,
    searchTerm: t.string({ description: 'Words that must all occur in the title or the description.' }),
    title: t.string({ description: 'Only the label with this title.' }),
  }),
  rows: (context, asked, _info, { id }) =>
    nested.group(context, id, { ...around(asked), search: searchText(asked.searchTerm), title: asked.title }),
});

const one = { offset: 0, limit: 1, after: null, before: null, inverted: false } as const;
const byTitle = { name: 'title', ...orders.title, direction: 'asc' } as const;

const titleArg = 'Its title.';
builder.objectField(Project, 'label', (t) =>
  t.field({
    type: Label,
    nullable: true,
    description: 'A label that is available in it; null if there is none.',
    args: { title: t.arg.string({ required: true, description: titleArg }) },
    resolve: async (project, { title }, context) =>
      (await (await ofProject(context, project, { ...availableLabels, title })).page(byTitle, one))[0] ?? null,
  }),
);
builder.objectField(Group, 'label', (t) =>
  t.field({
    type: Label,
    nullable: true,
    description: 'A label that is available in it; null if there is none.',
    args: { title: t.arg.string({ required: true, description: titleArg }) },
    resolve: async ({ id }, { title }, context) =>
      (await nested.group(context, id, { ...availableLabels, title }).page(byTitle, one))[0] ?? null,
  }),
);
