import type { Context } from '../../../context.ts';
import { findGroup } from '../../../database/access/places.ts';
import { parent } from '../../../database/list.ts';
import { BadRequest, Forbidden, Unauthenticated } from '../../../errors.ts';
import { holds, readMergeRequest, reads } from '../../../policy/index.ts';
import { User } from '../../accounts/users/types.ts';
import { orNull } from '../../engine/absent.ts';
import { builder } from '../../engine/builder.ts';
import { listOfEach, nestedList, rootList, sortEnum } from '../../engine/list.ts';
import { facts, lookUp, prefetchPlace } from '../../places/place/look-up.ts';
import { Group, Project } from '../../places/place/types.ts';
import { withRareLabels } from '../../planning/issues/item-arguments.ts';
import { mergeRequestArgs, mergeRequestFilterOf, type MergeRequestArgs } from './arguments.ts';
import { mergeRequestList } from './statements/list.ts';
import { mergeRequestOrders } from './statements/orders.ts';
import { findProjectOfMergeRequests } from './statements/reading.ts';
import { MergeRequest } from './types.ts';

/** Lists of merge requests: of a project, of a group, of a person, and of everything. */

const sorted = {
  type: MergeRequest,
  orders: mergeRequestOrders,
  by: 'created_desc',
  sortType: sortEnum('MergeRequestSort', mergeRequestOrders),
} as const;

const placeArgs = builder.args((t) => ({
  project: t.id({ description: 'Only those into this project. Id or full path.' }),
  group: t.id({ description: 'Only those into projects of this group. Id or full path.' }),
  includeSubgroups: t.boolean({ defaultValue: true, description: 'Whether to include the subgroups of `group`.' }),
  includeArchived: t.boolean({
    defaultValue: false,
    description: 'Whether to include those of archived projects. Those of a project that is named are always included.',
  }),
}));

type Asked = MergeRequestArgs & {
  readonly project?: string | null;
  readonly group?: string | null;
  readonly includeSubgroups?: boolean | null;
  readonly includeArchived?: boolean | null;
};

/**
 * The merge requests that arguments stand for.
 * @throws NotFound for a project or a group, Forbidden for a project whose merge requests or code the viewer doesn't read,
 *   BadRequest, Unauthenticated for a scope that needs a person
 */
async function mergeRequestsOf(context: Context, asked: Asked) {
  const { viewer } = context;
  const { project, group, scope } = asked;
  if (project != null && group != null) throw new BadRequest('Name a project or a group, not both.');
  if (scope != null && scope !== 'ALL' && viewer.person === null) throw new Unauthenticated();
  if (project != null) {
    const row = await lookUp(context, findProjectOfMergeRequests, 'Project', project);
    const known = facts(row);
    if (!holds(readMergeRequest, viewer, known)) throw new Forbidden();
    return mergeRequestList(viewer, { project: row.id }, await mergeRequestFilterOf(context, asked), known);
  }
  const more = asked.includeArchived ? {} : { archived: false };
  if (group != null) {
    const { id } = await lookUp(context, findGroup, 'Group', group);
    const place = { group: id, descendants: asked.includeSubgroups ?? true };
    return mergeRequestList(viewer, place, { ...(await mergeRequestFilterOf(context, asked)), ...more });
  }
  const filter = await withRareLabels(context, await mergeRequestFilterOf(context, asked));
  return mergeRequestList(viewer, 'everywhere', { ...filter, ...more });
}

const prefetched = ({ project, group }: { readonly project?: unknown; readonly group?: unknown }) =>
  group == null
    ? prefetchPlace(findProjectOfMergeRequests, 'Project', project)
    : prefetchPlace(findGroup, 'Group', group);

rootList('mergeRequests', {
  ...sorted,
  description: 'Merge requests that you can read, the newest first by default.',
  admission: { class: 'token', scopes: reads, anonymous: true },
  prefetch: prefetched,
  args: () => ({ ...mergeRequestArgs, ...placeArgs }),
  rows: mergeRequestsOf,
});

const ofEachProject = listOfEach(async (context, asked: MergeRequestArgs) =>
  mergeRequestList(context.viewer, { project: parent }, await mergeRequestFilterOf(context, asked)),
);

nestedList(Project, 'mergeRequests', {
  ...sorted,
  nullable: true,
  description: 'The merge requests into the project that you can read.',
  args: () => mergeRequestArgs,
  rows: (context, asked, _info, { id }) => ofEachProject(context, id, asked),
});

