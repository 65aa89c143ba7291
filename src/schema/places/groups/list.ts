import type { InputShapeFromFields } from '@pothos/core';
import type { Context } from '../../../context.ts';
import { groupList, type GroupFilter } from './statements/groups.ts';
import { findGroup, findProject } from '../../../database/access/places.ts';
import { BadRequest } from '../../../errors.ts';
import { holds, isAdministrator, manageProjectMembers, reads, roles, seePlace, toSql } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { idOf } from '../../engine/global-id.ts';
import { refuseMany, rootList, searchText } from '../../engine/list.ts';
import { AccessLevelEnum, levelOf } from '../members/access-level.ts';
import { facts, lookUp } from '../place/look-up.ts';
import { Group, VisibilityLevelsEnum } from '../place/types.ts';
import { deprecatedGroupArguments } from './deprecated-arguments.ts';
import { groupOrders } from './orders.ts';

const InvitedRelation = builder.enumType('InvitedGroupRelation', {
  description: 'Where a group is invited to.',
  values: {
    DIRECT: { description: 'To the place itself.' },
    INHERITED: { description: 'To a group above it.' },
  } as const,
});

const groupArgs = builder.args((t) => ({
  ids: t.idList({ description: 'Only these groups.' }),
  search: t.string({
    description:
      'Words that must all occur in the name or the full path. Words shorter than three letters are ignored; a search without longer ones must match the whole value.',
  }),
  ownedOnly: t.boolean({ description: 'Only those that you own directly.' }),
  topLevelOnly: t.boolean({ description: 'Only top-level ones.' }),
  allAvailable: t.boolean({
    description:
      'False: only groups of which you are a direct or inherited member. Omitted: false for people who aren’t administrators, unless `parentPath`, `ownedOnly` or `minAccessLevel` is given; otherwise true.',
  }),
  parentPath: t.id({ description: 'Only direct subgroups of this group. Full path or id.' }),
  includeDescendants: t.boolean({ description: 'Whether to include all descendants of `parentPath`.' }),
  minAccessLevel: t.field({ type: AccessLevelEnum, description: 'Only those in which you have at least this role.' }),
  visibilityLevel: t.field({ type: VisibilityLevelsEnum, description: 'Only those with this visibility.' }),
  archived: t.boolean({ description: 'True: only archived ones, which don’t exist yet.' }),
  active: t.boolean({ description: 'False: only archived ones, and those that are being deleted: none.' }),
  skip: t.idList({ description: 'Not these groups.' }),
  sharedWithGroup: t.id({ description: 'Only those that are shared with this group. Full path or id.' }),
  invitedToGroup: t.id({ description: 'Only those that are invited to this group. Full path or id.' }),
  invitedToProject: t.id({ description: 'Only those that are invited to this project. Full path or id.' }),
  invitedRelations: t.field({
    type: [InvitedRelation],
    description:
      'Of `invitedToGroup` and `invitedToProject`: invited to the place itself, to groups above it. Omitted: both.',
  }),
  invitableToProject: t.id({
    description: 'Only those with which you may share this project: groups that you are in. Full path or id.',
  }),
}));
export type GroupListArgs = InputShapeFromFields<typeof groupArgs>;

/** The ids of groups that a list names. @throws BadRequest */
function idsOf(given: readonly string[] | null | undefined): number[] | undefined {
  refuseMany(given?.length ?? 0, 'groups');
  return given?.map((id) => idOf(id, 'Group'));
}

/** The place to which groups are invited. @throws NotFound, BadRequest for two of them */
async function invitationOf(
  context: Context,
  { invitedToGroup: group, invitedToProject: project, invitedRelations: relations }: GroupListArgs,
): Promise<GroupFilter['invitedTo']> {
  if (group == null && project == null) return undefined;
  if (group != null && project != null) throw new BadRequest('Name a group or a project, not both.');
  const has = (relation: 'DIRECT' | 'INHERITED') => relations == null || relations.includes(relation);
  const parts = { direct: has('DIRECT'), inherited: has('INHERITED') };
  if (group != null) return { scope: 'group', id: (await lookUp(context, findGroup, 'Group', group)).id, ...parts };
  return { scope: 'project', id: (await lookUp(context, findProject, 'Project', project!)).id, ...parts };
}

/** The id of a project that the viewer may share; 0 for another. @throws NotFound */
async function invitableId(context: Context, project: string): Promise<number> {
  const row = await lookUp(context, findProject, 'Project', project);
  return holds(manageProjectMembers, context.viewer, facts(row)) ? row.id : 0;
}

/** The filters that arguments stand for. @throws NotFound for the parent, BadRequest */
export async function groupFilterOf(context: Context, asked: GroupListArgs): Promise<GroupFilter> {
  const { viewer } = context;
  const { parentPath, ownedOnly, minAccessLevel } = asked;
  const search = searchText(asked.search);
  const narrowed =
    asked.sharedWithGroup != null ||
    asked.invitedToGroup != null ||
    asked.invitedToProject != null ||
    parentPath != null ||
    ownedOnly === true ||
    minAccessLevel != null;
  const allAvailable = narrowed || (asked.allAvailable ?? (viewer.person === null || isAdministrator(viewer)));
  const least = minAccessLevel == null ? undefined : levelOf(minAccessLevel);
  const idIn = async (group: string) => (await lookUp(context, findGroup, 'Group', group)).id;
  return {
    search,
    ids: idsOf(asked.ids),
    visibility: asked.visibilityLevel,
    owned: ownedOnly,
    topLevelOnly: asked.topLevelOnly,
    none: asked.archived === true || asked.active === false,
    minAccessLevel: least ?? (allAvailable ? undefined : roles.guest),
    skip: idsOf(asked.skip),
    sharedWith: asked.sharedWithGroup == null ? undefined : await idIn(asked.sharedWithGroup),
    invitedTo: await invitationOf(context, asked),
    invitable: asked.invitableToProject == null ? undefined : await invitableId(context, asked.invitableToProject),
    parent:
      parentPath == null
        ? undefined
        : {
            id: await idIn(parentPath),
            descendants: asked.includeDescendants ?? false,
          },
  };
}

/** Groups that the viewer sees. */
export const visibleGroups = ({ viewer }: Context, filter: GroupFilter) =>
  groupList(viewer.person?.id ?? null, (columns) => toSql(seePlace, viewer, columns), filter);

rootList('groups', {
  type: Group,
  description: 'Groups that you can see, ordered by name by default.',
  admission: { class: 'token', scopes: reads, anonymous: true },
  orders: groupOrders,
  by: 'name_asc',
  args: () => groupArgs,
  former: deprecatedGroupArguments,
  rows: async (context, asked) => {
    const similarTo = asked.orderBy === 'similarity' ? asked.search?.trim() || undefined : undefined;
    return visibleGroups(context, { ...(await groupFilterOf(context, asked)), similarTo });
  },
});
