import type { InputShapeFromFields } from '@pothos/core';
import { findGroup, findNamespace, findProject } from '../../../database/access/places.ts';
import { projectList, type ProjectFilter } from './statements/lists.ts';
import type { Context } from '../../../context.ts';
import { BadRequest, NotFound } from '../../../errors.ts';
import { available, holds, isAdministrator, readCode, reads, roles, seePlace, toSql } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { idIn, reference } from '../../engine/global-id.ts';
import { isSelectedOfEach } from '../../engine/selection.ts';
import { refuseMany, rootList, searchText } from '../../engine/list.ts';
import { AccessLevelEnum, levelOf } from '../members/access-level.ts';
import { facts, lookUp } from '../place/look-up.ts';
import { Project, VisibilityLevelsEnum } from '../place/types.ts';
import { userByReference } from '../../accounts/users/find.ts';
import { showsProfile } from '../../accounts/users/seen.ts';
import { deprecatedProjectArguments } from './deprecated-arguments.ts';
import { projectOrders, sizeOrders } from './orders.ts';

const ProjectArchived = builder.enumType('ProjectArchived', {
  values: { ONLY: {}, INCLUDE: {}, EXCLUDE: {} } as const,
});

const projectArgs = builder.args((t) => ({
  ids: t.idList({ description: 'Only these projects.' }),
  fullPaths: t.stringList({ description: 'Only the projects with these full paths, case-insensitive.' }),
  search: t.string({
    description:
      'Words that must all occur in the name, the path or the description. Words shorter than three letters are ignored; a search without longer ones must match the whole value.',
  }),
  searchNamespaces: t.boolean({ description: 'Whether to search in the full path too. A search with a slash does.' }),
  membership: t.boolean({ description: 'Only those in which you have a role.' }),
  personal: t.boolean({ description: 'Only those in your own namespace.' }),
  owned: t.boolean({ description: 'Only those that you own.' }),
  starred: t.boolean({ description: 'Only those that you starred.' }),
  minAccessLevel: t.field({ type: AccessLevelEnum, description: 'Only those in which you have at least this role.' }),
  visibilityLevel: t.field({ type: VisibilityLevelsEnum, description: 'Only those with this visibility.' }),
  archived: t.field({ type: ProjectArchived, description: 'Whether to include archived ones.' }),
  active: t.boolean({ description: 'True: without archived ones; false: only archived ones.' }),
  withIssuesEnabled: t.boolean({ description: 'True: only those whose issues you may see.' }),
  withMergeRequestsEnabled: t.boolean({ description: 'True: only those whose merge requests you may see.' }),
  imported: t.boolean({ description: 'True: only those that you made by importing them from another instance.' }),
  repositoryStorage: t.string({
    description: 'Only those whose repository is in this storage. For administrators: it has no effect for others.',
  }),
  includePendingDelete: t.boolean({
    description: 'Whether to include those that are being removed. For administrators: it has no effect for others.',
  }),
  programmingLanguageName: t.string({
    description: 'Only those whose default branch has files in this programming language.',
  }),
  topics: t.stringList({ description: 'Only those that have all of these topics.' }),
  namespacePath: t.id({ description: 'Only those directly in this group or personal namespace. Full path or id.' }),
  group: t.id({ description: 'Only those in this group. Full path or id.' }),
  includeSubgroups: t.boolean({ description: 'Whether to include the subgroups of `group`.' }),
  includeAncestorGroups: t.boolean({ description: 'Whether to include the groups above `group`.' }),
  withShared: t.boolean({ description: 'Whether to include projects that are shared with `group`.' }),
  sharedWithGroup: t.id({ description: 'Only those that are shared with this group. Full path or id.' }),
  idAfter: t.int({ description: 'Only those with a greater number.' }),
  idBefore: t.int({ description: 'Only those with a smaller number.' }),
  updatedAfter: t.field({ type: 'Time', description: 'Needs an order by `updated`, like `updatedBefore`.' }),
  updatedBefore: t.field({ type: 'Time' }),
  lastActivityAfter: t.field({ type: 'Time' }),
  lastActivityBefore: t.field({ type: 'Time' }),
  forkOf: t.id({ description: 'Only forks of this project. Id or full path.' }),
  ownedBy: t.id({ description: 'Only those in the personal namespace of this person. Id or username.' }),
  starredBy: t.id({ description: 'Only those that this person starred. Id or username.' }),
  contributedBy: t.id({
    description:
      'Only those to which this person contributed in the last year. Id or username. None if their profile is private, except for the person and administrators.',
  }),
}));

export type ProjectListArgs = InputShapeFromFields<typeof projectArgs>;

/** Fields that need the viewer’s highest role. */
const needRole = ['userPermissions', 'attributes', 'repository', 'statistics', 'openIssuesCount'] as const;

/** What `archived` of the statement means for each value of the argument. */
const archivedOnly = { ONLY: true, EXCLUDE: false, INCLUDE: undefined } as const;

/**
 * The filters that arguments stand for.
 * @throws NotFound for a group, a project or a person, BadRequest
 */