type AskedOfGroup = MergeRequestArgs & Pick<Asked, 'includeSubgroups' | 'includeArchived'>;
const { includeArchived } = placeArgs;

const ofEachGroup = listOfEach(async (context, { includeSubgroups, includeArchived, ...asked }: AskedOfGroup) =>
  mergeRequestList(
    context.viewer,
    { group: parent, descendants: includeSubgroups ?? false },
    { ...(await mergeRequestFilterOf(context, asked)), ...(includeArchived ? {} : { archived: false }) },
  ),
);

nestedList(Group, 'mergeRequests', {
  ...sorted,
  nullable: true,
  description: 'The merge requests into projects of the group that you can read.',
  args: (t) => ({
    ...mergeRequestArgs,
    includeSubgroups: t.boolean({ defaultValue: false, description: 'Whether to include those of subgroups.' }),
    includeArchived,
  }),
  rows: (context, asked, _info, { id }) => ofEachGroup(context, id, asked),
});

const projectArgs = builder.args((t) => ({
  projectId: t.field({ type: 'ProjectID', description: 'Only those into this project, which may be archived.' }),
  projectPath: t.string({ description: 'The same by its full path.' }),
}));

type AskedOfPerson = MergeRequestArgs &
  Pick<Asked, 'includeArchived'> & { readonly projectId?: string | null; readonly projectPath?: string | null };

type Place = Parameters<typeof mergeRequestList>[1];

/** Where the merge requests of people are looked for; null for a project that the viewer doesn't see. */
async function placeOf(context: Context, { projectId, projectPath }: AskedOfPerson): Promise<Place | null> {
  const named = projectId ?? projectPath;
  if (named == null) return 'everywhere';
  const project = await orNull('Project', lookUp(context, findProjectOfMergeRequests, 'Project', named));
  return project && { project: project.id };
}

for (const [field, key, description] of [
  ['authoredMergeRequests', 'authorId', 'Those that they opened and you can read.'],
  ['assignedMergeRequests', 'assigneeId', 'Those that are assigned to them and you can read.'],
  ['reviewRequestedMergeRequests', 'reviewerId', 'Those that they are to review and you can read.'],
] as const) {
  const ofEachPerson = listOfEach(async (context, asked: AskedOfPerson) => {
    const place = await placeOf(context, asked);
    const given = await mergeRequestFilterOf(context, asked);
    const filter = place === 'everywhere' ? await withRareLabels(context, given) : given;
    const more =
      place === null ? { iids: [] } : place === 'everywhere' && !asked.includeArchived ? { archived: false } : {};
    const list = mergeRequestList(context.viewer, place ?? 'everywhere', { ...filter, [key]: parent, ...more });
    // An argument or the scope may name a person, too: if it is another one, nothing matches.
    const named = given[key];
    return typeof named === 'number' ? list.where(`${parent} = ${list.key(named)}::int`) : list;
  });
  nestedList(User, field, {
    ...sorted,
    nullable: true,
    admission: { class: 'token', scopes: reads, anonymous: true },
    description,
    args: () => ({ ...mergeRequestArgs, ...projectArgs, includeArchived }),
    rows: (context, asked, _info, { id }) => ofEachPerson(context, id, asked),
  });
}

const MergeRequestStateCounts = builder.objectRef<ReadonlyMap<string, number>>('MergeRequestStateCounts').implement({
  description: 'How many merge requests there are.',
  fields: (t) => ({
    all: t.int({ resolve: (counts) => [...counts.values()].reduce((sum, one) => sum + one, 0) }),
    opened: t.int({ resolve: (counts) => counts.get('OPENED') ?? 0 }),
    closed: t.int({ resolve: (counts) => counts.get('CLOSED') ?? 0 }),
    locked: t.int({ resolve: (counts) => counts.get('LOCKED') ?? 0 }),
    merged: t.int({ resolve: (counts) => counts.get('MERGED') ?? 0 }),
  }),
});

builder.queryField('mergeRequestStateCounts', (t) =>
  t.field({
    type: MergeRequestStateCounts,
    description: 'How many merge requests you can read, by their state. `state` has no effect.',
    admission: { class: 'token', scopes: reads, anonymous: true },
    prefetch: prefetched,
    args: { ...mergeRequestArgs, ...placeArgs },
    resolve: async (_root, asked, context) => {
      const { statement, values } = (await mergeRequestsOf(context, { ...asked, state: null })).countBy('i.state');
      const rows = await context.database.rows(statement, values);
      return new Map(rows.map(({ value, total }) => [value, total]));
    },
  }),
);