export async function projectFilterOf(context: Context, asked: ProjectListArgs): Promise<ProjectFilter> {
  const { ids, fullPaths, forkOf, ownedBy, starredBy, contributedBy, archived, visibilityLevel } = asked;
  refuseMany((ids?.length ?? 0) + (fullPaths?.length ?? 0), 'projects');
  const search = searchText(asked.search);
  return {
    ...asked,
    search,
    ids: ids?.map((id) => idIn(id, 'Project')),
    fullPaths: fullPaths?.map((path) => path.toLowerCase()),
    visibility: visibilityLevel,
    archived: archived == null ? undefined : archivedOnly[archived],
    minAccessLevel: leastRole(asked),
    repositoryStorage: isAdministrator(context.viewer) ? asked.repositoryStorage : undefined,
    includePendingDelete: isAdministrator(context.viewer) && asked.includePendingDelete,
    forkOf: forkOf == null ? undefined : (await lookUp(context, findProject, 'Project', forkOf)).id,
    namespace: await namespaceOf(context, asked),
    sharedWith:
      asked.sharedWithGroup == null ? undefined : (await lookUp(context, findGroup, 'Group', asked.sharedWithGroup)).id,
    owner: asked.personal
      ? (context.viewer.person?.id ?? 0)
      : ownedBy == null
        ? undefined
        : (await userByReference(context, ownedBy)).id,
    starredBy: starredBy == null ? undefined : await shownPerson(context, starredBy),
    contributedBy: contributedBy == null ? undefined : await shownPerson(context, contributedBy),
    features: [
      ...(asked.withIssuesEnabled ? (['issues'] as const) : []),
      ...(asked.withMergeRequestsEnabled ? (['mergeRequests'] as const) : []),
      ...(asked.programmingLanguageName ? (['repository'] as const) : []),
    ],
    // Languages say what is in the repository: they are for those who read it.
    available: (feature, columns) =>
      toSql(feature === 'repository' ? readCode : available(feature), context.viewer, columns),
  };
}

rootList('projects', {
  type: Project,
  description: 'Projects that you can see, the newest first by default.',
  admission: { class: 'token', scopes: reads, anonymous: true },
  orders: { ...projectOrders, ...sizeOrders },
  by: 'created_desc',
  args: () => projectArgs,
  former: deprecatedProjectArguments,
  rows: async (context, asked, info) => {
    if ((asked.updatedAfter || asked.updatedBefore) && asked.orderBy !== 'updated')
      throw new BadRequest('`updated_at` filter and `updated_at` sorting must be paired');
    const similarTo = asked.orderBy === 'similarity' ? asked.search?.trim() || undefined : undefined;
    const filter = Object.assign(await projectFilterOf(context, asked), {
      similarTo,
      bySize: sizeIn(context, asked.orderBy),
    });
    const roles = isSelectedOfEach(info, 'permissions') ? 'all' : needRole.some((name) => isSelectedOfEach(info, name));
    return visibleProjects(context, filter, roles === true ? 'highest' : roles || 'none');
  },
});

/** The size by which administrators order projects; undefined for another order. */
const sizeIn = ({ viewer }: Context, order: string): ProjectFilter['bySize'] =>
  (order === 'storage_size' || order === 'repository_size') && isAdministrator(viewer) ? order : undefined;

/** Projects that the viewer sees. @param roles which roles of the viewer to read with each */
export const visibleProjects = (
  { viewer }: Context,
  filter: ProjectFilter,
  roles?: Parameters<typeof projectList>[3],
) => projectList(viewer.person?.id ?? null, (columns) => toSql(seePlace, viewer, columns), filter, roles);

/** The namespace whose projects are listed. @throws NotFound for one that the viewer doesn't see, BadRequest */
async function namespaceOf(
  context: Context,
  { group, namespacePath, includeSubgroups, includeAncestorGroups, withShared }: ProjectListArgs,
): Promise<ProjectFilter['namespace']> {
  if (group != null && namespacePath != null) throw new BadRequest('Name a group or a namespace, not both.');
  if (group != null) {
    const { id } = await lookUp(context, findGroup, 'Group', group);
    return {
      id,
      descendants: includeSubgroups ?? false,
      ancestors: includeAncestorGroups ?? false,
      shared: withShared ?? false,
    };
  }
  if (namespacePath == null) return undefined;
  const { by, value } = reference(namespacePath, 'Namespace');
  const [found] = await context.database.rows(findNamespace[by], [value, context.viewer.person?.id ?? null]);
  // Everyone sees personal namespaces, and of their projects those that they may see.
  if (!found || (found.owner_id === null && !holds(seePlace, context.viewer, facts(found))))
    throw new NotFound('Namespace');
  return { id: found.id, descendants: false };
}

/** The id of the person whose stars or contributions are listed; 0, which has none, if their profile is private. @throws NotFound */
async function shownPerson(context: Context, given: string): Promise<number> {
  const person = await userByReference(context, given);
  return showsProfile(person, context) ? person.id : 0;
}

/** The minimum role, from either of two filters. */
function leastRole({ membership, minAccessLevel }: ProjectListArgs): number | undefined {
  const asked = [membership && roles.guest, minAccessLevel && levelOf(minAccessLevel)].filter(
    (level) => typeof level === 'number',
  );
  return asked.length > 0 ? Math.max(...asked) : undefined;
}
